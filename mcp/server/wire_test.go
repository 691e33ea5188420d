package server_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

var updateWire = flag.Bool("update", false, "rewrite the expected messages of testdata/wire")

// TestWire holds the server to the transcripts of testdata/wire.
func TestWire(t *testing.T) {
	transcripts := readTranscripts(t, "testdata/wire")
	for _, tr := range transcripts {
		t.Run(tr.name(), func(t *testing.T) {
			edits := edits{}
			for _, rev := range tr.revisions {
				for _, over := range tr.transports {
					t.Run(rev.Version+"/"+over, func(t *testing.T) { tr.run(t, rev, over, edits) })
				}
			}
			if *updateWire {
				tr.update(t, edits)
			}
		})
	}
}

// run runs the sections of a transcript. In memory it does so in a bubble where
// time moves only when nothing else can, and where nothing may be left over.
func (tr *transcript) run(t *testing.T, rev *mcp.Revision, over string, edits edits) {
	for _, sec := range tr.sections {
		if !slices.Contains(sec.revisions, rev) {
			continue
		}
		conversation := func(t *testing.T) {
			c := &conversation{
				t: t, over: over, options: tr.options,
				text:  &wireText{rev: rev, vars: map[string]string{}},
				peers: map[string]*wirePeer{},
				edits: edits, macros: slices.ContainsFunc(tr.revisions, func(r *mcp.Revision) bool { return r.Modern }),
			}
			if err := c.run(sec.steps); err != nil {
				t.Fatalf("%s: section %s: %v", tr.path, sec.name, err)
			}
		}
		if over == "pair" {
			synctest.Test(t, conversation)
		} else {
			conversation(t)
		}
	}
}

// patience is how long a message, or the end, may take.
const patience = 5 * time.Second

// A conversation is one section being run.
type conversation struct {
	t       *testing.T
	over    string // the transport
	options string
	text    *wireText
	fixture *fixture
	peers   map[string]*wirePeer
	fences  int
	refused error // of the last declaration
	edits   edits
	macros  bool // edits may use the macros for what an era adds
}

func (c *conversation) run(steps []step) error {
	for _, s := range steps {
		if !s.appliesTo(c.text.rev, c.over) {
			continue
		}
		if err := c.step(s); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.peers)) {
		if err := c.end(step{client: name}); err != nil {
			return fmt.Errorf("at the end: %w", err)
		}
	}
	return nil
}

func (c *conversation) step(s step) error {
	switch s.verb {
	case "server":
		c.options += " " + s.text
		return nil
	case "declare":
		return c.declare(s)
	case "accepted", "refused":
		return c.declared(s)
	case "clock":
		d, err := time.ParseDuration(s.text)
		if c.fixture != nil {
			c.fixture.advance(d)
		}
		return err
	}
	p, err := c.peer(s)
	if err != nil {
		return err
	}
	switch s.verb {
	case ">":
		frame, err := c.text.message(s.text)
		if err != nil {
			return s.errorf("%w", err)
		}
		return p.send(frame)
	case ">>":
		return p.send([]byte(c.text.raw(s.text)))
	case ">>q":
		text, err := strconv.Unquote(s.text)
		if err != nil {
			return s.errorf("%w", err)
		}
		return p.send([]byte(c.text.raw(text)))
	case "<":
		if s.text == "nothing" {
			return c.fence(s, p)
		}
		return c.expect(p, []step{s})
	case "{":
		return c.expect(p, s.group)
	case "handshake":
		return c.handshake(s, p)
	case "eof":
		p.eof()
	case "stop":
		p.stop()
	case "hear":
		p.hear()
	case "discard":
		for range p.frames {
			continue
		}
	case "ends":
		return c.end(s)
	}
	return nil
}

