package wire

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
	"mcpworks/mcp/transport/eventstream"
)

const (
	// answerBytes is how much of the body of a response is kept for the record.
	// More of it is still understood.
	answerBytes = 16 << 20
	// streamRest is how long a stream may go on after the answer (A7.2.4).
	streamRest = 2 * time.Second
	// redirects is how many of them are followed (A7.1.1).
	redirects = 5
)

// posts carry each frame in a request of its own.
type posts struct{ t *Talk }

// send posts a frame with the headers it should have, and does not wait for the
// response.
func (p *posts) send(frame []byte) error {
	p.t.post(Request{Method: http.MethodPost, Body: frame})
	return nil
}

// post sends a message. Who sends a request waits for its answer anyway; for
// all others the response is waited for here, so that messages keep their order.
// Done is closed when the response has come.
func (t *Talk) post(r Request) (done <-chan struct{}) {
	ended := make(chan struct{})
	if _, ok := isRequest(r.Body); ok {
		x := t.exchange(&r)
		t.work.Go(func() {
			defer close(ended)
			t.perform(x, &r)
		})
		return ended
	}
	defer close(ended)
	r.Limit, r.Hold = t.patience(), noticeHold
	t.perform(t.exchange(&r), &r)
	return ended
}

// noticeHold is how long a stream is listened to that answers what wants no
// answer.
const noticeHold = time.Second

// close ends the session, if there is one.
func (p *posts) close() {
	t := p.t
	t.mu.Lock()
	session := t.head.Get("Mcp-Session-Id")
	t.mu.Unlock()
	if session != "" && t.ctx.Err() == nil {
		request := Request{Method: http.MethodDelete, Limit: 3 * time.Second}
		t.perform(t.exchange(&request), &request)
	}
	t.cancel()
}

// AwaitStreams waits until the streams of answered requests have ended, or are
// open for longer than they may be.
func (t *Talk) AwaitStreams() {
	for t.hasOpenStreams() && !t.Failed() {
		t.Wait(streamRest / 20)
	}
}

func (t *Talk) hasOpenStreams() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.record.Steps {
		for i := range s.Events {
			if x := s.Events[i].HTTP; x != nil && x.Method == http.MethodPost && x.Answered != 0 && x.End == 0 && x.Left == 0 && x.Err == "" {
				return true
			}
		}
	}
	return false
}

// A Request is an HTTP request of any shape.
type Request struct {
	Method string
	URL    string // by default the server's
	// Header adds to the usual fields, or replaces them; a field without values
	// is left out. NoUsual leaves the usual ones out.
	Header  http.Header
	NoUsual bool
	// Host stands in for the name in the URL.
	Host string
	Body []byte
	// Hold is how long a stream is listened to, when no answer is expected from
	// it; by default it is read up to the answer and a little longer.
	Hold time.Duration
	// Limit is how long everything may take; by default as long as a request.
	Limit time.Duration
	// Client stands in for the server's, to have connections of its own.
	Client *http.Client

	hops int // redirects that have led to it
}

// HTTP is a step: one request. It returns when the response has been read, or
// has been listened to for as long as it was wanted.
func (t *Talk) HTTP(name, about string, r Request) *lint.Exchange {
	t.Step(name, about)
	return t.Exchange(r)
}

// Exchange is HTTP within the current step.
func (t *Talk) Exchange(r Request) *lint.Exchange {
	if t.ctx.Err() != nil || t.s.url == nil {
		t.Outcome(lint.NotSent)
		return &lint.Exchange{Err: "not sent", Response: http.Header{}}
	}
	if t.refuses(r.Body) {
		return &lint.Exchange{Err: "not sent", Response: http.Header{}}
	}
	t.change(func() { t.step.Outcome = lint.Done }) // HTTP goes on where a talk has ended
	t.expect(r.Body)
	x := t.exchange(&r)
	t.perform(x, &r)
	t.mu.Lock()
	defer t.mu.Unlock()
	frozen := *x
	return &frozen
}

