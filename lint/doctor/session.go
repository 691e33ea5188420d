package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/jsonrpc"
)

const (
	// partingTime is how long the end of a session may take, all steps together.
	partingTime = 15 * time.Second
	// hastyTime is the same when somebody waits for it.
	hastyTime = time.Second
)

// session examines a server that is talked to, and takes leave of it. The
// symptoms are those of an error.
func (x *examination) session(ctx context.Context, s *client.Session, took time.Duration, symptoms func(error) *symptoms) {
	x.greeting(s, took)
	if x.lists(ctx, s, symptoms) && x.ping(ctx, s, symptoms) && x.opts.Watch {
		select {
		case <-s.Done():
		case <-ctx.Done():
		}
	}
	x.shutdown(ctx, s, symptoms)
}

// greeting tells what the server said about itself.
func (x *examination) greeting(s *client.Session, took time.Duration) {
	tried, info := s.Attempts(), s.ServerInfo()
	x.d.Transport, x.d.Era, x.d.Version = tried[len(tried)-1].Way, "legacy", s.Version()
	if s.Revision().Modern {
		x.d.Era = "modern"
	}
	x.d.Server = x.short(plainLine(strings.TrimSpace(info.Name+" "+info.Version)), maxLine)
	x.chosen(x.triedLines(tried))
	who := x.d.Server
	if who == "" {
		who = "a server that does not tell its name"
	}
	x.ok("handshake", fmt.Sprintf("%s answered after %s", who, millis(took)))
	var offered []string
	for name := range rawjson.Members(s.Capabilities().Raw) {
		offered = append(offered, string(name))
	}
	if offered == nil {
		x.warn("capabilities", "the server offers nothing", "tools, resources or prompts are declared in the answer to the handshake")
		return
	}
	x.ok("capabilities", strings.Join(offered, ", "))
}

// chosen tells which protocol was found, and how: for a command that is its era,
// for an address also the transport.
func (x *examination) chosen(tried []string) {
	what := fmt.Sprintf("%s, protocol version %s", x.d.Era, x.d.Version)
	switch {
	case x.d.Transport == "stdio":
		x.ok("era", what, tried...)
	case x.d.Transport == "sse" && x.opts.Client.Way != client.SSE:
		cause := because(sseEndpoint, "")
		x.warn("transport", cause.Sentence, cause.Action, tried...)
	default:
		x.ok("transport", x.d.Transport+", "+what, tried...)
	}
}

// A list is one that servers can have.
type list struct {
	name    string
	offered bool
	count   func(context.Context) (int, error)
}

func listsOf(s *client.Session) []list {
	has := s.Capabilities()
	return []list{
		{"tool", has.Tools, func(ctx context.Context) (int, error) { all, err := s.AllTools(ctx); return len(all), err }},
		{"resource", has.Resources, func(ctx context.Context) (int, error) { all, err := s.AllResources(ctx); return len(all), err }},
		{templates, has.Resources, func(ctx context.Context) (int, error) { all, err := s.AllResourceTemplates(ctx); return len(all), err }},
		{"prompt", has.Prompts, func(ctx context.Context) (int, error) { all, err := s.AllPrompts(ctx); return len(all), err }},
	}
}

// templates are declared with the resources, and often not there.
const templates = "resource template"

// lists asks for all that are offered.
func (x *examination) lists(ctx context.Context, s *client.Session, symptoms func(error) *symptoms) bool {
	var counts, absent []string
	for _, l := range listsOf(s) {
		if !l.offered {
			continue
		}
		n, err := l.count(ctx)
		var wire *jsonrpc.Error
		switch {
		case err == nil:
			counts = append(counts, several(n, l.name))
		case errors.As(err, &wire) && wire.Code == jsonrpc.MethodNotFound:
			if l.name != templates {
				absent = append(absent, "the list of "+l.name+"s is declared, and answered with an error: "+wire.Error())
			}
		default:
			x.broke(ctx, "lists", "the list of "+l.name+"s: ", s, err, symptoms)
			return false
		}
	}
	if counts == nil {
		counts = []string{"the server offers none"}
	}
	if absent != nil {
		x.warn("lists", strings.Join(append(counts, "but not all that it declares"), ", "),
			"a server has what it declares, or does not declare it: mcplint explain LIFE-009", absent...)
		return true
	}
	x.ok("lists", strings.Join(counts, ", "))
	return true
}

