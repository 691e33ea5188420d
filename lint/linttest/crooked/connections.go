package crooked

import (
	"bytes"
	"net"
	"net/http"
	"strconv"
	"sync"

	"mcpworks/lint"
	"mcpworks/mcp"
)

// oneRequest refuses the second of two requests on one connection. It knows them
// by what comes before them, which is a request with a foreign Host.
func oneRequest(next http.Handler) http.Handler {
	var mu sync.Mutex
	foreign := map[string]int{} // ids by session
	return picked(func(r *http.Request, body string) bool {
		mu.Lock()
		defer mu.Unlock()
		session, id := r.Header.Get(sessionHeader), idOf(body)
		if r.Host == "evil.example" {
			foreign[session] = id
		}
		return foreign[session] != 0 && id == foreign[session]+2 && methodOf([]byte(body)) == mcp.MethodPing
	}, func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		http.Error(w, "one request is enough", http.StatusConflict)
	})(next)
}

// oneClient refuses a second client. It knows it by a connection of its own, and
// by what comes before it: three requests earlier, one with a version in its
// header that is not that of the body.
func oneClient(next http.Handler) http.Handler {
	var mu sync.Mutex
	differing, known := 0, map[string]bool{}
	return picked(func(r *http.Request, body string) bool {
		mu.Lock()
		defer mu.Unlock()
		before := known[r.RemoteAddr]
		known[r.RemoteAddr] = true
		if r.Header.Get(versionHeader) == "2025-11-25" {
			differing = idOf(body)
		}
		return !before && differing != 0 && idOf(body) == differing+3
	}, func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		http.Error(w, "there is a client already", http.StatusConflict)
	})(next)
}

// idOf is the id of a message, if that is a number.
func idOf(body string) int {
	if !isMessage([]byte(body)) {
		return 0
	}
	id, _ := strconv.Atoi(string(lint.Member([]byte(body), "id")))
	return id
}

// replaced changes the bytes of requests; both texts have the same length.
func replaced(old, by string) func([]byte) {
	return func(incoming []byte) { copy(incoming, bytes.ReplaceAll(incoming, []byte(old), []byte(by))) }
}

// Listen has the connections of a listener go through the fault.
func (f Fault) Listen(l net.Listener) net.Listener {
	if f.Bytes == nil {
		return l
	}
	return bytesListener{l, f.Bytes}
}

type bytesListener struct {
	net.Listener
	change func([]byte)
}

func (l bytesListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &bytesConn{conn, l.change}, nil
}

type bytesConn struct {
	net.Conn
	change func([]byte)
}

func (c *bytesConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.change(p[:n])
	return n, err
}
