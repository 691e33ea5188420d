package streamable_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"mcpworks/mcp"
)

// A memory is a network of pipes, so that a test can run by its own clock and
// fails if a goroutine is left behind: inside synctest.Test only.
type memory struct {
	t      *testing.T
	f      *fixture
	conns  chan net.Conn
	closed chan struct{}
	web    *http.Server
	client *http.Client
}

func newMemory(t *testing.T, o fixtureOptions) *memory {
	m := &memory{t: t, f: newFixture(t, o), conns: make(chan net.Conn), closed: make(chan struct{})}
	m.web = &http.Server{Handler: m.f.handler}
	served := make(chan error, 1)
	go func() { served <- m.web.Serve(m) }()
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return m.dial(), nil }}
	m.client = &http.Client{Transport: transport}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		m.f.handler.Close()
		_ = m.web.Close()
		<-served
	})
	return m
}

func (m *memory) dial() net.Conn {
	ours, theirs := net.Pipe()
	select {
	case m.conns <- theirs:
	case <-m.closed:
		_ = ours.Close()
	}
	return ours
}

// Accept, Close and Addr implement net.Listener.
func (m *memory) Accept() (net.Conn, error) {
	select {
	case conn := <-m.conns:
		return conn, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error {
	select {
	case <-m.closed:
	default:
		close(m.closed)
	}
	return nil
}

func (m *memory) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// A peer sends requests to a fixture: over pipes, or over loopback.
type peer struct {
	t      *testing.T
	client *http.Client
	url    string
	rev    *mcp.Revision
	id     string // of the session
	who    string
}

func (m *memory) peer(rev *mcp.Revision) *peer {
	return &peer{t: m.t, client: m.client, url: "http://127.0.0.1/", rev: rev}
}

// A heard is a response of which the body is still to be read.
type heard struct {
	*http.Response
	lines  *bufio.Reader
	hangUp context.CancelFunc
}

// send makes the request that the peer's revision makes of a body.
func (p *peer) send(method, body string, headers ...string) *heard {
	p.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, method, p.url, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	p.describe(req, body)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	response, err := p.client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	return &heard{response, bufio.NewReader(response.Body), cancel}
}

func (p *peer) describe(req *http.Request, body string) {
	h := req.Header
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	h.Set("Principal", p.who)
	if !p.rev.Modern {
		if p.id != "" {
			h.Set("Mcp-Session-Id", p.id)
			h.Set("Mcp-Protocol-Version", p.rev.Version)
		}
		return
	}
	var m struct {
		Method string
		Params struct{ Name string }
	}
	if json.Unmarshal([]byte(body), &m) == nil {
		h.Set("Mcp-Protocol-Version", p.rev.Version)
		h.Set("Mcp-Method", m.Method)
		h.Set("Mcp-Name", m.Params.Name)
	}
}

// call is the body of a tools/call, with a progress token.
func (p *peer) call(id int, tool, arguments string) string {
	meta := `"progressToken":"t"`
	if p.rev.Modern {
		meta += `,"io.modelcontextprotocol/protocolVersion":"` + p.rev.Version + `","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"error"`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{%s}}}`, id, tool, arguments, meta)
}

// initialize opens a session, or fails the test.
func (p *peer) initialize() {
	p.t.Helper()
	r := p.tryInitialize()
	if p.id = r.Header.Get("Mcp-Session-Id"); r.StatusCode != http.StatusOK || p.id == "" {
		p.t.Fatalf("initialize: %s", r.Status)
	}
	r = p.send(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	r.wantStatus(p.t, http.StatusAccepted)
}

func (p *peer) tryInitialize() *heard {
	p.id = ""
	r := p.send(http.MethodPost, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+p.rev.Version+
		`","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}`)
	r.rest()
	return r
}

// wantStatus checks the status and reads the body to its end.
func (r *heard) wantStatus(t *testing.T, want int) {
	t.Helper()
	if r.StatusCode != want {
		t.Errorf("status %d, want %d", r.StatusCode, want)
	}
	r.rest()
}

func (r *heard) rest() string {
	body, _ := io.ReadAll(r.lines)
	_ = r.Body.Close()
	r.hangUp()
	return string(body)
}

// messages reads so many events that carry one, or all up to the end.
func (r *heard) messages(count int) (data, ids []string) {
	for count < 0 || len(data) < count {
		ev, err := readEvent(r.lines)
		if err != nil {
			return data, ids
		}
		if ev.data != "" {
			data, ids = append(data, ev.data), append(ids, ev.id)
		}
	}
	return data, ids
}

func (p *peer) ping() int {
	p.t.Helper()
	r := p.send(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	r.rest()
	return r.StatusCode
}
