package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"mcpworks/internal/nearest"
	"mcpworks/lint"
	"mcpworks/lint/probe"
	"mcpworks/lint/probe/wire"
	phase "mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// A check is what was said with one server, and why that was not all there is
// to say.
type check struct {
	record      *lint.Record
	answered    bool // it can be judged
	failure     string
	exit        int      // that of the failure
	lines       []string // what the server wrote about it
	hint        string
	began       time.Time
	took        time.Duration
	interrupted bool
	offline     bool // it was taken from a file
}

// A suspect is a server that is to be checked.
type suspect struct {
	target
	given []string // the words as they were written
	pkg   npmPackage
}

// probe talks to a server and notes how far that came.
func (v verb) probe(ctx context.Context, c *call, s suspect, opts client.Options, tell func(string)) check {
	s.name = c.redact(s.name)
	level := lint.Probe
	if c.Has(optLevel) {
		_ = level.UnmarshalText([]byte(c.Value(optLevel))) // it was checked when it was read
	}
	probing := probe.Options{
		Options: wire.Options{
			Client: opts, Level: level, Tools: c.Values[optTool], OpenWorld: c.Has(optOpenWorld), Package: s.pkg.installed(), Shown: s.name,
		},
		Era: opts.Era, Way: s.way, Tell: tell,
	}
	if opts.Revision != nil {
		probing.Version = opts.Revision.Version
	}
	one := check{began: time.Now()}
	var err error
	one.record, err = probe.Run(ctx, s.Target, probing)
	one.took = time.Since(one.began)
	if ctx.Err() != nil {
		one.record = withoutLeaving(one.record, context.Cause(ctx).Error())
	}
	one.record.Target.Shown = s.name
	if one.record.Target.Package == (lint.Package{}) {
		one.record.Target.Package = s.pkg.installed() // it may have been installed just now
	}
	failed := one.conclude()
	one.hint = c.variableHint(one.lines)
	if one.failure != "" && one.answered && one.onlyModern() && one.exit == exitUnreachable {
		one.hint = optProtocol + " auto finds out what it speaks"
	}
	if failed != nil && !one.answered && ctx.Err() == nil && neverBegan(one.record) {
		v.explain(ctx, c, s, opts, &one, failed)
	}
	var late overtime
	switch {
	case err == nil || errors.As(err, new(*probe.Unreachable)):
	case errors.As(err, new(interrupted)):
		one.failure, one.interrupted = err.Error(), true
	case errors.As(err, &late):
		one.failure = fmt.Sprintf("the server was not checked within %v", late.limit)
		one.exit = exitPartial
		if !one.answered {
			one.exit = exitUnreachable
		}
	default:
		one.failure, one.exit = err.Error(), exitUnreachable
	}
	if c.Value(optProtocol) == protocolBoth && one.failure == "" {
		one.wantBoth()
	}
	if !one.interrupted {
		one.tellMissing(c)
	}
	c.detail("%s: %s in %v", s.name, plural(len(one.record.Talks), "connection"), one.took.Round(time.Millisecond))
	trace(c, one.record)
	return one
}

// neverBegan says whether no process was started, and nobody was waited for in
// vain.
func neverBegan(record *lint.Record) bool {
	for _, t := range record.Talks {
		if t.Exit() != nil || slices.ContainsFunc(t.Steps, func(s *lint.Step) bool { return s.Outcome == lint.Silent }) {
			return false
		}
	}
	return true
}

// explain says of a server that could not be started or reached what all other
// verbs say of it. The client knows more about that than a record does, so it
// tries once more.
func (v verb) explain(ctx context.Context, c *call, s suspect, opts client.Options, one *check, failed *lint.Talk) {
	quiet := *c
	quiet.Target, quiet.Values = s.given, maps.Clone(c.Values)
	for _, name := range []string{optVerbose, optMessages, optServerLogs} {
		delete(quiet.Values, name)
	}
	t := &talk{call: &quiet, verb: v, watch: newWatch(&quiet), target: s.target, opts: opts}
	t.opts.Way, t.opts.Recorder, t.opts.Log = s.way, t.watch, nil
	err := t.connect(ctx)
	if err == nil {
		t.close(ctx, nil)
		return
	}
	var f *failure
	if errors.As(t.diagnose(ctx, err), &f) {
		failed.Failure = c.redact(f.Error())
		one.failure, one.hint, one.lines = failed.Failure, f.hint, f.lines
	}
}

// tellMissing tells of tools that were named and are not there.
func (c *check) tellMissing(to *call) {
	if !c.speaks(false) && !c.speaks(true) {
		return
	}
	names := c.tools()
	for _, name := range to.Values[optTool] {
		if slices.Contains(names, name) {
			continue
		}
		hint := ""
		if near, ok := nearest.Name(name, names); ok {
			hint = "; did you mean " + near + "?"
		}
		to.notice("the server has no tool %q%s", name, hint)
	}
}

// tools are the names of those that the server has listed.
func (c *check) tools() (names []string) {
	for _, t := range c.record.Talks {
		if t.Phase != phase.Main {
			continue
		}
		for _, tool := range t.Items(phase.List, mcp.MethodListTools) {
			name, _ := lint.Text(lint.Member(tool.Raw, "name"))
			names = append(names, name)
		}
	}
	return names
}

