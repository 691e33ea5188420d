// Package doctor finds out why a server cannot be used, step by step.
//
// Examine goes the way of a client: it finds the command or the host, starts or
// dials it, opens a session, asks for the lists, pings and takes its leave. The
// first step that must work and does not decides; what follows it is skipped.
// From all that was said on the way (listener.go) the cause is recognised by a
// table of clues (clues.go), and told in the words of another (causes.go).
//
// Nothing is sent that could change anything: no tool is ever called. What a
// server says is kept short, and cleaned when it is shown.
package doctor

import (
	"context"
	"slices"

	"mcpworks/internal/secret"
	"mcpworks/lint/conceal"
	"mcpworks/mcp/client"
)

// Options say how to examine.
type Options struct {
	// Client is how the server is talked to. Its Recorder hears everything that
	// the doctor hears.
	Client client.Options
	// Lookup resolves the names of hosts; nil means as the system does.
	Lookup func(ctx context.Context, host string) ([]string, error)
	// Watch stays with a server that works until it ends or the context does.
	Watch bool
}

// A Diagnosis is what was found out.
type Diagnosis struct {
	Target    string // nothing in it is secret; empty for the machine itself
	Transport string // as the client names it; empty if there was no session
	Era       string // legacy or modern
	Version   string // of the protocol
	Server    string // its name and version
	Messages  int    // how many were sent
	Steps     []Step
	// Stopped is why the examination ended before it was over; empty if it was
	// not stopped.
	Stopped string
	// Cause is why the first failed step has failed; nil if all is well, or if
	// nothing was recognised.
	Cause *Cause
}

// A State is how a step ended.
type State string

// The states. A warning never makes a diagnosis bad.
const (
	OK      State = "ok"
	Failed  State = "failed"
	Warning State = "warning"
	Skipped State = "skipped"
)

// A Step is one thing that was looked at.
type Step struct {
	Name     string
	State    State
	Required bool     // a server is of no use if it fails
	Found    string   // in one line; for a skipped step, why
	Evidence []string // what shows it
	Action   string   // what can be done about it
}

// Failed says whether something failed that has to work.
func (d *Diagnosis) Failed() bool {
	return slices.ContainsFunc(d.Steps, func(s Step) bool { return s.State == Failed && s.Required })
}

// Locked says whether the server is there and wants credentials.
func (d *Diagnosis) Locked() bool {
	return d.Failed() && d.Cause != nil && slices.Contains([]string{wantsCredentials, refusesCredentials, accessForbidden, proxyCredentials}, d.Cause.ID)
}

// Examine examines a server, which is a client.Command or a client.URL.
func Examine(ctx context.Context, target client.Target, opts Options) *Diagnosis {
	shown, secrets := conceal.Target(target)
	secrets = slices.Concat(opts.Client.Secrets, conceal.Header(opts.Client.Header), secrets)
	x := &examination{
		opts: opts, d: &Diagnosis{Target: shown}, heard: &listener{next: opts.Client.Recorder}, redactor: secret.NewRedactor(secrets...),
	}
	x.opts.Client.Recorder, x.opts.Client.Secrets = x.heard, secrets
	switch target := target.(type) {
	case client.Command:
		x.command(ctx, target)
	case client.URL:
		x.url(ctx, string(target))
	default:
		x.plan(required("target"))
		x.fail("target", "it is neither a command nor an address", nil)
	}
	x.d.Messages = x.heard.messages()
	x.finish()
	x.d.redact(x.redactor)
	return x.d
}

// redact takes secrets out of all that is shown.
func (d *Diagnosis) redact(r *secret.Redactor) {
	d.Target, d.Server = r.String(d.Target), r.String(d.Server)
	for i := range d.Steps {
		s := &d.Steps[i]
		s.Found, s.Action = r.String(s.Found), r.String(s.Action)
		for j := range s.Evidence {
			s.Evidence[j] = r.String(s.Evidence[j])
		}
	}
	if d.Cause != nil {
		d.Cause.Sentence, d.Cause.Action = r.String(d.Cause.Sentence), r.String(d.Cause.Action)
	}
}
