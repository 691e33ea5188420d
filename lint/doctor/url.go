package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"mcpworks/lint/conceal"
	"mcpworks/mcp/client"
	"mcpworks/mcp/transport"
)

// url examines a server over HTTP: first the way to it, then the server.
func (x *examination) url(ctx context.Context, address string) {
	x.plan(optional("proxy"), required("name", "port", "tls", "http", "redirects", "authorization", "transport", "handshake"),
		optional("capabilities"), required("lists", "ping"), optional("shutdown"))
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		x.fail("name", "the target is not a URL that can be used", nil)
		return
	}
	w := x.newWay(u)
	if !w.walk(ctx) {
		return
	}
	begin := time.Now()
	session, err := client.Connect(ctx, client.URL(address), x.opts.Client)
	if err != nil {
		x.refused(ctx, w, err)
		return
	}
	x.ok("http", x.lastStatus(), x.exchangeLines()...)
	x.redirects(nil)
	x.welcome()
	x.session(ctx, session, time.Since(begin), func(error) *symptoms { return &symptoms{opened: true} })
}

// welcome tells why nobody asked for credentials, or that they were good.
func (x *examination) welcome() {
	if len(x.opts.Client.Header) > 0 || x.opts.Client.Authorize != nil {
		x.ok("authorization", "the server accepts what was sent")
		return
	}
	x.ok("authorization", "the server wants no credentials")
}

// lastStatus is the status that HTTP ended with.
func (x *examination) lastStatus() string {
	if status := x.lastAnswer(); status != 0 {
		return "the server answers with " + statusText(status)
	}
	return "there was no answer"
}

// lastAnswer is its number; 0 if there was no answer.
func (x *examination) lastAnswer() (status int) {
	for _, e := range x.heard.traffic() {
		if e.Status != 0 {
			status = e.Status
		}
	}
	return status
}

// exchangeLines tell what was asked and answered.
func (x *examination) exchangeLines() (lines []string) {
	for _, e := range x.heard.traffic() {
		line := e.Method + ": "
		if e.Status == 0 {
			line += e.Err
		} else {
			line += strings.TrimSpace(statusText(e.Status) + " " + e.Response.Get("Content-Type"))
		}
		lines = append(lines, line)
	}
	return lines
}

// redirects tells where requests were sent on to.
func (x *examination) redirects(away *Cause) {
	var chain []string
	for _, e := range x.heard.traffic() {
		if e.Status/100 == 3 {
			chain = append(chain, fmt.Sprintf("%s %s: %s to %s", e.Method, conceal.Bare(e.URL), statusText(e.Status), conceal.Bare(e.Response.Get("Location"))))
		}
	}
	switch {
	case away != nil && away.ID == redirectLoop:
		x.fail("redirects", "they lead in circles", away, chain...)
	case away != nil:
		x.fail("redirects", "they lead to another server", away, chain...)
	case chain != nil:
		x.warn("redirects", "the server sends requests on to another of its paths", "use the address that they end at", chain...)
	default:
		x.ok("redirects", "there are none")
	}
}

// refused judges a server that can be connected to and opens no session.
func (x *examination) refused(ctx context.Context, w *way, err error) {
	var status *transport.StatusError
	hasStatus := errors.As(err, &status)
	tried := x.triedLines(attempts(err))
	answered := x.answerCause(err)
	switch {
	case x.stopped(ctx, "http"):
	case ctx.Err() != nil:
		x.fail("http", context.Cause(ctx).Error(), nil, x.exchangeLines()...)
	case hasStatus && isLocked(status):
		x.ok("http", "the server answers with "+statusText(status.Status), x.exchangeLines()...)
		x.redirects(nil)
		x.locked(ctx, w, status)
	case hasStatus && status.Location != "":
		x.ok("http", "the server answers with "+statusText(status.Status))
		x.redirects(w.redirectCause(status.Location))
	case answered != nil:
		x.ok("http", x.lastStatus(), x.exchangeLines()...)
		x.redirects(nil)
		x.welcome()
		x.ok("transport", "the server answers", tried...)
		x.fail("handshake", shortError(err), answered)
	default:
		found, cause := x.httpCause(ctx, w, err)
		x.fail("http", found, cause, tried...)
	}
}

