package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"mcpworks/mcp/client"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/sse"
	"mcpworks/mcp/transport/stdio"
	"mcpworks/mcp/transport/streamable"
)

// patient is for tests that fail.
const patient = 20 * time.Second

// within is a context that ends.
func within(t testing.TB, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// A way brings a client to a server that runs until the test ends.
type way struct {
	name   string
	modern bool // it can carry modern revisions
	target func(testing.TB, *server.Server) client.Target
}

var ways = []way{
	{"pair", true, func(t testing.TB, srv *server.Server) client.Target {
		return serve(t, srv, transport.Pair)
	}},
	{"pipes", true, func(t testing.TB, srv *server.Server) client.Target {
		return serve(t, srv, pipes)
	}},
	{"http", true, func(t testing.TB, srv *server.Server) client.Target {
		return client.URL(serveHTTP(t, srv) + "/mcp")
	}},
	{"sse", false, func(t testing.TB, srv *server.Server) client.Target {
		return client.URL(serveHTTP(t, srv) + "/sse")
	}},
}

func pipes() (transport.Conn, transport.Conn) {
	in, serverOut := io.Pipe()
	serverIn, out := io.Pipe()
	return stdio.New(in, out, stdio.Options{}), stdio.New(serverIn, serverOut, stdio.Options{})
}

// serve runs a server on the other end of a connection until that is closed.
func serve(t testing.TB, srv *server.Server, ends func() (transport.Conn, transport.Conn)) client.Target {
	t.Helper()
	clientEnd, serverEnd := ends()
	served := make(chan error, 1)
	go func() { served <- srv.Serve(context.Background(), serverEnd) }()
	t.Cleanup(func() {
		if err := <-served; err != nil && !errors.Is(err, transport.ErrGone) { // which is a client that does not wait for answers
			t.Errorf("Serve returned %v", err)
		}
	})
	return client.Over(client.LineOf(clientEnd))
}

// serveHTTP serves both HTTP transports and returns their address.
func serveHTTP(t testing.TB, srv *server.Server) string {
	t.Helper()
	endpoint, events := streamable.New(srv, streamable.Options{}), sse.New(srv, sse.Options{})
	mux := http.NewServeMux()
	mux.Handle("/mcp", endpoint)
	mux.Handle("/sse", events)
	web := httptest.NewServer(mux)
	t.Cleanup(func() {
		endpoint.Close()
		events.Close()
		web.Close() // waits for all requests
	})
	return web.URL
}

// connect opens a session that is closed with the test.
func connect(t testing.TB, target client.Target, opts client.Options) *client.Session {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	defer cancel()
	s, err := client.Connect(ctx, target, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}
