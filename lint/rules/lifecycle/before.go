package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// A prelude is what a server has sent before a client was ready for it.
type prelude struct {
	answer         *lint.Message   // to initialize
	beforeAnswer   []*lint.Message // requests and notifications
	beforeReady    []*lint.Message // those between the answer and initialized
	ready, waiting bool            // initialized was sent; or at least held back
}

// preludeOf reads the beginning of a legacy talk. Its answer is nil if there was
// no handshake.
func preludeOf(t *lint.Talk) prelude {
	p := prelude{waiting: t.Step(step.Linger, step.BeforeInitialized) != nil}
	for _, m := range t.Messages() {
		switch {
		case !m.FromServer && m.MethodName() == mcp.NotifyInitialized:
			p.ready = true
			return p
		case m.FromServer && m.Kind == lint.Response && m.MethodName() == mcp.MethodInitialize:
			p.answer = m
		case !m.FromServer || m.Kind != lint.Request && m.Kind != lint.Notification:
		case p.answer == nil:
			p.beforeAnswer = append(p.beforeAnswer, m)
		default:
			p.beforeReady = append(p.beforeReady, m)
		}
	}
	return p
}

// preludes are those of talks that begin as they should.
func preludes(v *lint.View) []prelude {
	var all []prelude
	for _, t := range v.Talks(step.Main, step.Version, step.Bare) {
		if p := preludeOf(t); p.answer != nil {
			all = append(all, p)
		}
	}
	return all
}
