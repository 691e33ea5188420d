package contextengine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mcpworks/mcp"
	"mcpworks/mcp/transport"
	"mcpworks/packs/contextengine"

	"github.com/google/go-cmp/cmp"
)

// A reply is one answer of the server.
type reply struct {
	raw    string
	ID     int
	Result struct {
		Content           []struct{ Type, Text string }
		StructuredContent json.RawMessage
		IsError           bool
		Tools             []json.RawMessage
	}
	Error *struct {
		Code    int
		Message string
	}
}

func (r reply) text() string {
	if len(r.Result.Content) != 1 {
		return r.raw
	}
	return r.Result.Content[0].Text
}

// A modern conversation is one with the server of every revision.
type modern struct {
	t    testing.TB
	conn transport.Conn
	rev  *mcp.Revision
	sent int
}

func openModern(t testing.TB, cfg contextengine.Config, revision string) *modern {
	t.Helper()
	srv, err := newEngine(t, cfg).Server()
	if err != nil {
		t.Fatal(err)
	}
	near, far := transport.Pair()
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ctx, far) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Errorf("serving ended with %v", err)
		}
		near.Close(context.Background())
	})
	m := &modern{t: t, conn: near, rev: mcp.RevisionOf(revision)}
	if !m.rev.Modern {
		m.ask("initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"test","version":"0"}}`, revision))
	}
	return m
}

// ask sends a request and waits for its answer.
func (m *modern) ask(method, params string) reply {
	m.t.Helper()
	m.sent++
	if m.rev.Modern {
		meta := fmt.Sprintf(`{"_meta":{%q:%q,%q:{}},`, mcp.MetaProtocolVersion, m.rev.Version, mcp.MetaClientCapabilities)
		params = strings.Replace(strings.Replace(params, "{", meta, 1), ",}", "}", 1)
	}
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, m.sent, method, params)
	if err := m.conn.Write(m.t.Context(), []byte(line)); err != nil {
		m.t.Fatal(err)
	}
	answer, err := m.conn.Read()
	if err != nil {
		m.t.Fatal(err)
	}
	r := reply{raw: string(answer)}
	if err := json.Unmarshal(answer, &r); err != nil || r.ID != m.sent {
		m.t.Fatalf("the answer to %s is %s, %v", line, answer, err)
	}
	return r
}

func (m *modern) call(tool, arguments string) reply {
	m.t.Helper()
	return m.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
}

// frozen returns the text that the frozen face answers to a call, and whether
// it failed.
func frozen(t testing.TB, cfg contextengine.Config, tool, arguments string) (string, bool) {
	t.Helper()
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
	said := converse(t, newV0(t, cfg), line, true)
	var r reply
	if err := json.Unmarshal([]byte(said), &r); err != nil || len(r.Result.Content) != 1 {
		t.Fatalf("the answer to %s is %q, %v", line, said, err)
	}
	return r.text(), r.Result.IsError
}

// Both faces say the same words, whatever the revision; the newer revisions have
// them as structure, too.
func TestEveryRevisionSaysWhatTheFrozenFaceSays(t *testing.T) {
	cfg := contextengine.Config{Root: newRoot(t)}
	calls := []struct{ tool, arguments string }{
		{"context.resolve", `{"cache":"handbook","query":"deployment guide.","budget":4000}`},
		{"context.resolve", `{"cache":"handbook","query":"","budget":0}`},
		{"context.resolve", `{"cache":"handbook","query":"x","budget":-1}`},
		{"context.resolve", `{"cache":"../handbook","query":"x","budget":1}`},
		{"context.resolve", `{"cache":".","query":"x","budget":1}`},
		{"context.resolve", `{}`},
		{"context.list_caches", `{}`},
		{"context.inspect_cache", `{"cache":"handbook"}`},
		{"context.inspect_cache", `{"cache":"."}`},
		{"context.inspect_cache", `{"cache":"nowhere"}`},
	}
	for _, rev := range mcp.Revisions() {
		t.Run(rev.Version, func(t *testing.T) {
			m := openModern(t, cfg, rev.Version)
			for _, c := range calls {
				r := m.call(c.tool, c.arguments)
				text, failed := frozen(t, cfg, c.tool, c.arguments)
				if r.Error != nil || r.text() != text || r.Result.IsError != failed {
					t.Errorf("%s %s: answered %s\nwant the text %q", c.tool, c.arguments, r.raw, text)
				}
				structured := ""
				if rev.Structured && !failed {
					structured = strings.TrimSuffix(text, "\n")
				}
				if got := string(r.Result.StructuredContent); got != structured {
					t.Errorf("%s %s: structured content is %s, want %s", c.tool, c.arguments, got, structured)
				}
			}
		})
	}
}

func TestRankingIsAChoiceOfTheModernFace(t *testing.T) {
	cfg := contextengine.Config{Root: newRoot(t)}
	m := openModern(t, cfg, "2025-06-18")
	const ask = `{"cache":"handbook","query":"guide","budget":4000%s}`
	plain := m.call("context.resolve", fmt.Sprintf(ask, "")).text()
	for _, same := range []string{`,"ranking":"tf-v0"`, `,"ranking":null`} {
		if diff := cmp.Diff(plain, m.call("context.resolve", fmt.Sprintf(ask, same)).text()); diff != "" {
			t.Errorf("with %s (-without +with):\n%s", same, diff)
		}
	}
	other := m.call("context.resolve", fmt.Sprintf(ask, `,"ranking":"bm25-v1"`))
	if other.Result.IsError || !strings.Contains(other.text(), `"ranking":"bm25-v1"`) || strings.Contains(plain, "ranking") {
		t.Errorf("bm25-v1 answers %s\ntf-v0 %s", other.text(), plain)
	}
	for _, bad := range []string{`"tf-v1"`, `""`, `7`, `"TF-V0"`, `["tf-v0"]`} {
		r := m.call("context.resolve", fmt.Sprintf(ask, `,"ranking":`+bad))
		const want = "invalid arguments for context.resolve:\n- /ranking must be one of \"tf-v0\", \"bm25-v1\""
		if !r.Result.IsError || r.text() != want {
			t.Errorf("ranking %s: %s", bad, r.raw)
		}
	}
	// What the contract checks, it checks first.
	if r := m.call("context.resolve", `{"query":"x","budget":1,"ranking":"no"}`); !strings.Contains(r.text(), "cache_missing") {
		t.Errorf("without a cache: %s", r.raw)
	}
}

func TestModernFaceKeepsTheProtocolsManners(t *testing.T) {
	m := openModern(t, contextengine.Config{Root: newRoot(t)}, "2025-06-18")
	if r := m.ask("initialize", `{"protocolVersion":"2025-06-18"}`); r.Error == nil {
		t.Errorf("initialize twice: %s", r.raw)
	}
	if r := m.call("context.nothing", `{}`); r.Error == nil || r.Error.Code != -32602 {
		t.Errorf("unknown tool: %s", r.raw)
	}
	if r := m.ask("resources/list", `{}`); r.Error == nil || r.Error.Code != -32601 {
		t.Errorf("unknown method: %s", r.raw)
	}
}