// malformed matches what is said about an answer that is no HTTP.
var malformed = regexp.MustCompile(`malformed HTTP (?:response|status|version)`)

// redirectCause is why redirects end where they do: at another server, or never.
func (w *way) redirectCause(location string) *Cause {
	at, err := w.address.Parse(location)
	if err == nil && at.Scheme == w.address.Scheme && strings.EqualFold(at.Host, w.address.Host) {
		return because(redirectLoop, at.Path)
	}
	return because(redirectedAway, conceal.Bare(location))
}

// isLocked says whether a status is about who asks. A web page with status 403
// is the word of a firewall, not of the server.
func isLocked(status *transport.StatusError) bool {
	switch status.Status {
	case http.StatusUnauthorized, http.StatusProxyAuthRequired:
		return true
	case http.StatusForbidden:
		return !isPage(status.Body)
	}
	return false
}

// httpCause is why HTTP does not lead to a session.
func (x *examination) httpCause(ctx context.Context, w *way, err error) (found string, cause *Cause) {
	var (
		status  *transport.StatusError
		content *transport.ContentError
		late    *client.TimeoutError
	)
	switch {
	case errors.As(err, &status):
		return "the server answers with " + statusText(status.Status), x.statusCause(ctx, w, status)
	case errors.As(err, &content):
		kind := content.Type
		if kind == "" {
			kind = "no Content-Type"
		}
		if isPage(content.Body) || strings.HasPrefix(kind, "text/html") {
			return "the answer is a web page", because(htmlAnswer, kind)
		}
		return "the answer is no message", because(notMCP, kind)
	case errors.As(err, &late):
		return fmt.Sprintf("no answer within %v", late.After), because(noAnswer, fmt.Sprintf("the handshake took longer than %v", late.After))
	case strings.HasSuffix(err.Error(), "without a message"):
		return "the answer is empty", because(emptyAnswer, statusText(x.lastAnswer()))
	case errors.Is(err, transport.ErrLost), malformed.MatchString(err.Error()):
		if w.address.Scheme == "http" && w.speaksTLS(ctx) {
			return "the server does not answer in plain HTTP", because(tlsWanted, "")
		}
		return "the connection broke", because(connectionLost, shortError(err))
	}
	return shortError(err), nil
}

// statusCause is what a status means that is not about credentials.
func (x *examination) statusCause(ctx context.Context, w *way, status *transport.StatusError) *Cause {
	text := statusText(status.Status)
	if isPage(status.Body) {
		text += ", a web page"
	}
	switch {
	case strings.Contains(string(status.Body), "HTTP request to an HTTPS server"), strings.Contains(string(status.Body), "plain HTTP request was sent to HTTPS port"):
		return because(tlsWanted, "")
	case status.Status/100 == 4 && x.opts.Client.Way == client.Streamable && x.isSSE(ctx, w):
		cause := because(sseEndpoint, "")
		cause.Action = "leave out --transport http; " + cause.Action
		return cause
	case status.Status == http.StatusNotFound, status.Status == http.StatusMethodNotAllowed, status.Status == http.StatusGone:
		return because(wrongPath, text)
	case status.Status == http.StatusBadGateway, status.Status == http.StatusServiceUnavailable, status.Status == http.StatusGatewayTimeout:
		return because(gatewayError, text)
	case isPage(status.Body):
		return because(htmlAnswer, text)
	case status.Status/100 == 5:
		return because(serverError, text)
	}
	return because(statusRefused, text)
}

// isSSE says whether the older transport is there. It only listens.
func (x *examination) isSSE(ctx context.Context, w *way) bool {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	opts := x.opts.Client
	opts.Way = client.SSE
	line, err := client.Dial(ctx, client.URL(w.address.String()), opts)
	if err != nil {
		return false
	}
	_ = line.Close(ctx)
	return true
}

// isPage says whether a text is a web page.
func isPage(body []byte) bool {
	head := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(string(body), "\ufeff")))
	return strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html")
}

func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("HTTP status %d %s", status, http.StatusText(status)))
}
