package probe

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// eraGrace is how much longer than the legacy handshake a modern server may
// take to answer (A8.3).
const eraGrace = 3 * time.Second

// linger is how long a main talk stays when it has said everything: some servers
// ask the client something a moment after the handshake, and a client that is
// gone by then leaves them waiting.
const linger = 500 * time.Millisecond

// meet opens the main talk of each era, side by side: an era belongs to a
// process (A8.3.2). It returns when both are known and have listed what the
// server has; the talks go on until the returned group is done.
func (p *prober) meet(ctx context.Context) *sync.WaitGroup {
	var mains, known sync.WaitGroup
	legacy := make(chan struct{}) // closed when the legacy handshake is over
	if p.wants(false) {
		known.Add(1)
		mains.Go(func() { p.meetLegacy(ctx, sync.OnceFunc(func() { close(legacy) }), sync.OnceFunc(known.Done)) })
	} else {
		close(legacy)
	}
	if p.wants(true) {
		known.Add(1)
		mains.Go(func() { p.meetModern(ctx, legacy, sync.OnceFunc(known.Done)) })
	}
	known.Wait()
	return &mains
}

func (p *prober) meetLegacy(ctx context.Context, shaken, known func()) {
	defer known()
	defer shaken()
	t := p.openLegacy(ctx)
	shaken()
	if !t.Failed() {
		p.list(t, step.List)
		p.s.Introduce(t)
		known()
		p.list(t, step.ListAgain)
		t.Ask(step.Ping, "", mcp.MethodPing, "")
		t.Step(step.Linger, "")
		t.Wait(linger)
		t.AwaitStreams()
	}
	t.Close()
	p.tell(step.Main)
}

// openLegacy shakes hands. Over HTTP it falls back to the older transport as
// A8.2 has it.
func (p *prober) openLegacy(ctx context.Context) *wire.Talk {
	opening := wire.Opening{Phase: step.Main, Version: p.version(false)}
	t := p.s.Open(ctx, opening)
	if !t.Failed() || p.s.Transport() != wire.Streamable {
		return t
	}
	x := firstExchange(t)
	if isLocked(x) {
		p.locked = true
		t.Rename(step.Locked)
		return t
	}
	if p.opts.Way != 0 || x == nil || !fallsBack(x.Status) {
		return t
	}
	opening.Transport = wire.SSE
	older := p.s.Open(ctx, opening)
	if older.Failed() {
		older.Rename(step.Era)
		older.Close()
		return t
	}
	t.Rename(step.Era)
	t.Close()
	p.s.SetTransport(wire.SSE)
	return older
}

// fallsBack says whether a refusal of initialize may come from a server of the
// older transport.
func fallsBack(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	}
	return status/100 == 4
}

func firstExchange(t *wire.Talk) *lint.Exchange {
	s := t.Snapshot().Step(step.Initialize, "")
	if s == nil {
		return nil
	}
	return s.Exchange()
}

func (p *prober) meetModern(ctx context.Context, legacy <-chan struct{}, known func()) {
	defer known()
	t := p.s.Open(ctx, wire.Opening{Phase: step.Main, Modern: true, Version: p.version(true)})
	if !p.isModern(t, legacy) {
		t.Rename(step.Era)
		t.Close()
		return
	}
	p.list(t, step.List)
	p.s.Introduce(t)
	known()
	p.list(t, step.ListAgain)
	t.Step(step.Linger, "")
	t.AwaitStreams()
	t.Close()
	p.tell(step.Main)
}

// isModern asks in the modern way. A server that does not know server/discover
// may still be modern: then it answers a list (MOD-001).
func (p *prober) isModern(t *wire.Talk, legacy <-chan struct{}) bool {
	reply := p.discover(t, legacy)
	switch {
	case reply.OK() && newestModern(reply.Result) != "":
		t.Adopt(newestModern(reply.Result))
		return true
	case reply.OK() && lint.Member(reply.Result, "supportedVersions") != nil:
		t.Fail(mcp.MethodDiscover + " names no modern version that is known")
		return false
	case reply.Code == mcp.CodeUnsupportedVersion:
		version := newestModern(lint.Member(reply.Error, "data"))
		if version == "" {
			break
		}
		t.Adopt(version)
		return t.Discover().OK()
	case isLocked(reply.HTTP):
		if !p.wants(false) {
			p.locked = true
		}
	case reply.Lost || reply.Silent || p.s.Transport() == wire.SSE:
	default:
		tools := t.Ask(step.EraList, mcp.MethodListTools, mcp.MethodListTools, "")
		return tools.OK() && lint.Member(tools.Result, "resultType") != nil
	}
	t.Fail(fmt.Sprintf("%s %s", mcp.MethodDiscover, refusal(reply)))
	return false
}

// discover waits for the answer until the legacy handshake is over, and a
// little longer.
func (p *prober) discover(t *wire.Talk, legacy <-chan struct{}) *wire.Reply {
	if !p.wants(false) {
		return t.Discover()
	}
	var watching sync.WaitGroup
	defer watching.Wait() // so that it gives up nothing that is asked later
	answered := make(chan struct{})
	defer close(answered)
	watching.Go(func() {
		select {
		case <-answered:
			return
		case <-legacy:
		}
		timer := time.NewTimer(eraGrace)
		defer timer.Stop()
		select {
		case <-answered:
		case <-timer.C:
			t.GiveUp()
		}
	})
	return t.Discover()
}

// newestModern is the newest modern version that an object lists as supported;
// empty if there is none that is known.
func newestModern(object []byte) string {
	listed := lint.Member(object, "supportedVersions")
	if listed == nil {
		listed = lint.Member(object, "supported")
	}
	if rawjson.KindOf(listed) != rawjson.Array {
		return ""
	}
	for _, rev := range mcp.Revisions() {
		for version := range rawjson.Elements(listed) {
			if rev.Modern && rawjson.IsString(version, rev.Version) {
				return rev.Version
			}
		}
	}
	return ""
}

// The lists that a server can have, with the capability they belong to.
var lists = []struct{ method, capability string }{
	{mcp.MethodListTools, "tools"},
	{mcp.MethodListResources, "resources"},
	{mcp.MethodListResourceTemplates, "resources"},
	{mcp.MethodListPrompts, "prompts"},
}

// The most that is read of a list (A11.1).
const (
	maxPages = 1000
	maxItems = 100_000
)

// list reads all lists that the server declares, one step for each page.
func (p *prober) list(t *wire.Talk, name string) {
	talk := t.Snapshot()
	for _, list := range lists {
		if talk.Declares(list.capability) {
			pages(t, name, list.method)
		}
	}
}

// pages reads a list until it ends, or repeats itself.
func pages(t *wire.Talk, name, method string) {
	params, seen, items := "", map[string]bool{}, 0
	for range maxPages {
		reply := t.AskLong(name, method, method, params)
		if !reply.OK() {
			return
		}
		items += strings.Count(string(reply.Result), `"name"`)
		cursor := lint.Member(reply.Result, "nextCursor")
		if rawjson.KindOf(cursor) != rawjson.StringKind || seen[string(cursor)] || items > maxItems {
			return
		}
		seen[string(cursor)] = true
		params = `{"cursor":` + string(cursor) + `}`
	}
}
