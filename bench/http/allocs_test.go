//go:build !race

// Under the race detector pools forget at random, and allocations say nothing.

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"mcpworks/bench/internal/echo"
	"mcpworks/bench/internal/rawhttp"
	"mcpworks/internal/httpguard"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/streamable"
)

// ways are the ways to call our server. A small call may make most allocations
// in the whole process of a server, net/http and the guards included. The aim
// is 60 for all: lower what is above when the core gets there.
var ways = []struct {
	name, peer, mode string
	most             float64
}{
	{"Modern", "mcpworks", stateless, 60},
	{"Legacy", "mcpworks-legacy", stateless, 60},
	{"Session", "mcpworks", session, 60},
}

// The client allocates nothing (bench/internal/rawhttp has a test for that), so
// what the process allocates is the server's.
func TestAllocationsOfASmallCall(t *testing.T) {
	for _, way := range ways {
		c := dialServed(t, way.peer, way.mode)
		allocs := testing.AllocsPerRun(1000, func() { call(t, c) })
		t.Logf("%s: %g allocations per call", way.name, allocs)
		if allocs > way.most {
			t.Errorf("%s: %g allocations per call, want %g at the most", way.name, allocs, way.most)
		}
	}
}

// BenchmarkServed makes small calls over a connection to a real server.
func BenchmarkServed(b *testing.B) {
	for _, way := range ways {
		b.Run(way.name, func(b *testing.B) {
			c := dialServed(b, way.peer, way.mode)
			b.ReportAllocs()
			for b.Loop() {
				call(b, c)
			}
		})
	}
}

// BenchmarkHandler makes the same calls without net/http around the handler.
func BenchmarkHandler(b *testing.B) {
	for _, way := range ways {
		b.Run(way.name, func(b *testing.B) {
			h := newHandler(b, way.peer)
			w := &discard{header: http.Header{}}
			body := bytes.NewReader(nil)
			request, message := parseRequest(b, render(b, h, way.peer, way.mode))
			request.Body = io.NopCloser(body)
			b.ReportAllocs()
			for b.Loop() {
				body.Reset(message)
				clear(w.header)
				h.ServeHTTP(w, request)
				if w.status != http.StatusOK {
					b.Fatalf("status %d", w.status)
				}
			}
		})
	}
}

func newHandler(t testing.TB, peer string) *streamable.Handler {
	srv, err := server.New(server.Options{
		Info: mcp.Implementation{Name: "bench", Version: "0"},
		Tools: []server.Tool{{
			Tool: mcp.Tool{
				Name: "echo", Description: "Returns the given text.",
				InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
			},
			Handler: func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				return mcp.TextResult(call.Arguments["text"].(string)), nil
			},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	h := streamable.New(srv, streamable.Options{Stateless: parseTarget(peer).legacy})
	t.Cleanup(h.Close)
	return h
}

// serve starts a server as the peers do and returns its address.
func serve(t testing.TB, h http.Handler) string {
	host, err := httpguard.Host(httpguard.HostConfig{})
	if err != nil {
		t.Fatal(err)
	}
	origin, err := httpguard.Origin(httpguard.OriginConfig{})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", host(origin(h)))
	s := httptest.NewUnstartedServer(mux)
	s.Config.ReadHeaderTimeout = 10 * time.Second
	s.Start()
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

func dialServed(t testing.TB, peer, mode string) *caller {
	return dial(t, serve(t, newHandler(t, peer)), peer, mode)
}

func dial(t testing.TB, address, peer, mode string) *caller {
	conn, err := rawhttp.Dial(address, time.Now().Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	form := parseTarget(peer).form(address)
	if mode == session {
		if form, err = open(conn, address); err != nil {
			t.Fatal(err)
		}
	}
	return &caller{conn: conn, requests: echo.NewRequests(form, 1, echo.MinText, 0, 1), answers: echo.NewAnswers(echo.MinText)}
}

func call(t testing.TB, c *caller) {
	if err := c.once(); err != nil {
		t.Fatal(err)
	}
}

// render returns a small call as it is sent, in a session that was opened over
// a connection of its own if the mode wants one.
func render(t testing.TB, h http.Handler, peer, mode string) []byte {
	request, _ := dial(t, serve(t, h), peer, mode).requests.One()
	return request
}

func parseRequest(t testing.TB, rendered []byte) (r *http.Request, message []byte) {
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(rendered)))
	if err != nil {
		t.Fatal(err)
	}
	message, err = io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r, message
}

// discard is a response that nobody reads.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(status int)      { d.status = status }