// Background is Exchange that does not wait; stop ends it.
func (t *Talk) Background(r Request) (x *lint.Exchange, stop func()) {
	if t.ctx.Err() != nil || t.s.url == nil || t.refuses(r.Body) {
		return &lint.Exchange{Err: "not sent", Response: http.Header{}}, func() {}
	}
	t.expect(r.Body)
	ctx, cancel := context.WithCancel(t.ctx)
	x = t.exchange(&r)
	ended := make(chan struct{})
	t.work.Go(func() {
		defer close(ended)
		t.performIn(ctx, x, &r)
	})
	return x, func() { cancel(); <-ended }
}

// Listen opens the stream for what the server says by itself, for as long as the
// talk lasts. It waits until the server has answered, but not for long.
func (t *Talk) Listen() {
	r := Request{Method: http.MethodGet, Hold: time.Hour, Limit: time.Hour}
	x := t.exchange(&r)
	t.work.Go(func() { t.perform(x, &r) })
	for until := time.Now().Add(listenPatience); time.Now().Before(until); t.Wait(listenPatience / 50) {
		t.mu.Lock()
		answered := x.Status != 0 || x.Err != ""
		t.mu.Unlock()
		if answered || t.Failed() {
			return
		}
	}
}

const listenPatience = 500 * time.Millisecond

// exchange begins the record of a request.
func (t *Talk) exchange(r *Request) *lint.Exchange {
	if r.URL == "" {
		r.URL = t.s.url.String()
	}
	header := http.Header{}
	if !r.NoUsual {
		t.usual(header, r)
	}
	for name, values := range r.Header {
		if delete(header, http.CanonicalHeaderKey(name)); len(values) > 0 {
			header[name] = values
		}
	}
	r.Header = header
	x := &lint.Exchange{Method: r.Method, URL: t.s.shownURL(r.URL), Header: t.shown(header), Body: t.s.redactor.Bytes(r.Body), Response: http.Header{}}
	if r.Host != "" {
		x.Header.Set("Host", r.Host)
	}
	t.change(func() { t.keep(len(x.Body)) })
	t.add(lint.Event{HTTP: x})
	return x
}

// usual are the fields of a request by a client as it should be.
func (t *Talk) usual(header http.Header, r *Request) {
	for name, values := range t.s.opts.Client.Header {
		header[http.CanonicalHeaderKey(name)] = values
	}
	t.mu.Lock()
	for name, values := range t.head {
		header[name] = values
	}
	t.mu.Unlock()
	switch r.Method {
	case http.MethodGet:
		header.Set("Accept", "text/event-stream")
	case http.MethodPost:
		header.Set("Content-Type", "application/json")
		if t.opening.Transport == Streamable {
			header.Set("Accept", "application/json, text/event-stream")
		}
		if t.opening.Modern {
			t.usualModern(header, r.Body)
		}
	}
}

// usualModern mirrors a modern message in headers (A7.3.1).
func (t *Talk) usualModern(header http.Header, body []byte) {
	version := t.opening.Version
	if named, ok := lint.Text(lint.Member(body, "params", "_meta", mcp.MetaProtocolVersion)); ok {
		version = named
	}
	header.Set("MCP-Protocol-Version", version)
	if rawjson.Check(body, rawjson.Limits{Depth: 1000}) != nil {
		return
	}
	method, ok := lint.Text(lint.Member(body, "method"))
	if !ok {
		return
	}
	header.Set("Mcp-Method", HeaderValue(method))
	about := map[string]string{mcp.MethodCallTool: "name", mcp.MethodGetPrompt: "name", mcp.MethodReadResource: "uri"}[method]
	if name, ok := lint.Text(lint.Member(body, "params", about)); ok && about != "" {
		header.Set("Mcp-Name", HeaderValue(name))
	}
}

// HeaderValue writes a value as modern headers have it: as it is, or in base64
// where a header could not hold it.
func HeaderValue(value string) string {
	plain := value == strings.TrimSpace(value) && !strings.HasPrefix(value, "=?base64?")
	for i := 0; i < len(value); i++ {
		plain = plain && (value[i] == ' ' || value[i] == '\t' || value[i] > 0x20 && value[i] < 0x7f)
	}
	if plain {
		return value
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(value)) + "?="
}

