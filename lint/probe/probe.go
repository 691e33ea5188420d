// Package probe talks to a server, politely and rudely, and records all that
// was said. It judges nothing.
//
// Run finds out what the server speaks and what it has (main.go), one talk for
// each era, and then takes the plans of the packages below it, side by side
// (plans.go). How bytes get there and back is package wire's.
package probe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// Options say how to probe.
type Options struct {
	wire.Options
	// Era restricts what is spoken; client.Auto means every era the server has.
	Era client.Era
	// Version is the only one to speak; empty means the newest.
	Version string
	// Way is how a URL is spoken to.
	Way client.Way
	// Tell is told which talk has ended; it may be nil. It is called by one
	// goroutine at a time.
	Tell func(phase string)
}

// An Unreachable error says that a server could not be spoken with at all. The
// record still has what was tried.
type Unreachable struct {
	Reason string
	// Locked says that the server wants credentials, or others.
	Locked bool
}

func (e *Unreachable) Error() string { return e.Reason }

// Run probes a server. The record is there even if there is an error, which is
// an *Unreachable or that of ctx.
func Run(ctx context.Context, target client.Target, opts Options) (*lint.Record, error) {
	s, err := wire.NewServer(target, opts.Options)
	if err != nil {
		return &lint.Record{}, err
	}
	defer s.Finish()
	p := &prober{s: s, opts: opts}
	if opts.Way == client.SSE {
		s.SetTransport(wire.SSE)
	}
	mains := p.meet(ctx)
	if s.Legacy() != nil || s.Modern() != nil || p.locked {
		p.take(ctx, p.plans())
	}
	mains.Wait()
	record := s.Record()
	forgive(record)
	switch {
	case ctx.Err() != nil:
		return record, context.Cause(ctx)
	case s.Legacy() == nil && s.Modern() == nil:
		return record, p.unreachable(record)
	}
	return record, nil
}

// forgive makes the main talk of an era that the server does not claim to speak
// an attempt, if the other era works: nobody is judged by what it does not
// offer.
func forgive(record *lint.Record) {
	var spoken *lint.Talk
	for _, t := range record.Talks {
		if t.Phase == step.Main && t.Failure == "" {
			spoken = t
		}
	}
	for _, t := range record.Talks {
		if t.Phase == step.Main && t.Failure != "" && spoken != nil && t.Modern != spoken.Modern && t.Revision == "" && !offersLegacy(spoken) {
			t.Phase = step.Era
		}
	}
}

// offersLegacy says whether a modern server names legacy versions as its own.
func offersLegacy(t *lint.Talk) bool {
	s := t.Step(step.Discover, "")
	if s == nil || s.Answer() == nil {
		return false
	}
	listed := lint.Member(s.Answer().Result, "supportedVersions")
	for _, version := range lint.Legacy.Versions() {
		if bytes.Contains(listed, []byte(`"`+version+`"`)) {
			return true
		}
	}
	return false
}

type prober struct {
	s       *wire.Server
	opts    Options
	locked  bool // the server wants credentials
	telling sync.Mutex
}

// tell says that a talk has ended.
func (p *prober) tell(phase string) {
	if p.opts.Tell != nil {
		p.telling.Lock()
		defer p.telling.Unlock()
		p.opts.Tell(phase)
	}
}

// unreachable says why no era works, by the talk that came furthest: the legacy
// one, unless only the modern one was wanted.
func (p *prober) unreachable(record *lint.Record) error {
	reason := errors.New("nothing was tried")
	for _, t := range record.Talks {
		if t.Failure != "" && (t.Phase == step.Main || t.Phase == step.Era || t.Phase == step.Locked) {
			reason = errors.New(t.Failure)
			if !t.Modern {
				break
			}
		}
	}
	return &Unreachable{Reason: reason.Error(), Locked: p.locked}
}

// isLocked says whether a response asks for credentials (A7.1.3).
func isLocked(x *lint.Exchange) bool {
	return x != nil && (x.Status == http.StatusUnauthorized || x.Status == http.StatusForbidden || x.Status == http.StatusProxyAuthRequired)
}

// version is what to ask for in an era; empty means the usual.
func (p *prober) version(modern bool) string {
	if rev := mcp.RevisionOf(p.opts.Version); rev != nil && rev.Modern == modern {
		return p.opts.Version
	}
	return ""
}

func (p *prober) wants(modern bool) bool {
	if rev := mcp.RevisionOf(p.opts.Version); rev != nil {
		return rev.Modern == modern
	}
	switch p.opts.Era {
	case client.Legacy:
		return !modern
	case client.Modern:
		return modern && p.s.Transport() != wire.SSE
	}
	return !modern || p.s.Transport() != wire.SSE
}

// refusal describes an answer that is none.
func refusal(reply *wire.Reply) string {
	switch {
	case reply.Silent:
		return "was not answered in time"
	case reply.HTTP != nil && reply.HTTP.Status >= http.StatusMultipleChoices:
		return fmt.Sprintf("was answered with HTTP status %d", reply.HTTP.Status)
	case reply.HTTP != nil && reply.HTTP.Err != "":
		return "failed: " + reply.HTTP.Err
	case reply.Error != nil:
		return fmt.Sprintf("was refused with error %d", reply.Code)
	}
	return "was not answered"
}
