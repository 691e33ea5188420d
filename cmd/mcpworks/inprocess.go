package main

import (
	"bytes"
	"io"
	"net/http"
)

// inProcess is the way to a backend that is part of this program: its handler
// is called, and no port is opened.
type inProcess struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := &recorded{header: http.Header{}, status: http.StatusOK}
	t.handler.ServeHTTP(answer, r)
	return &http.Response{
		StatusCode: answer.status, Header: answer.header, Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		ContentLength: int64(answer.body.Len()), Body: io.NopCloser(&answer.body),
	}, nil
}

// recorded is a response in memory.
type recorded struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorded) Header() http.Header         { return r.header }
func (r *recorded) WriteHeader(status int)      { r.status = status }
func (r *recorded) Write(p []byte) (int, error) { return r.body.Write(p) }
