package client

import (
	"net/http"
	"time"

	"mcpworks/internal/secret"
)

// An observer is a round tripper that records what passes.
type observer struct {
	next http.RoundTripper
	rec  *recording
}

// observed returns the HTTP client to use, with its exchanges recorded. Without
// a recorder that is the given one, and nil for the line's own. idle drops the
// connections that are nobody else's.
func (r *recording) observed(client *http.Client) (observed *http.Client, idle func()) {
	if r.to == nil {
		return client, func() {}
	}
	seen := http.Client{}
	if client != nil {
		seen = *client
	}
	next, idle := seen.Transport, func() {}
	switch {
	case client == nil:
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.DisableCompression = true // it holds back events
		next, idle = own, own.CloseIdleConnections
	case next == nil:
		next = http.DefaultTransport
	}
	seen.Transport = &observer{next, r}
	return &seen, idle
}

// RoundTrip implements http.RoundTripper.
func (o *observer) RoundTrip(request *http.Request) (*http.Response, error) {
	x := &Exchange{Method: request.Method, URL: o.rec.redact(request.URL.Redacted()), Request: o.rec.headers(request.Header)}
	begin := time.Now()
	response, err := o.next.RoundTrip(request)
	x.Took = time.Since(begin)
	if err != nil {
		x.Err = o.rec.redact(err.Error())
	} else {
		x.Status, x.Proto, x.Response = response.StatusCode, response.Proto, o.rec.headers(response.Header)
	}
	o.rec.record(Event{Kind: Exchanged, HTTP: x})
	return response, err
}

// headers returns a copy without credentials.
func (r *recording) headers(header http.Header) http.Header {
	clean := header.Clone()
	for name, values := range clean {
		for i := range values {
			if isRevealing(name) {
				values[i] = secret.Redacted
			} else {
				values[i] = r.redact(values[i])
			}
		}
	}
	return clean
}