// shown is a header as it may be recorded.
func (t *Talk) shown(header http.Header) http.Header {
	shown := http.Header{}
	for name, values := range header {
		for _, value := range values {
			switch strings.ToLower(name) {
			case "authorization", "cookie", "set-cookie", "proxy-authorization":
				value = "[redacted]"
			}
			shown.Add(name, t.s.redactor.String(value))
		}
	}
	return shown
}

func (t *Talk) perform(x *lint.Exchange, r *Request) { t.performIn(t.ctx, x, r) }

// performIn sends a request and takes everything that comes of it.
func (t *Talk) performIn(ctx context.Context, x *lint.Exchange, r *Request) {
	limit := r.Limit
	if limit == 0 {
		limit = t.s.opts.Client.Timeouts.Request
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	begin := time.Now()
	response, err := t.roundTrip(ctx, r)
	for tries := 0; err == nil && tries < busyTries && t.waitsOut(ctx, response); tries++ {
		begin = time.Now()
		response, err = t.roundTrip(ctx, r)
	}
	if err != nil {
		t.change(func() { x.Err = t.s.redactor.String(reasonOf(err)) })
		t.refuse(x, r.Body)
		return
	}
	defer response.Body.Close()
	t.change(func() {
		x.Status, x.Response, x.Head = response.StatusCode, t.shown(response.Header), max(time.Since(begin), 1)
	})
	t.noteSession(response, r)
	if next := redirected(r, response); next != nil {
		again := t.exchange(next)
		t.performIn(ctx, again, next)
		return
	}
	id, _ := isRequest(r.Body)
	b := &body{t: t, x: x, begin: begin, id: id, wanted: r.Hold, cancel: cancel}
	b.read(response.Body)
	t.change(func() { x.Answer = t.s.redactor.Bytes(x.Answer) })
	t.refuse(x, r.Body)
}

const (
	// busyTries is how often a busy server is asked again (A7.1.3).
	busyTries = 3
	// busyPatience is the longest that it may ask to wait.
	busyPatience = 10 * time.Second
)

// waitsOut waits for as long as a busy server asks to. Nothing but a note tells
// of it: being busy is no fault.
func (t *Talk) waitsOut(ctx context.Context, response *http.Response) bool {
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return false
	}
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	wait := time.Duration(seconds) * time.Second
	if deadline, ok := ctx.Deadline(); err != nil || wait > busyPatience || ok && time.Until(deadline) < wait {
		return false
	}
	response.Body.Close()
	t.note(fmt.Sprintf("waited %v: the server answered with HTTP status %d", wait, response.StatusCode))
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return true // which the next try will find out
	}
}

func reasonOf(err error) string {
	if wrapped, ok := err.(*url.Error); ok {
		return wrapped.Err.Error()
	}
	return err.Error()
}

func (t *Talk) change(do func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	do()
}

func (t *Talk) roundTrip(ctx context.Context, r *Request) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	if len(r.Body) == 0 {
		request.Body, request.ContentLength = nil, 0
	}
	request.Header = r.Header.Clone()
	if r.NoUsual {
		request.URL.User = nil // which would become a header
	}
	if r.Host != "" {
		request.Host = r.Host
	}
	if authorize := t.s.opts.Client.Authorize; authorize != nil && !r.NoUsual {
		if err := authorize(request); err != nil {
			return nil, err
		}
	}
	sender := t.s.http
	if r.Client != nil {
		sender = r.Client
	}
	return sender.Do(request)
}

// noteSession keeps the session that the answer to initialize opens.
func (t *Talk) noteSession(response *http.Response, r *Request) {
	method, _ := lint.Text(lint.Member(r.Body, "method"))
	session := response.Header.Get("Mcp-Session-Id")
	if method != mcp.MethodInitialize || session == "" || response.StatusCode >= http.StatusMultipleChoices {
		return
	}
	for i := 0; i < len(session); i++ {
		if session[i] < 0x21 || session[i] > 0x7e {
			return
		}
	}
	t.change(func() { t.head.Set("Mcp-Session-Id", session) })
}

// redirected returns the request that follows from a redirect: to the same
// origin, as it was (A7.1.1).
func redirected(r *Request, response *http.Response) *Request {
	keeps := response.StatusCode == http.StatusTemporaryRedirect || response.StatusCode == http.StatusPermanentRedirect
	location, err := response.Location()
	if !keeps || err != nil || r.hops == redirects {
		return nil
	}
	from, err := url.Parse(r.URL)
	if err != nil || from.Scheme != location.Scheme || from.Host != location.Host {
		return nil
	}
	next := *r
	next.URL, next.hops = location.String(), r.hops+1
	return &next
}