// peer returns the client of a step, connected when it is first needed.
func (c *conversation) peer(s step) (*wirePeer, error) {
	name := s.client
	if len(s.group) > 0 {
		name = s.group[0].client
	}
	if p := c.peers[name]; p != nil {
		return p, nil
	}
	opts, err := parseWireOptions(c.options)
	if err != nil {
		return nil, s.errorf("%w", err)
	}
	if c.fixture == nil {
		if c.fixture, err = newFixture(opts); err != nil {
			return nil, s.errorf("%w", err)
		}
	}
	p := connect(c.t, c.fixture.srv, c.over, opts.stdio, opts.deaf)
	c.peers[name] = p
	return p, nil
}

// receive returns the next message of the server.
func (c *conversation) receive(p *wirePeer) (map[string]any, error) {
	select {
	case frame, ok := <-p.frames:
		if !ok {
			return nil, fmt.Errorf("the server closed the connection (%v)", p.bad)
		}
		m, err := checkFrame(frame, !c.text.rev.Modern)
		if err != nil {
			return nil, fmt.Errorf("what the server said %w: %.300s", err, frame)
		}
		return m, nil
	case <-time.After(patience):
		return nil, fmt.Errorf("nothing came within %v", patience)
	}
}

// expect takes as many messages as there are steps, in any order.
func (c *conversation) expect(p *wirePeer, steps []step) error {
	var open []step
	for _, s := range steps {
		if s.appliesTo(c.text.rev, c.over) {
			open = append(open, s)
		}
	}
	for len(open) > 0 {
		got, err := c.receive(p)
		if err != nil {
			return open[0].errorf("%w", err)
		}
		found, diff, err := c.find(open, got)
		if err != nil {
			return err
		}
		if found < 0 {
			if !*updateWire {
				return open[0].errorf("(-want +got):\n%s", diff)
			}
			found = 0
			c.edits.add(open[0], c.text.written(got, c.macros), c.text.rev)
		}
		open = slices.Delete(open, found, found+1)
	}
	return nil
}

func (c *conversation) find(open []step, got map[string]any) (found int, diff string, err error) {
	for i, s := range open {
		want, err := c.text.expectation(s.text)
		if err != nil {
			return -1, "", s.errorf("%w", err)
		}
		d, bound := c.text.match(want, got)
		if d == "" {
			maps.Copy(c.text.vars, bound)
			return i, "", nil
		}
		diff += d
	}
	return -1, diff, nil
}

// fence proves that the server has nothing to say: the next thing it says is
// the answer to a question that is answered in order. Where time is simulated,
// everything that could still happen has happened by then.
func (c *conversation) fence(s step, p *wirePeer) error {
	if c.over == "pair" {
		time.Sleep(time.Second)
		synctest.Wait()
	}
	c.fences++
	id := fmt.Sprintf("fence-%d", c.fences)
	question := map[string]any{"jsonrpc": "2.0", "id": id, "method": "ping"}
	if c.text.rev.Modern {
		question["method"] = "server/discover"
		question["params"] = map[string]any{"_meta": modernMeta(nil)}
	}
	frame, err := json.Marshal(question)
	if err != nil {
		return err
	}
	if err := p.send(frame); err != nil {
		return s.errorf("%w", err)
	}
	got, err := c.receive(p)
	if err != nil {
		return s.errorf("%w", err)
	}
	if got["id"] != id || got["result"] == nil {
		return s.errorf("there should have been nothing, but it was %s", c.text.written(got, false))
	}
	return nil
}

