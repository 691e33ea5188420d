package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/stdio"
)

// What handlers keep for a connection is made once for each, and a modern request
// over HTTP is one by itself.
func TestConnectionsKeepTheirOwn(t *testing.T) {
	made := 0
	type counter struct{ number, calls int }
	srv := oneTool(t, server.Options{Connect: func() any { made++; return &counter{number: made} }},
		func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			own := call.Connection().(*counter)
			own.calls++
			return mcp.TextResult(fmt.Sprint(own.number, ":", own.calls, " ", call.Principal())), nil
		})
	ask := func(session transport.Session, in transport.Incoming) string {
		out := &lastAnswer{}
		in.ID, in.Method, in.Principal = jsonrpc.IntID(1), "tools/call", "someone"
		session.Handle(t.Context(), in, out)
		return out.text
	}
	for number, session := range []transport.Session{srv.Open(nil), srv.Open(nil)} {
		session.Assume(mcp.V20251125)
		for calls := range 3 {
			got := ask(session, transport.Incoming{Message: jsonrpc.Message{Params: []byte(`{"name":"one"}`)}})
			if want := fmt.Sprintf(`"%d:%d someone"`, number+1, calls+1); !strings.Contains(got, want) {
				t.Errorf("want %s, got %s", want, got)
			}
		}
		session.Close()
	}
	for range 2 {
		session := srv.Open(nil)
		meta, err := json.Marshal(modernMeta(map[string]any{}))
		if err != nil {
			t.Fatal(err)
		}
		got := ask(session, transport.Incoming{Modern: true, Message: jsonrpc.Message{Params: []byte(`{"name":"one","_meta":` + string(meta) + `}`)}})
		if want := `"` + strconv.Itoa(made) + `:1 someone"`; !strings.Contains(got, want) {
			t.Errorf("want %s, got %s", want, got)
		}
		session.Close()
	}
	if made != 4 {
		t.Errorf("%d were made", made)
	}
}

// A lastAnswer is an outlet that keeps the answer.
type lastAnswer struct{ text string }

func (a *lastAnswer) Notify(context.Context, []byte) error { return nil }

func (a *lastAnswer) Answer(_ context.Context, msg []byte, _ transport.Outcome) error {
	a.text = string(msg)
	return nil
}

// Resources that come and go are listed behind the others, page by page, without
// a capability that promises news of them; and a look-up that takes its time
// holds up nobody.
func TestListResources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		read := func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
			return nil, server.ErrNotFound
		}
		names, look := []string{"a", "b", "c"}, make(chan struct{})
		srv := newDesk().server(t, server.Options{
			KeepOrder: true, PageSize: 2,
			Resources: []server.Resource{{Resource: mcp.Resource{URI: "x:fixed", Name: "fixed"}, Read: read}},
			ListResources: func(context.Context, *server.Request) (list []mcp.Resource, err error) {
				<-look
				for _, name := range names {
					list = append(list, mcp.Resource{URI: "x:" + name, Name: name})
				}
				return list, nil
			},
		})
		k := startTalk(t, srv, stdio.Options{})
		k.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`)
		if r := k.read(); !strings.Contains(r.raw, `"resources":{}`) {
			t.Errorf("the capabilities are %s", r.raw)
		}
		page := func(id int, cursor string) (uris []string, next string) {
			k.send(`{"jsonrpc":"2.0","id":%d,"method":"resources/list","params":{%s}}`, id, cursor)
			look <- struct{}{}
			var list struct {
				Resources  []struct{ URI string }
				NextCursor string
			}
			if err := json.Unmarshal(k.read().Result, &list); err != nil {
				t.Fatal(err)
			}
			for _, r := range list.Resources {
				uris = append(uris, r.URI)
			}
			return uris, list.NextCursor
		}
		k.send(`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`)
		k.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		k.want(2, "{}")
		look <- struct{}{}
		if r := k.read(); r.id() != "1" {
			t.Errorf("got %s", r.raw)
		}
		first, cursor := page(3, "")
		names = []string{"new", "a", "b", "c"}
		second, end := page(4, `"cursor":"`+cursor+`"`)
		if got := fmt.Sprint(first, second, end); got != "[x:fixed x:a] [x:b x:c]" {
			t.Errorf("the pages are %s", got)
		}
		names = nil
		k.send(`{"jsonrpc":"2.0","id":5,"method":"resources/list","params":{"cursor":"%s"}}`, cursor)
		look <- struct{}{}
		if r := k.read(); r.Error == nil || r.Error.Code != -32602 {
			t.Errorf("a cursor of what is gone: %s", r.raw)
		}
		k.end()
	})
}
