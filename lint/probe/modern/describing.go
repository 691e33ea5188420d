package modern

import (
	"context"
	"fmt"

	"mcpworks/internal/rawjson"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// describe sends requests that describe themselves wrongly, or ask for what is no
// more.
func describe(ctx context.Context, s *wire.Server) {
	t := open(ctx, s, step.Describing)
	defer t.Close()
	nameVersions(s, t)
	askForRemoved(s, t)
	if s.Modern().Declares("logging") {
		wantLogs(s, t)
	}
	leaveOutMeta(t)
}

// nameVersions names a version that never was, before and after the server has
// been asked properly. Some servers look at the version until they are sure of
// the era, which server/discover alone does not make them.
func nameVersions(s *wire.Server, t *wire.Talk) {
	unknown := `{"_meta":` + wire.MetaOf(step.UnknownVersion, wire.DefaultClient, "") + `}`
	askFirst(s, t, step.UnsupportedVersion, mcp.MethodDiscover, mcp.MethodDiscover, unknown)
	t.Discover()
	method := usual(s.Modern())
	t.Ask(step.List, method, method, "")
	t.Ask(step.UnsupportedVersion, method, method, unknown)
}

// leaveOutMeta leaves out a part of what each request has to say. What looks like
// a legacy request comes last: a server may take it for one, and stay with that.
func leaveOutMeta(t *wire.Talk) {
	for _, form := range []struct{ name, key string }{
		{step.NoClientInfo, mcp.MetaClientInfo},
		{step.NoCapabilities, mcp.MetaClientCapabilities},
		{step.NoVersion, mcp.MetaProtocolVersion},
	} {
		t.Ask(step.MetaForm, form.name, mcp.MethodDiscover, `{"_meta":`+without(t.Meta(""), form.key)+`}`)
	}
	const id = `"no-meta"`
	t.Step(step.MetaForm, step.NoMeta)
	t.Send([]byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + mcp.MethodDiscover + `","params":{}}`))
	t.Await(id)
}

// without is an object without one of its members.
func without(object, key string) string {
	o := rawjson.Begin(nil)
	for name, value := range rawjson.Members([]byte(object)) {
		if string(name) != key {
			o.Raw(string(name), value)
		}
	}
	return string(o.End())
}

// askForRemoved asks for what only earlier revisions have.
func askForRemoved(s *wire.Server, t *wire.Talk) {
	uri := firstResource(s.Modern())
	if uri == "" {
		uri = step.UnknownURI
	}
	resource := `{"uri":` + string(rawjson.AppendString(nil, uri)) + `}`
	for _, removed := range []struct{ method, params string }{
		{mcp.MethodPing, ""},
		{mcp.MethodSetLevel, `{"level":"error"}`},
		{mcp.MethodSubscribe, resource},
		{mcp.MethodUnsubscribe, resource},
		{"tasks/list", ""},
		{"tasks/result", `{"taskId":"mcplint-no-task"}`},
	} {
		t.Ask(step.RemovedMethod, removed.method, removed.method, removed.params)
	}
}

// wantLogs asks for log messages: only the gravest first, so that those of other
// requests cannot be mistaken for them.
func wantLogs(s *wire.Server, t *wire.Talk) {
	method := usual(s.Modern())
	with := func(level string) string {
		return `{"_meta":` + t.Meta(fmt.Sprintf("%q:%q", mcp.MetaLogLevel, level)) + `}`
	}
	for _, level := range []mcp.Level{mcp.LevelEmergency, mcp.LevelDebug} {
		t.Ask(step.LogLevel, level.String(), method, with(level.String()))
	}
	t.Ask(step.LogLevelBad, "", method, with("loud"))
}
