package streamable_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/streamable"
)

// TestLineTalksToOurServer is one long conversation, in every revision.
func TestLineTalksToOurServer(t *testing.T) {
	for _, rev := range mcp.Revisions() {
		t.Run(rev.Version, func(t *testing.T) {
			f, web := loopback(t, options(t, streamable.Options{}))
			k := newTalk(t, web.URL, rev, streamable.LineOptions{})
			if !k.CancelsByContext() {
				t.Error("before anything was agreed, nothing but the context cancels")
			}
			k.open()
			if k.CancelsByContext() != rev.Modern {
				t.Errorf("CAN-4: CancelsByContext is %v", k.CancelsByContext())
			}

			answer, before := k.ask(k.tool("echo", `{"text":"☃\n"}`))
			if !strings.Contains(answer, `"☃\n"`) || len(before) > 0 {
				t.Errorf("echo: %s, before it %s", answer, before)
			}
			answer, before = k.ask(k.tool("report", "{}"))
			if !strings.Contains(answer, "reported") || len(before) != 3 {
				t.Errorf("report: %s, before it %s", answer, before)
			}
			answer, _ = k.ask(k.tool("big", `{"size":1000000}`))
			if len(answer) < 1_000_000 {
				t.Errorf("big: %d bytes", len(answer))
			}
			region := k.tool("region", `{"region":" Grüße\n","level":7,"flag":true,"deep":{"er":"=?base64?x?="}}`)
			region.Params = []transport.MirroredParam{{Name: "Region", Value: " Grüße\n"}, {Name: "Level", Value: "7"}, {Name: "Flag", Value: "true"}, {Name: "Deeper", Value: "=?base64?x?="}}
			if answer, _ = k.ask(region); !strings.Contains(answer, "region  Grüße") {
				t.Errorf("MH-7: %s", answer)
			}
			read := k.request(mcp.MethodReadResource, `,"uri":"test://naïve"`)
			read.Name = "test://naïve"
			if answer, _ = k.ask(read); !strings.Contains(answer, `"ï"`) {
				t.Errorf("MH-3: %s", answer)
			}

			k.cancel(f)
			k.hearChanges(f)
			if rev.Elicitation && !rev.Modern {
				k.answerQuestion()
			}
			if rev.Polling {
				k.comeBackLater(f)
			}
			k.hangUp()
			if err := k.Send(t.Context(), k.request(mcp.MethodListTools, "")); !errors.Is(err, transport.ErrClosed) {
				t.Errorf("sending after Close: %v", err)
			}
			if err := k.Close(t.Context()); err != nil {
				t.Errorf("closing twice: %v", err)
			}
		})
	}
}

func TestLineOverHTTP2(t *testing.T) {
	for _, rev := range []*mcp.Revision{mcp.V20260728, mcp.V20251125} {
		f := newFixture(t, options(t, streamable.Options{}))
		web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ProtoMajor != 2 {
				t.Errorf("the protocol is %s", r.Proto)
			}
			f.handler.ServeHTTP(w, r)
		}))
		web.EnableHTTP2 = true
		web.StartTLS()
		k := newTalk(t, web.URL, rev, streamable.LineOptions{Client: web.Client()})
		k.open()
		if answer, before := k.ask(k.tool("report", "{}")); !strings.Contains(answer, "reported") || len(before) != 3 {
			t.Errorf("report: %s, before it %s", answer, before)
		}
		k.cancel(f)
		k.hearChanges(f)
		k.hangUp()
		f.handler.Close()
		web.Close()
		wantNoGoroutines(t)
	}
}

// cancel gives up a request the way its era does it.
func (k *talk) cancel(f *fixture) {
	k.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	held := k.tool("hold", "{}")
	sent := make(chan error, 1)
	go func() { sent <- k.Send(ctx, held) }()
	k.await("progress")
	if held := <-f.events; held != "holding" {
		k.t.Fatal(held)
	}
	stop()
	if err := <-sent; !errors.Is(err, context.Canceled) {
		k.t.Errorf("a request given up: %v", err)
	}
	if !k.rev.Modern { // CAN-3: hanging up is not enough
		cancelled := k.notification(mcp.NotifyCancelled)
		cancelled.Frame = fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, held.ID)
		k.send(cancelled)
	}
	if said := <-f.events; said != "cancelled" {
		k.t.Errorf("the tool was %s", said)
	}
}

// hearChanges receives what no request asked for, or a subscription did.
func (k *talk) hearChanges(f *fixture) {
	k.t.Helper()
	sent := make(chan error, 1)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if k.rev.Modern {
		listen := k.request(mcp.MethodListen, `,"notifications":{"toolsListChanged":true}`)
		go func() { sent <- k.Send(ctx, listen) }()
		k.await(mcp.NotifyAcknowledged)
	}
	if err := f.act("change", "tools"); err != nil {
		k.t.Fatal(err)
	}
	k.await(mcp.NotifyToolsChanged)
	if k.rev.Modern {
		if err := f.act("shutdown", ""); err != nil {
			k.t.Fatal(err)
		}
		if err := <-sent; err != nil {
			k.t.Errorf("SUB-6: %v", err)
		}
		k.await("result")
	}
}

