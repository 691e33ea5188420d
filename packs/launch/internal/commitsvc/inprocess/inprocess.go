// Package inprocess lets an HTTP client talk to a handler of the same process,
// without a socket in between. The handler sees the context of the request.
package inprocess

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
)

// Transport returns a transport that has the handler answer every request,
// whatever its address.
func Transport(handler http.Handler) http.RoundTripper { return transport{handler} }

type transport struct{ handler http.Handler }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	incoming := r.Clone(r.Context())
	incoming.RequestURI = r.URL.RequestURI()
	incoming.RemoteAddr = "127.0.0.1:0"
	if incoming.Host == "" {
		incoming.Host = r.URL.Host
	}
	if incoming.Body == nil {
		incoming.Body = http.NoBody
	}
	answer := &answer{header: http.Header{}}
	t.handler.ServeHTTP(answer, incoming)
	answer.WriteHeader(http.StatusOK)
	return &http.Response{
		Status: fmt.Sprintf("%d %s", answer.status, http.StatusText(answer.status)), StatusCode: answer.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: answer.sent, Request: r,
		Body: io.NopCloser(&answer.body), ContentLength: int64(answer.body.Len()),
	}, nil
}

// An answer is what a handler has written.
type answer struct {
	header, sent http.Header
	status       int // 0 until the header is written
	body         bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status, a.sent = status, a.header.Clone()
	}
}

func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}
