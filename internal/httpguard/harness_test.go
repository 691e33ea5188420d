package httpguard

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
)

// rows reads a table of testdata: fields between tabs, // before comments.
func rows(t testing.TB, file string, fields int) [][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var table [][]string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "//") {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != fields {
			t.Fatalf("%s: %q has %d fields, want %d", file, line, len(row), fields)
		}
		table = append(table, row)
	}
	return table
}

// unquoteAll reads quoted strings with spaces between them.
func unquoteAll(t testing.TB, s string) []string {
	t.Helper()
	var list []string
	for s != "" {
		prefix, err := strconv.QuotedPrefix(s)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		value, err := strconv.Unquote(prefix)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		list = append(list, value)
		s = strings.TrimPrefix(s[len(prefix):], " ")
	}
	return list
}

// must unwraps what a constructor returns.
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// served is the handler behind the guards.
var served = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "served") })

// start runs a server with guards around inner, the first one outermost.
func start(t testing.TB, inner http.Handler, guards ...Middleware) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(stack(inner, guards...))
	t.Cleanup(server.Close)
	return server
}

func stack(inner http.Handler, guards ...Middleware) http.Handler {
	for i := len(guards) - 1; i >= 0; i-- {
		inner = guards[i](inner)
	}
	return inner
}

type reply struct {
	status int
	header http.Header
	body   string
}

// send sends a request with headers given as "Name: value".
func send(t testing.TB, method, url string, headers ...string) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		if name == "Host" {
			r.Host = value
		} else {
			r.Header.Add(name, value)
		}
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	return readReply(t, response)
}

// sendRaw writes lines as they are, for what no good client sends.
func sendRaw(t testing.TB, server *httptest.Server, lines ...string) reply {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, strings.Join(lines, "\r\n")+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return readReply(t, response)
}

func readReply(t testing.TB, response *http.Response) reply {
	t.Helper()
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, string(body)}
}

// isRefusal checks the form of a refusal's body.
func isRefusal(t testing.TB, got reply, status int, message string) {
	t.Helper()
	want := fmt.Sprintf(`{"jsonrpc":"2.0","error":{"code":%d,"message":%q}}`, status, message)
	if got.status != status || got.body != want || !json.Valid([]byte(got.body)) {
		t.Errorf("answer is %d %s, want %d %s", got.status, got.body, status, want)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
	} {
		if got.header.Get(name) != value {
			t.Errorf("refusal has %s %q, want %q", name, got.header.Get(name), value)
		}
	}
}
