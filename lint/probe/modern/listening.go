package modern

import (
	"context"
	"net/http"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// How long subscriptions are waited for: until both are acknowledged or refused,
// and a moment longer for what follows.
const (
	hearing  = 2 * time.Second
	glance   = 25 * time.Millisecond
	listened = 100 * time.Millisecond
)

// listen opens two subscriptions, listens to both, and ends them.
func listen(ctx context.Context, s *wire.Server) {
	t := open(ctx, s, step.Listening)
	defer t.Close()
	t.Discover() // so that the time to start is no part of what follows
	endAll := subscribe(s, t, step.ListenAll, `"mcplint-all"`, everything(s.Modern()))
	endOne := subscribe(s, t, step.ListenOne, "7001", oneKind(s.Modern()))
	for waited := time.Duration(0); waited < hearing && !heard(t.Snapshot()) && !t.Failed(); waited += glance {
		t.Wait(glance)
	}
	t.Wait(listened)
	endOne()
	endAll()
}

// subscribe is a step: it opens a subscription. What it returns ends it.
func subscribe(s *wire.Server, t *wire.Talk, form, id, filter string) (end func()) {
	t.Step(step.Listen, form)
	frame := t.RequestAs(id, mcp.MethodListen, `{"notifications":`+filter+`}`)
	if s.Transport() != wire.Stdio {
		_, end = t.Background(wire.Request{Method: http.MethodPost, Body: frame})
		return end
	}
	t.Send(frame)
	return func() { t.Tell(step.Unlisten, form, mcp.NotifyCancelled, `{"requestId":`+id+`}`) }
}

// everything is a filter for all that there is.
func everything(main *lint.Talk) string {
	o := rawjson.Begin(nil)
	for _, kind := range listKinds {
		o.Bool(kind.member, true)
	}
	if uri := firstResource(main); uri != "" {
		o.Strings("resourceSubscriptions", []string{uri})
	}
	return string(o.End())
}

// oneKind is a filter for the first kind that the server declares, or for that of
// tools.
func oneKind(main *lint.Talk) string {
	for _, kind := range listKinds {
		if main.Declares(kind.flag) {
			return `{"` + kind.member + `":true}`
		}
	}
	return `{"` + listKinds[0].member + `":true}`
}

// The members of a filter that are for lists, with the flags of capabilities that
// promise them.
var listKinds = []struct{ member, flag string }{
	{"toolsListChanged", "tools.listChanged"},
	{"promptsListChanged", "prompts.listChanged"},
	{"resourcesListChanged", "resources.listChanged"},
}

// heard says whether both subscriptions are acknowledged, or refused.
func heard(t *lint.Talk) bool {
	n := 0
	for _, m := range t.Messages() {
		if m.FromServer && (m.MethodName() == mcp.NotifyAcknowledged || m.Kind == lint.Response && m.MethodName() == mcp.MethodListen) {
			n++
		}
	}
	return n >= 2
}