// handshake opens a legacy session; the text is the client's capabilities. The
// modern era has none.
func (c *conversation) handshake(s step, p *wirePeer) error {
	if c.text.rev.Modern {
		return nil
	}
	capabilities := json.RawMessage("{}")
	if s.text != "" {
		capabilities = json.RawMessage(s.text)
	}
	frame, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": "handshake", "method": "initialize", "params": map[string]any{
		"protocolVersion": c.text.rev.Version,
		"capabilities":    capabilities,
		"clientInfo":      map[string]any{"name": "wire", "version": "1"},
	}})
	if err != nil {
		return s.errorf("%w", err)
	}
	if err := p.send(frame); err != nil {
		return s.errorf("%w", err)
	}
	got, err := c.receive(p)
	if err != nil {
		return s.errorf("%w", err)
	}
	result, _ := got["result"].(map[string]any)
	if result["protocolVersion"] != c.text.rev.Version {
		return s.errorf("the handshake failed: %s", c.text.written(got, false))
	}
	return p.send([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
}

// end ends the input and waits until the server has said all and is done.
func (c *conversation) end(s step) error {
	p := c.peers[s.client]
	p.eof()
	if s.text != "unread" {
		p.hear()
	}
	began := time.Now()
	select {
	case err := <-p.served:
		p.served <- nil
		if err != nil {
			return s.errorf("Serve failed: %w", err)
		}
	case <-time.After(2 * patience):
		return s.errorf("the server goes on after the end of its input")
	}
	if took := time.Since(began); took > patience {
		return s.errorf("the end took %v", took)
	}
	p.hear()
	for frame := range p.frames {
		if s.text == "unread" {
			continue
		}
		return s.errorf("there should have been nothing more, but it was %.300s", frame)
	}
	if p.bad != nil && s.text != "unread" {
		return s.errorf("%w", p.bad)
	}
	return nil
}

// declare makes a server with one more tool, given as it would be listed.
func (c *conversation) declare(s step) error {
	var tool struct {
		Name, Description         string
		InputSchema, OutputSchema json.RawMessage
	}
	if err := json.Unmarshal([]byte(c.text.raw(s.text)), &tool); err != nil {
		return s.errorf("%w", err)
	}
	_, c.refused = server.New(server.Options{
		Info: mcp.Implementation{Name: "wire", Version: "1.0"},
		Tools: []server.Tool{{
			Tool: mcp.Tool{
				Name: tool.Name, Description: tool.Description,
				InputSchema: tool.InputSchema, OutputSchema: tool.OutputSchema,
			},
			Handler: echo,
		}},
	})
	return nil
}

func (c *conversation) declared(s step) error {
	got := ""
	if c.refused != nil {
		got = c.refused.Error()
	}
	if want := c.text.raw(s.text); got != want {
		if *updateWire && s.verb == "refused" {
			c.edits.add(s, got, c.text.rev)
			return nil
		}
		return s.errorf("the declaration was answered %q, want %q", got, want)
	}
	return nil
}

// edits are the messages that differ from the file, by line.
type edits map[int]*edit

type edit struct {
	step
	text string
	from *mcp.Revision
	torn bool // the revisions do not agree
}

// add notes what was really said. Revisions that need not say the same in the
// end are judged when the file is run again: only what era macros cannot write
// counts as disagreement here.
func (e edits) add(s step, text string, rev *mcp.Revision) {
	old := e[s.line]
	switch {
	case old == nil:
		e[s.line] = &edit{s, text, rev, false}
	case old.from.Modern == rev.Modern && old.text != text:
		old.torn = true
	}
}

// update rewrites the expected messages of a file, unless its revisions gave
// different ones.
func (tr *transcript) update(t *testing.T, edits edits) {
	if len(edits) == 0 {
		return
	}
	data, err := os.ReadFile(tr.path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	for _, number := range slices.Backward(slices.Sorted(maps.Keys(edits))) {
		e := edits[number]
		if e.torn {
			t.Errorf("%s:%d: the revisions do not agree: %s", tr.path, number, e.text)
			continue
		}
		start := e.verb + " "
		if e.client != "" {
			start = e.client + start
		}
		if e.guard != "" {
			start = "@" + e.guard + " " + start
		}
		lines = slices.Replace(lines, number-1, number-1+e.lines, start+e.text+"\n")
	}
	if err := os.WriteFile(tr.path, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}
