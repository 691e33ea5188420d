package probe

import (
	"context"
	"slices"
	"sync"

	"mcpworks/lint/probe/auth"
	"mcpworks/lint/probe/calls"
	"mcpworks/lint/probe/features"
	"mcpworks/lint/probe/lifecycle"
	"mcpworks/lint/probe/manners"
	"mcpworks/lint/probe/modern"
	"mcpworks/lint/probe/oldsse"
	"mcpworks/lint/probe/overhttp"
	"mcpworks/lint/probe/wire"
)

// The most talks at once: processes are heavier than requests.
const (
	processesAtOnce = 4
	sessionsAtOnce  = 8
)

// take runs plans side by side, and returns when all are done.
func (p *prober) take(ctx context.Context, plans []wire.Plan) {
	atOnce := sessionsAtOnce
	if p.s.Transport() == wire.Stdio {
		atOnce = processesAtOnce
	}
	room := make(chan struct{}, atOnce)
	var running sync.WaitGroup
	for _, plan := range plans {
		if plan.Level > p.s.Level() {
			continue
		}
		room <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		running.Go(func() {
			defer func() { <-room }()
			plan.Run(ctx, p.s)
			p.tell(plan.Phase)
		})
	}
	running.Wait()
}

// plans are those of all scripts.
func (p *prober) plans() []wire.Plan {
	return slices.Concat(
		lifecycle.Plans(p.s),
		manners.Plans(p.s),
		features.Plans(p.s),
		modern.Plans(p.s),
		overhttp.Plans(p.s),
		oldsse.Plans(p.s),
		auth.Plans(p.s),
		calls.Plans(p.s),
	)
}