// ping asks whether the server is there. The modern era has no ping.
func (x *examination) ping(ctx context.Context, s *client.Session, symptoms func(error) *symptoms) bool {
	method, begin := mcp.MethodPing, time.Now()
	var err error
	if s.Revision().Modern {
		method = mcp.MethodDiscover
		_, err = s.Discover(ctx)
	} else {
		err = s.Ping(ctx)
	}
	if err != nil {
		x.broke(ctx, "ping", "", s, err, symptoms)
		return false
	}
	x.ok("ping", fmt.Sprintf("%s was answered in %s", method, millis(time.Since(begin))))
	return true
}

// broke judges a request that failed in the middle of the conversation.
func (x *examination) broke(ctx context.Context, step, what string, s *client.Session, err error, symptoms func(error) *symptoms) {
	var (
		ended *client.ProcessError
		late  *client.TimeoutError
	)
	switch {
	case x.stopped(ctx, step):
	case ctx.Err() != nil:
		x.fail(step, what+context.Cause(ctx).Error(), nil)
	case errors.As(err, &ended), errors.As(s.Err(), &ended):
		x.died(step, what, ended, symptoms)
	case errors.As(err, &late):
		x.fail(step, what+fmt.Sprintf("no answer within %v", late.After.Round(time.Millisecond)),
			because(noAnswer, fmt.Sprintf("%s was not answered within %v", late.Method, late.After.Round(time.Millisecond))))
	default:
		cause := x.complaintCause(symptoms(err), err)
		if cause == nil {
			cause = because(connectionLost, shortError(err))
		}
		x.fail(step, what+shortError(err), cause)
	}
}

// died judges a process that ended by itself when it should not.
func (x *examination) died(step, what string, ended *client.ProcessError, symptoms func(error) *symptoms) {
	cause := recognise(symptoms(ended))
	if cause == nil {
		cause = because(endedLate, exitText(ended))
	}
	x.fail(step, what+"the process ended: "+exitText(ended), cause, lastLines(plainText(ended.Stderr))...)
}

// shutdown takes leave, and tells how the server took it.
func (x *examination) shutdown(ctx context.Context, s *client.Session, symptoms func(error) *symptoms) {
	failed, p, limit := x.d.Failed() || x.d.Stopped != "", s.Process(), partingTime
	if failed || ctx.Err() != nil {
		limit = hastyTime
	}
	parting, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	err := s.Close(parting)
	switch {
	case failed:
	case p != nil:
		x.parted(p, symptoms)
	case err != nil:
		x.warn("shutdown", shortError(err), "a server lets its clients end their session, or answers with HTTP status 405")
	default:
		x.ok("shutdown", "the session was ended")
	}
}

// require makes a step one that has to work: a server that is gone before it was
// told to is of no use.
func (x *examination) require(name string) {
	for i := range x.d.Steps {
		if x.d.Steps[i].Name == name {
			x.d.Steps[i].Required = true
		}
	}
}

// parted tells how a process ended.
func (x *examination) parted(p *client.Process, symptoms func(error) *symptoms) {
	exit, ok := p.Exit()
	how := fmt.Sprintf("exit status %d", exit.Code)
	if exit.Signal != "" {
		how = "signal: " + exit.Signal
	}
	const action = "a server ends when its standard input does"
	switch {
	case !ok:
		x.warn("shutdown", "the process cannot be ended", action)
	case exit.After == client.ByItself:
		x.require("shutdown")
		x.died("shutdown", "", &client.ProcessError{ExitCode: exit.Code, Signal: exit.Signal, Stderr: p.Stderr()}, symptoms)
	case exit.After == client.Terminate:
		x.warn("shutdown", "it did not end with its input, but when it was told to (SIGTERM)", action)
	case exit.After == client.Kill:
		x.warn("shutdown", "it had to be killed", action)
	case exit.Leftovers:
		x.warn("shutdown", "it ended and left processes behind, which were killed", "a server ends what it has started")
	case exit.Code != 0:
		x.warn("shutdown", "it ended with its input, but not in order: "+how, "a server that was not needed any more ends with exit status 0")
	default:
		x.ok("shutdown", "it ended with its input, after "+millis(exit.Took))
	}
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