// answerQuestion answers a request of the server on the stream of a call.
func (k *talk) answerQuestion() {
	k.t.Helper()
	call := k.tool("elicit", "{}")
	sent := make(chan error, 1)
	go func() { sent <- k.Send(context.Background(), call) }()
	question, err := jsonrpc.Parse([]byte(k.await(mcp.MethodElicit)))
	if err != nil {
		k.t.Fatal(err)
	}
	frame := append(jsonrpc.AppendResponse(nil, question.ID), `{"action":"accept","content":{"name":"Ann"}}}`...)
	k.send(transport.Outgoing{Frame: frame, ID: question.ID})
	if err := <-sent; err != nil {
		k.t.Fatal(err)
	}
	if answer, _ := k.answerTo(call); !strings.Contains(answer, "accept Ann true") {
		k.t.Errorf("elicit: %s", answer)
	}
}

// comeBackLater has the server close the stream of a call before the answer.
func (k *talk) comeBackLater(f *fixture) {
	k.t.Helper()
	call := k.tool("later", `{"text":"then"}`)
	sent := make(chan error, 1)
	go func() { sent <- k.Send(context.Background(), call) }()
	if said := <-f.events; said != "closed" {
		k.t.Fatal(said)
	}
	f.hold <- struct{}{}
	if err := <-sent; err != nil {
		k.t.Fatalf("HTTP-15: %v", err)
	}
	if answer, before := k.answerTo(call); !strings.Contains(answer, "late then") || len(before) != 1 {
		k.t.Errorf("HTTP-15: %s, before it %s", answer, before)
	}
}

func TestHTTP10CloseEndsTheSession(t *testing.T) {
	_, web := loopback(t, options(t, streamable.Options{}))
	sessions := make(chan string, 100)
	k := newTalk(t, web.URL, mcp.V20251125, streamable.LineOptions{Authorize: func(r *http.Request) error {
		sessions <- r.Header.Get("Mcp-Session-Id")
		return nil
	}})
	k.open()
	if first := <-sessions; first != "" {
		t.Errorf("initialize names a session: %s", first)
	}
	p := newPeer(t, web, mcp.V20251125)
	if p.id = <-sessions; p.ping() != http.StatusOK {
		t.Error("the session is not there")
	}
	k.hangUp()
	if status := p.ping(); status != http.StatusNotFound {
		t.Errorf("after Close: %d", status)
	}
}

// What requests show outside of their messages, in every revision.
func TestLineHeaders(t *testing.T) {
	for _, rev := range mcp.Revisions() {
		t.Run(rev.Version, func(t *testing.T) {
			type shown struct{ Version, Session, Method, Name, Param, Accept, Type, Extra, Token string }
			got := map[string]shown{}
			record := func(key string, r *http.Request) {
				h := r.Header
				got[key] = shown{
					h.Get("Mcp-Protocol-Version"), h.Get("Mcp-Session-Id"), h.Get("Mcp-Method"), h.Get("Mcp-Name"), h.Get("Mcp-Param-Region"),
					h.Get("Accept"), h.Get("Content-Type"), h.Get("Extra"), h.Get("Authorization"),
				}
			}
			news := make(chan struct{})
			s := &script{}
			s.get = func(w http.ResponseWriter, r *http.Request) {
				record("get", r)
				close(news)
				w.WriteHeader(http.StatusMethodNotAllowed)
			}
			s.del = func(_ http.ResponseWriter, r *http.Request) { record("delete", r) }
			s.post = func(w http.ResponseWriter, r *http.Request) {
				body := json.NewDecoder(r.Body)
				var m struct {
					ID     *int
					Method string
				}
				_ = body.Decode(&m)
				record(m.Method, r)
				if m.ID == nil {
					w.WriteHeader(http.StatusAccepted)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%d,"result":{"version":%q}}`, *m.ID, rev.Version)
			}
			k := newTalk(t, on(t, s), rev, streamable.LineOptions{
				Header: http.Header{"Extra": {"yes"}, "Accept": {"nothing"}, "Mcp-Protocol-Version": {"1"}},
				Authorize: func(r *http.Request) error {
					r.Header.Set("Authorization", "Bearer 1")
					return nil
				},
			})
			k.open()
			if !rev.Modern {
				<-news
			}
			call := k.tool("a b", "{}")
			call.Params = []transport.MirroredParam{{Name: "region", Value: "é"}}
			k.ask(call)
			k.send(k.notification("notifications/other"))
			k.hangUp()

			post := shown{Accept: "application/json, text/event-stream", Type: "application/json", Extra: "yes", Token: "Bearer 1"}
			want := map[string]shown{}
			switch {
			case rev.Modern:
				post.Version = rev.Version
				post.Method = mcp.MethodDiscover
				want[mcp.MethodDiscover] = post
				post.Method = "notifications/other"
				want["notifications/other"] = post
				post.Method, post.Name, post.Param = mcp.MethodCallTool, "a b", "=?base64?w6k=?="
				want[mcp.MethodCallTool] = post
			default:
				post.Session = "the-session"
				post.Version = "1" // of the options
				if rev == mcp.V20250618 || rev == mcp.V20251125 {
					post.Version = rev.Version
				}
				want[mcp.MethodCallTool], want["notifications/other"] = post, post
				post.Type, post.Accept = "", "text/event-stream"
				want["get"] = post
				post.Accept = "nothing"
				want["delete"] = post
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// decode reads a header as servers do.
func decode(t interface{ Fatalf(string, ...any) }, value string) string {
	inner, prefixed := strings.CutPrefix(value, "=?base64?")
	inner, suffixed := strings.CutSuffix(inner, "?=")
	if !prefixed || !suffixed {
		return value
	}
	decoded, err := base64.StdEncoding.Strict().DecodeString(inner)
	if err != nil {
		t.Fatalf("%q: %v", value, err)
	}
	return string(decoded)
}
