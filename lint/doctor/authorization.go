package doctor

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/lint/conceal"
	"mcpworks/mcp/transport"
)

// locked judges a server that wants to know who asks, and looks for what it says
// about where its tokens come from.
func (x *examination) locked(ctx context.Context, w *way, status *transport.StatusError) {
	sent := len(x.opts.Client.Header) > 0 || x.opts.Client.Authorize != nil
	cause := because(refusesCredentials, statusText(status.Status))
	switch {
	case status.Status == http.StatusProxyAuthRequired:
		cause = because(proxyCredentials, "")
	case status.Status == http.StatusUnauthorized && !sent:
		cause = because(wantsCredentials, "")
	case status.Status == http.StatusForbidden && !sent:
		cause = because(accessForbidden, statusText(status.Status))
	}
	var evidence []string
	if status.Challenge != "" {
		evidence = append(evidence, "WWW-Authenticate: "+status.Challenge)
	}
	if status.Status == http.StatusUnauthorized {
		evidence = append(evidence, w.discovery(ctx, status.Challenge)...)
	}
	if len(status.Body) > 0 {
		evidence = append(evidence, fmt.Sprintf("%q", x.short(string(status.Body), 200)))
	}
	found := "the server wants to know who asks: "
	if cause.ID == accessForbidden {
		found = "the server refuses everybody, or who asks: "
	}
	x.fail("authorization", found+statusText(status.Status), cause, evidence...)
}

var metadataAddress = regexp.MustCompile(`resource_metadata="([^"]*)"`)

// discovery reads the documents of RFC 9728 that the server itself has. What is
// at another origin is named and left alone: a server must not choose whom the
// doctor visits.
func (w *way) discovery(ctx context.Context, challenge string) (lines []string) {
	const known = "/.well-known/oauth-protected-resource"
	var places []*url.URL
	if match := metadataAddress.FindStringSubmatch(challenge); match != nil {
		at, err := w.address.Parse(match[1])
		if err != nil || at.Scheme != w.address.Scheme || !strings.EqualFold(at.Host, w.address.Host) {
			return []string{"its metadata are at another address, which was not asked: " + conceal.Bare(match[1])}
		}
		places = append(places, at)
	} else {
		if path := strings.TrimRight(w.address.Path, "/"); path != "" {
			places = append(places, &url.URL{Scheme: w.address.Scheme, Host: w.address.Host, Path: known + path})
		}
		places = append(places, &url.URL{Scheme: w.address.Scheme, Host: w.address.Host, Path: known})
	}
	for _, at := range places {
		found, ok := w.metadata(ctx, at)
		lines = append(lines, found)
		if ok {
			break
		}
	}
	return lines
}

// maxMetadata is how long a document may be, in bytes.
const maxMetadata = 64 << 10

// metadata fetches a document and tells what it says.
func (w *way) metadata(ctx context.Context, at *url.URL) (found string, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	what := "GET " + at.Path + ": "
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return what + err.Error(), false
	}
	request.Header.Set("Accept", "application/json")
	client, done := w.httpClient()
	defer done()
	response, err := client.Do(request)
	if err != nil {
		return what + "no answer", false
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return what + statusText(response.StatusCode), false
	}
	body, cut, err := bounded.Read(response.Body, maxMetadata)
	if err != nil || cut || rawjson.Check(body, rawjson.Limits{Depth: 32}) != nil || rawjson.KindOf(body) != rawjson.Object {
		return what + "it is no JSON object", false
	}
	var servers []string
	for element := range rawjson.Elements(rawjson.Member(body, "authorization_servers")) {
		if name, isText := rawjson.String(element); isText && len(servers) < maxLines {
			servers = append(servers, conceal.Bare(name))
		}
	}
	if servers == nil {
		return what + "it names no authorization server", true
	}
	return fmt.Sprintf("%stokens come from %s", what, strings.Join(servers, ", ")), true
}

// httpClient returns one that sends no credentials and follows nobody, and what
// ends its connections.
func (w *way) httpClient() (client *http.Client, done func()) {
	client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if w.transport == nil {
		client.Transport = w.x.opts.Client.HTTPClient.Transport
		return client, func() {}
	}
	own := w.transport.Clone()
	client.Transport = own
	return client, own.CloseIdleConnections
}