// withoutLeaving is a record without what happened because of us: where talks
// ended for the reason given, that is no doing of the server's.
func withoutLeaving(record *lint.Record, reason string) *lint.Record {
	left := &lint.Record{Target: record.Target, Level: record.Level}
	for _, t := range record.Talks {
		steps := t.Steps
		if i := slices.IndexFunc(steps, func(s *lint.Step) bool { return s.Outcome == lint.Lost }); i >= 0 && t.Failure == reason {
			steps = steps[:i]
		}
		left.Talks = append(left.Talks, &lint.Talk{
			Phase: t.Phase, Asked: t.Asked, Revision: t.Revision, Modern: t.Modern, Transport: t.Transport, Client: t.Client,
			Steps: steps, Failure: t.Failure, StderrBytes: t.StderrBytes, Truncated: t.Truncated,
		})
	}
	left.Seal()
	return left
}

// conclude reads off the record whether the server was reached, and whether it
// can be judged: it has answered something, or wants credentials. It returns the
// talk that shows best why not.
func (c *check) conclude() (failed *lint.Talk) {
	c.answered = answered(c.record)
	for _, t := range c.record.Talks {
		opening := t.Phase == phase.Main || t.Phase == phase.Era || t.Phase == phase.Locked
		if t.Failure != "" && opening && (failed == nil || failed.Modern) {
			failed = t
		}
		if isLocked(t) {
			c.exit = exitLocked
		}
	}
	if c.speaks(false) || c.speaks(true) {
		c.exit = exitOK
		return nil
	}
	if c.exit == exitOK {
		c.exit = exitUnreachable
	}
	switch {
	case c.answered && c.exit != exitLocked && c.onlyModern():
		c.failure = "the server does not speak the modern protocol"
		if failed != nil {
			c.failure += ": " + failed.Failure
		}
	case failed != nil:
		c.failure, c.lines = causeOf(failed), complaints(failed)
	default:
		c.failure = "nothing was said"
	}
	return failed
}

// answered says whether a server has answered anything, or wants credentials.
func answered(record *lint.Record) bool {
	for _, t := range record.Talks {
		if isLocked(t) || slices.ContainsFunc(t.Messages(), func(m *lint.Message) bool { return m.FromServer && m.Kind == lint.Response }) {
			return true
		}
	}
	return false
}

// isLocked says whether a server has asked for credentials before anything else.
func isLocked(t *lint.Talk) bool {
	if t.Phase == phase.Locked {
		return true
	}
	discover := t.Step(phase.Discover, "")
	if t.Phase != phase.Era || discover == nil || discover.Exchange() == nil {
		return false
	}
	status := discover.Exchange().Status
	return status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusProxyAuthRequired
}

// onlyModern says whether nothing else was spoken with a server.
func (c *check) onlyModern() bool {
	return !slices.ContainsFunc(c.record.Talks, func(t *lint.Talk) bool { return !t.Modern })
}

// speaks says whether the server has opened a talk of an era.
func (c *check) speaks(modern bool) bool {
	for _, t := range c.record.Talks {
		if t.Phase == phase.Main && t.Modern == modern && t.Revision != "" {
			return true
		}
	}
	return false
}

// wantBoth makes it a failure if one era is missing.
func (c *check) wantBoth() {
	for _, modern := range []bool{false, true} {
		if c.speaks(modern) {
			continue
		}
		era := map[bool]string{false: "legacy", true: "modern"}[modern]
		c.exit, c.failure = exitPartial, "the server does not speak the "+era+" protocol"
		for _, t := range c.record.Talks {
			if t.Modern == modern && t.Failure != "" {
				c.failure += ": " + t.Failure
				return
			}
		}
		return
	}
}

// causeOf is why a talk was not opened. That a process is gone says more than
// what happens to those who write to it.
func causeOf(t *lint.Talk) string {
	gone := strings.HasSuffix(t.Failure, "broken pipe") // it was about to end when it was told to
	switch exit := t.Exit(); {
	case exit == nil || exit.After != client.ByItself.String() && (exit.After != client.EndOfInput.String() || !gone):
		return t.Failure
	default:
		return endOf(exit.Code, exit.Signal) + " before it answered"
	}
}

// complaints are the last lines that a server wrote to standard error.
func complaints(t *lint.Talk) []string {
	var text strings.Builder
	for _, s := range t.Steps {
		for _, e := range s.Events {
			if e.Stderr != "" {
				text.WriteString(e.Stderr + "\n")
			}
		}
	}
	return lastOf(text.String())
}

// keepRecord writes down what was said.
func keepRecord(file string, record *lint.Record) error {
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err == nil {
		err = errors.Join(record.Write(out), out.Close())
	}
	if err != nil {
		return &failure{exit: exitUsage, err: fmt.Errorf("%s: %w", optRecord, err)}
	}
	return nil
}

// trace shows what was said, as far as that was asked for.
func trace(c *call, record *lint.Record) {
	for _, t := range record.Talks {
		if c.Has(optMessages) {
			fmt.Fprintf(c.stderr, "%s\n", oneLine(strings.TrimSpace(t.Phase+" "+t.Revision)))
		}
		for _, s := range t.Steps {
			for _, e := range s.Events {
				if line := c.shownEvent(e); line != "" {
					fmt.Fprintln(c.stderr, oneLine(c.redact(line)))
				}
			}
		}
	}
}

func (c *call) shownEvent(e lint.Event) string {
	at := fmt.Sprintf("%9.1fms", float64(e.At.Microseconds())/1000)
	switch {
	case e.Stderr != "" && c.Has(optServerLogs):
		return "server: " + e.Stderr
	case !c.Has(optMessages):
	case e.Sent != nil:
		return at + " --> " + string(e.Sent)
	case e.Received != nil:
		return at + " <-- " + string(e.Received)
	case e.HTTP != nil:
		return fmt.Sprintf("%s --> %s %s %s  <-- %d %s", at, e.HTTP.Method, e.HTTP.URL, e.HTTP.Body, e.HTTP.Status, e.HTTP.Answer)
	}
	return ""
}
