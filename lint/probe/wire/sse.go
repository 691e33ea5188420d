package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"mcpworks/lint"
	"mcpworks/mcp/transport/eventstream"
	"mcpworks/mcp/transport/origin"
)

// endpointPatience is how long the first event of a stream may take (A7.4.1).
const endpointPatience = 10 * time.Second

// A stream carries frames in requests to an endpoint; everything comes back on
// the one stream that named it.
type stream struct {
	t        *Talk
	endpoint string
	ended    chan struct{}
	last     <-chan struct{} // closed when the last message has arrived; nil before one was sent
}

// openStream opens the stream and waits for its endpoint.
func (t *Talk) openStream() (carrier, error) {
	c := &stream{t: t, ended: make(chan struct{})}
	r := Request{Method: http.MethodGet, Limit: time.Hour, Hold: time.Hour}
	x := t.exchange(&r)
	named := make(chan string, 1)
	t.work.Go(func() {
		defer close(c.ended)
		c.listen(x, &r, named)
	})
	timer := time.NewTimer(min(endpointPatience, t.s.Startup()))
	defer timer.Stop()
	select {
	case where := <-named:
		endpoint, err := t.s.url.Parse(where)
		if err != nil {
			return nil, fmt.Errorf("the endpoint %q is no address", where)
		}
		if !origin.Same(endpoint, t.s.url) {
			return nil, fmt.Errorf("the endpoint is at another origin, %s", (&url.URL{Scheme: endpoint.Scheme, Host: endpoint.Host}).String())
		}
		c.endpoint = endpoint.String()
		return c, nil
	case <-c.ended:
		return nil, c.failure(x)
	case <-timer.C:
		return nil, errors.New("the stream did not begin with an endpoint")
	case <-t.ctx.Done():
		return nil, context.Cause(t.ctx)
	}
}

func (c *stream) failure(x *lint.Exchange) error {
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	switch {
	case x.Err != "":
		return errors.New(x.Err)
	case x.Status != http.StatusOK:
		return fmt.Errorf("the stream was refused with HTTP status %d", x.Status)
	}
	return errors.New("the stream ended before it named an endpoint")
}

// listen reads the stream to its end.
func (c *stream) listen(x *lint.Exchange, r *Request, named chan<- string) {
	t := c.t
	begin := time.Now()
	response, err := t.roundTrip(t.ctx, r)
	if err != nil {
		t.change(func() { x.Err = t.s.redactor.String(reasonOf(err)) })
		return
	}
	defer response.Body.Close()
	defer t.change(func() { x.Answer = t.s.redactor.Bytes(x.Answer) })
	t.change(func() {
		x.Status, x.Response, x.Head = response.StatusCode, t.shown(response.Header), max(time.Since(begin), 1)
	})
	b := &body{t: t, x: x, begin: begin, wanted: time.Hour, cancel: func() {}}
	if response.StatusCode != http.StatusOK || x.Type() != "text/event-stream" {
		_, _ = io.Copy(io.Discard, io.LimitReader(&tee{b: b, in: response.Body}, 64<<10)) // for the record
		return
	}
	reader := eventstream.NewReader(&tee{b: b, in: response.Body}, t.s.largestMessage())
	for {
		event, err := reader.Next()
		if err != nil {
			break
		}
		t.change(func() { x.Times = append(x.Times, max(time.Since(begin), 1)) })
		if b.isFlood() {
			break
		}
		if event.Type == "endpoint" {
			t.change(func() { x.Answered = max(time.Since(begin), 1) })
			select {
			case named <- string(event.Data):
			default:
			}
			continue
		}
		t.deliver(event.Data, nil)
	}
	t.change(func() { x.End = max(time.Since(begin), 1) })
	t.left("the stream ended")
}

func (c *stream) send(frame []byte) error {
	done := c.t.post(Request{Method: http.MethodPost, URL: c.endpoint, Body: frame})
	c.t.change(func() { c.last = done })
	return nil
}

// Endpoint is where messages go over HTTP+SSE; empty otherwise.
func (t *Talk) Endpoint() string {
	if c, ok := t.line.(*stream); ok {
		return c.endpoint
	}
	return ""
}

// close gives what was sent a moment to arrive and ends the stream.
func (c *stream) close() {
	c.t.mu.Lock()
	last := c.last
	c.t.mu.Unlock()
	if last != nil { // its answer may have overtaken it
		timer := time.NewTimer(time.Second)
		defer timer.Stop()
		select {
		case <-last:
		case <-timer.C:
		case <-c.t.ctx.Done():
		}
	}
	c.t.cancel()
	<-c.ended
}
