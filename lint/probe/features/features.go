// Package features asks for what a server offers besides tools, and for what it
// does not: resources, prompts, pages, completion, logging, cancellation. It
// has one talk for each era, of phase step.Probing; package step says what each
// step sends.
package features

import (
	"context"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
)

// Plans are the talks that a server is worth.
func Plans(s *wire.Server) []wire.Plan {
	var plans []wire.Plan
	for _, main := range []*lint.Talk{s.Legacy(), s.Modern()} {
		if main == nil {
			continue
		}
		plans = append(plans, wire.Plan{Phase: step.Probing, Level: lint.Probe, Run: func(ctx context.Context, s *wire.Server) {
			p := &script{Talk: s.Open(ctx, wire.Opening{Phase: step.Probing, Modern: main.Modern}), s: s, main: main}
			defer p.Close()
			p.run()
		}})
	}
	return plans
}

// A script is a talk about what the main talk of its era has shown.
type script struct {
	*wire.Talk
	s    *wire.Server
	main *lint.Talk
}

// run takes all steps. Those about cancellation are the last: some servers do
// not survive them. Logging comes late so that all that is asked before can be
// logged.
func (p *script) run() {
	if p.main.Declares("resources") {
		p.readResources()
		p.climb()
		p.subscribe()
	}
	if p.main.Declares("prompts") {
		p.getPrompts()
	}
	p.turnPages()
	p.complete()
	if p.main.Declares("logging") && !p.main.Modern {
		p.setLevels()
	}
	p.cancel()
}

// items are those of a list in the main talk.
func (p *script) items(method string) []lint.Item { return p.main.Items(step.List, method) }

// object is the text of an object with one string in it.
func object(name, value string) string {
	o := rawjson.Begin(nil)
	o.String(name, value)
	return string(o.End())
}