// refuse tells those who wait for answers to the body of a request that there
// will be none any more.
func (t *Talk) refuse(x *lint.Exchange, sent []byte) {
	if t.opening.Transport == SSE && x.Status/100 == 2 {
		return // the answer comes on the stream
	}
	if rawjson.Check(sent, rawjson.Limits{Depth: 1000}) != nil {
		return
	}
	messages := [][]byte{sent}
	if rawjson.KindOf(sent) == rawjson.Array {
		messages = nil
		for element := range rawjson.Elements(sent) {
			messages = append(messages, element)
		}
	}
	for _, message := range messages {
		if id, ok := isRequest(message); ok {
			t.change(func() {
				frozen := *x
				if waiting := t.pending[lint.IDKey([]byte(id))]; waiting != nil {
					select {
					case waiting <- &Reply{Lost: true, HTTP: &frozen}:
					default:
					}
				}
			})
		}
	}
}

// A body is a response on its way in.
type body struct {
	t      *Talk
	x      *lint.Exchange
	begin  time.Time
	id     string // of the request, if it was one
	wanted time.Duration
	cancel context.CancelFunc
}

func (b *body) read(in io.Reader) {
	timer := (*time.Timer)(nil)
	if b.wanted > 0 {
		timer = time.AfterFunc(b.wanted, b.cancel)
		defer timer.Stop()
	}
	var err error
	if b.x.Type() == "text/event-stream" {
		err = b.readStream(in)
	} else {
		var whole []byte
		if whole, err = io.ReadAll(io.LimitReader(&tee{b: b, in: in}, int64(b.t.s.largestMessage()))); err == nil {
			b.take(whole)
		}
	}
	b.t.change(func() {
		switch {
		case err == nil || err == io.EOF:
			b.x.End = max(time.Since(b.begin), 1)
		case errors.Is(err, context.Canceled), err == errFlood:
			b.x.Left = max(time.Since(b.begin), 1)
		case b.x.Answered == 0 && b.wanted == 0:
			b.x.Err = b.t.s.redactor.String(reasonOf(err))
		default:
			b.x.Left = max(time.Since(b.begin), 1)
		}
	})
}

func (b *body) readStream(in io.Reader) error {
	reader := eventstream.NewReader(&tee{b: b, in: in}, b.t.s.largestMessage())
	for {
		event, err := reader.Next()
		if err != nil {
			return err
		}
		if b.take(event.Data); b.isFlood() {
			return errFlood
		}
	}
}

var errFlood = errors.New("the server floods the stream")

// isFlood ends the talk with a server that sends more events than can be looked
// at.
func (b *body) isFlood() bool {
	b.t.mu.Lock()
	flood := len(b.x.Times) >= lint.MaxStreamEvents
	b.x.Cut = b.x.Cut || flood
	b.t.mu.Unlock()
	if flood {
		b.t.flooded()
	}
	return flood
}

// take hands on what may be a message, and notes when it and the answer came.
func (b *body) take(data []byte) {
	b.t.change(func() { b.x.Times = append(b.x.Times, max(time.Since(b.begin), 1)) })
	if answer := lint.Member(data, "id"); b.id != "" && string(answer) == b.id && lint.Member(data, "method") == nil {
		b.t.change(func() {
			if b.x.Answered == 0 {
				b.x.Answered = max(time.Since(b.begin), 1)
				if b.wanted == 0 {
					time.AfterFunc(streamRest, b.cancel)
				}
			}
		})
	}
	b.t.deliver(data, b.x)
}

// A tee keeps the beginning of what is read.
type tee struct {
	b  *body
	in io.Reader
}

func (r *tee) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.b.t.change(func() {
		x := r.b.x
		keep := max(0, min(n, answerBytes-len(x.Answer), r.b.t.room()))
		x.Answer = append(x.Answer, p[:keep]...)
		x.Cut = x.Cut || keep < n
		r.b.t.keep(keep)
	})
	return n, err
}
