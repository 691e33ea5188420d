package overhttp_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/rules/streamable"
	"mcpworks/mcp"
)

// A careless server looks at nothing but the body, and listens to everybody.
type careless struct {
	modern   bool
	sessions atomic.Int64
}

func (c *careless) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if origin := r.Header.Get("Origin"); origin != "" {
		w.Header().Set("Access-Control-Allow-Origin", origin)
		w.Header().Set("Access-Control-Allow-Credentials", "true")
	}
	body, _ := io.ReadAll(r.Body)
	method, _ := lint.Text(lint.Member(body, "method"))
	id := lint.Member(body, "id")
	switch {
	case r.Method == http.MethodGet:
		io.WriteString(w, "it works")
	case len(body) == 0 || method == "" && strings.Contains(string(body), `"params":{`):
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusInternalServerError)
		io.WriteString(w, "<html>oh no</html>")
	case method == mcp.MethodInitialize && c.modern:
		w.WriteHeader(http.StatusBadRequest)
	case method == mcp.MethodInitialize:
		w.Header().Set("Mcp-Session-Id", fmt.Sprintf("session-%d", c.sessions.Add(1)))
		c.answer(w, id, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"careless","version":"1"}}`)
	case id == nil || method == "":
		io.WriteString(w, "thank you")
	case method == mcp.MethodDiscover && !c.modern:
		w.WriteHeader(http.StatusBadRequest)
	case method == mcp.MethodDiscover:
		w.Header().Set("Mcp-Session-Id", "session")
		c.answer(w, id, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}`)
	default:
		c.answer(w, id, `{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"token":{"type":"number","x-mcp-header":"Token"}}}}]}`)
	}
}

// answer writes a stream, whatever the client accepts.
func (c *careless) answer(w http.ResponseWriter, id []byte, result string) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "event: response\nid: 1\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", id, result)
}

// What is wrong with a server is found, and the evidence has the headers that
// prove it (D2.57, D2.65).
func TestCarelessServer(t *testing.T) {
	for name, test := range map[string]struct {
		server *careless
		broken string
	}{
		"legacy": {&careless{}, "002 003 004 005 007 009 011 013 016 017 018 019 020 021 022 025 026 027 032 033 036 037"},
		"modern": {&careless{modern: true}, "002 005 012 016 017 018 019 020 021 022 025 026 027 036 037 039 040 041 042 044 047 048 050"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := lint.Run(probed(t, everywhere(t, test.server)), streamable.Rules(), lint.Options{})
			var broken []string
			for _, f := range report.Findings {
				broken = append(broken, strings.TrimPrefix(f.RuleID, "HTTP-"))
				if proof := proofs[f.RuleID]; !strings.Contains(f.Evidence.Sent, proof) {
					t.Errorf("the evidence of %s does not have %s:\n%s", f.RuleID, proof, f.Evidence.Sent)
				}
			}
			slices.Sort(broken)
			want := strings.Fields(test.broken)
			if !hasOtherAddress(t) {
				want = slices.DeleteFunc(want, func(id string) bool { return id == "021" })
			}
			if got := slices.Compact(broken); !slices.Equal(got, want) {
				t.Errorf("broken rules\n%v, want\n%v", got, want)
			}
		})
	}
}

// proofs are the headers without which a finding proves nothing.
var proofs = map[string]string{
	"HTTP-013": "Mcp-Protocol-Version: 1999-01-01",
	"HTTP-016": "Accept: application/json\r\n",
	"HTTP-017": "Content-Type: text/plain",
	"HTTP-018": "Origin: http://evil.example",
	"HTTP-019": "Origin: null",
	"HTTP-020": "Host: evil.example",
	"HTTP-022": "Origin: ",
	"HTTP-044": "Mcp-Method: SERVER/DISCOVER",
}

// everywhere serves on all addresses, and returns the URL of the loopback one.
func everywhere(t *testing.T, handler http.Handler) string {
	t.Helper()
	listener, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(handler)
	server.Listener.Close()
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
	return fmt.Sprintf("http://127.0.0.1:%d/mcp", listener.Addr().(*net.TCPAddr).Port)
}

func hasOtherAddress(t *testing.T) bool {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(all, func(a net.Addr) bool {
		network, ok := a.(*net.IPNet)
		return ok && network.IP.IsGlobalUnicast() && network.IP.To4() != nil
	})
}
