package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/internal/version"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// An Opening says how to begin a talk.
type Opening struct {
	Phase string
	// Modern talks have no handshake; each request says what it has to.
	Modern bool
	// Version is what is asked for; by default it is the newest of the era that
	// the server is known to speak.
	Version string
	// Client is the JSON of the client's capabilities; by default it has roots.
	Client string
	// NoHandshake leaves everything to the caller.
	NoHandshake bool
	// HoldInitialized waits so long before notifications/initialized.
	HoldInitialized time.Duration
	// NoStream does not listen to what the server says by itself over HTTP.
	NoStream bool
	// Transport stands in for the server's.
	Transport string
}

// DefaultClient declares what a client of the linter can do (A10.2).
const DefaultClient = `{"roots":{"listChanged":true}}`

// A Talk is one conversation. It is for one goroutine; everything that happens
// meanwhile is recorded in the current step.
type Talk struct {
	s         *Server
	opening   Opening
	begin     time.Time
	ctx       context.Context // of everything that belongs to the talk
	cancel    context.CancelFunc
	work      sync.WaitGroup
	line      carrier
	ids       int
	partial   []byte        // of a line that was not sent to its end
	answering chan struct{} // has one for each answer to the server on its way

	mu      sync.Mutex
	silent  int // requests in a row that were not answered
	record  *lint.Talk
	step    *lint.Step
	since   time.Time // of the step
	bytes   int
	events  int
	head    http.Header // that a session adds to requests
	pending map[string]chan *Reply
	ended   chan struct{} // closed when the connection has ended
	reason  string        // why it has
	lines   lint.Lines
}

// A carrier takes bytes to the server. What comes back goes to the talk.
type carrier interface {
	// send takes one frame.
	send(frame []byte) error
	// close ends the connection in good order and returns when it has ended.
	close()
}

// A Reply is what came of a request.
type Reply struct {
	Frame         []byte // nil if nothing came
	Result, Error []byte
	Code          int
	Silent        bool // there was no answer in time
	Lost          bool // the connection ended, or there will be no answer
	// HTTP is the exchange that carried the request; it may still be open.
	HTTP *lint.Exchange
}

// OK says whether the reply is a result.
func (r *Reply) OK() bool { return r.Result != nil && r.Error == nil }

// Open begins a talk and shakes hands. It never fails: a talk that could not be
// opened says so, and records that its steps were not taken.
func (s *Server) Open(ctx context.Context, o Opening) *Talk {
	if o.Client == "" {
		o.Client = DefaultClient
	}
	if o.Version == "" {
		o.Version = s.usualVersion(o.Modern)
	}
	if o.Transport == "" {
		o.Transport = s.Transport()
	}
	t := &Talk{s: s, opening: o, begin: time.Now(), ended: make(chan struct{}), pending: map[string]chan *Reply{}, head: http.Header{}, answering: make(chan struct{}, answersAtOnce)}
	t.ctx, t.cancel = context.WithCancel(ctx)
	t.record = &lint.Talk{Phase: o.Phase, Asked: o.Version, Modern: o.Modern, Transport: o.Transport, Client: []byte(o.Client)}
	if o.Modern {
		t.record.Revision = o.Version
	}
	t.Step(step.Open, "")
	if err := t.dial(); err != nil {
		t.end(err.Error())
		return t
	}
	if !o.NoHandshake && !o.Modern {
		t.shakeHands()
	}
	return t
}

func (s *Server) usualVersion(modern bool) string {
	main, fallback := s.Legacy(), mcp.V20251125.Version
	if modern {
		main, fallback = s.Modern(), mcp.V20260728.Version
	}
	if main != nil && mcp.RevisionOf(main.Revision) != nil {
		return main.Revision
	}
	return fallback
}

func (t *Talk) dial() (err error) {
	switch t.opening.Transport {
	case Streamable:
		t.line = &posts{t: t}
	case SSE:
		t.line, err = t.openStream()
	default:
		t.line, err = t.startProcess()
	}
	if err == nil && t.ctx.Err() != nil {
		err = context.Cause(t.ctx)
	}
	return err
}

// shakeHands is initialize and notifications/initialized.
func (t *Talk) shakeHands() {
	reply := t.Initialize(t.opening.Version, t.opening.Client)
	agreed, _ := lint.Text(lint.Member(reply.Result, "protocolVersion"))
	if !reply.OK() || agreed == "" {
		t.fail(handshakeFailure(reply))
		return
	}
	t.agree(agreed)
	if hold := t.opening.HoldInitialized; hold > 0 {
		t.Step(step.Linger, "before initialized")
		t.Wait(hold)
	}
	t.Tell(step.Initialized, "", mcp.NotifyInitialized, "")
	if t.opening.Transport == Streamable && !t.opening.NoStream {
		t.Listen()
	}
}

func handshakeFailure(reply *Reply) string {
	switch {
	case reply.Silent:
		return "initialize was not answered"
	case reply.HTTP != nil && reply.HTTP.Status >= http.StatusMultipleChoices:
		return fmt.Sprintf("initialize was answered with HTTP status %d", reply.HTTP.Status)
	case reply.HTTP != nil && reply.HTTP.Err != "":
		return reply.HTTP.Err
	case reply.Lost:
		return "the connection ended before initialize was answered"
	case reply.Error != nil:
		return fmt.Sprintf("initialize was refused with error %d", reply.Code)
	}
	return "the answer to initialize names no version"
}

// agree notes the revision in use. One without a handshake cannot be agreed on
// in a handshake: then there is none.
func (t *Talk) agree(version string) {
	rev := mcp.RevisionOf(version)
	if rev != nil && rev.Modern {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.record.Revision = version
	if rev != nil && rev.VersionHeader {
		t.head.Set("MCP-Protocol-Version", version)
	}
}

// Initialize is a step: the request alone, with the time a server may take to
// start.
func (t *Talk) Initialize(version, capabilities string) *Reply {
	params := fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"mcplint","version":%q}}`, version, capabilities, versionNumber)
	return t.ask(step.Initialize, "", mcp.MethodInitialize, params, t.s.Startup())
}

var versionNumber = version.Number

// Discover is a step: server/discover, with the time a server may take to start.
func (t *Talk) Discover() *Reply {
	return t.ask(step.Discover, "", mcp.MethodDiscover, "", t.s.Startup())
}

// Step begins a step; everything that happens from now on is part of it.
func (t *Talk) Step(name, about string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.finish(lint.Done)
	t.step, t.since = &lint.Step{Name: name, About: about}, time.Now()
	if t.reason != "" {
		t.step.Outcome = lint.NotSent
	}
	t.record.Steps = append(t.record.Steps, t.step)
}

// finish says how the current step ended, unless that was said.
func (t *Talk) finish(outcome lint.Outcome) {
	if t.step != nil && t.step.Took == 0 {
		if t.step.Outcome == lint.Done {
			t.step.Outcome = outcome
		}
		t.step.Took = max(time.Since(t.since), 1)
	}
}

// Outcome says how the current step ended, for steps taken by hand.
func (t *Talk) Outcome(outcome lint.Outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.finish(outcome)
}

// Ask is a step: one request, up to its answer. Params is the text of an object,
// or empty.
func (t *Talk) Ask(name, about, method, params string) *Reply {
	return t.ask(name, about, method, params, t.patience())
}

func (t *Talk) ask(name, about, method, params string, limit time.Duration) *Reply {
	t.Step(name, about)
	if t.Failed() {
		return &Reply{Lost: true}
	}
	id, frame := t.Request(method, params)
	t.Send(frame)
	return t.await(id, limit)
}

// patience is how long an answer may take. A server that was silent before is
// given less.
func (t *Talk) patience() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.silent >= 2 {
		return min(t.s.opts.Client.Timeouts.Request, impatience)
	}
	return min(t.s.opts.Client.Timeouts.Request, probePatience)
}

const (
	probePatience = 10 * time.Second
	impatience    = 2 * time.Second
)

// Tell is a step: one notification. In a modern talk it has no _meta.
func (t *Talk) Tell(name, about, method, params string) {
	t.Step(name, about)
	frame := `{"jsonrpc":"2.0","method":"` + method + `"`
	if params != "" {
		frame += `,"params":` + params
	}
	t.Send([]byte(frame + "}"))
}

// Request makes a request without sending it. In a modern talk it gets the
// _meta that every request has, unless params has one.
func (t *Talk) Request(method, params string) (id string, frame []byte) {
	t.ids++
	id = strconv.Itoa(t.ids)
	return id, t.RequestAs(id, method, params)
}

// RequestAs is Request with an id of the caller's, as JSON.
func (t *Talk) RequestAs(id, method, params string) []byte {
	if t.opening.Modern && lint.Member([]byte(params), "_meta") == nil {
		params = t.describe(params)
	}
	frame := `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"`
	if params != "" {
		frame += `,"params":` + params
	}
	return []byte(frame + "}")
}

// describe adds the _meta of a modern request to params.
func (t *Talk) describe(params string) string {
	meta := `"_meta":` + t.Meta("")
	if rest := members(params); rest != "" {
		return "{" + rest + "," + meta + "}"
	}
	return "{" + meta + "}"
}

// Meta is the _meta of a modern request; more are further members, as text.
func (t *Talk) Meta(more string) string {
	return MetaOf(t.opening.Version, t.opening.Client, more)
}

// MetaOf is the _meta of a request in a version, with capabilities.
func MetaOf(version, capabilities, more string) string {
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{%q:%q,%q:%s,%q:{"name":"mcplint","version":%q}%s}`,
		mcp.MetaProtocolVersion, version, mcp.MetaClientCapabilities, capabilities, mcp.MetaClientInfo, versionNumber, more)
}

// Send sends bytes in the current step: a line to a process, a body over HTTP.
// A call of a tool that must not be called is not sent, and noted.
func (t *Talk) Send(frame []byte) {
	if t.Failed() {
		t.Outcome(lint.NotSent)
		return
	}
	if t.refuses(frame) {
		return
	}
	t.expect(frame)
	if err := t.line.send(frame); err != nil {
		t.unsent(err)
	}
}

// SendRaw writes bytes to a process without a line's end. Other transports have
// no such thing.
func (t *Talk) SendRaw(b []byte) {
	process, ok := t.line.(*process)
	if !ok || t.Failed() {
		t.Outcome(lint.NotSent)
		return
	}
	t.partial = append(t.partial, b...)
	if end := bytes.LastIndexByte(t.partial, '\n') + 1; end > 0 {
		for line := range bytes.Lines(t.partial[:end]) {
			if t.refuses(line) {
				return
			}
		}
		t.expect(t.partial[:end])
		t.partial = t.partial[end:]
	}
	if err := process.sendRaw(b); err != nil {
		t.unsent(err)
	}
}

// refuses says whether a frame must not be sent, because it would call a tool
// that must not be called. It is noted in the step, which ends with that.
func (t *Talk) refuses(frame []byte) bool {
	name, forbidden := t.forbidden(frame)
	if forbidden {
		t.note("not sent: the tool " + strconv.Quote(name) + " must not be called at this level")
		t.Outcome(lint.NotSent)
	}
	return forbidden
}

// forbidden finds the name of a tool that the frame would call and must not. The
// name may be empty: some servers have such a tool.
func (t *Talk) forbidden(frame []byte) (name string, found bool) {
	if !bytes.Contains(frame, []byte("tools/call")) || rawjson.Check(frame, rawjson.Limits{Depth: 1000}) != nil {
		return "", false
	}
	messages := [][]byte{frame}
	if rawjson.KindOf(frame) == rawjson.Array {
		messages = slices.Collect(rawjson.Elements(frame))
	}
	for _, message := range messages {
		method, _ := lint.Text(lint.Member(message, "method"))
		name, _ := lint.Text(lint.Member(message, "params", "name"))
		if method == mcp.MethodCallTool && t.s.isTool(name) && !t.s.MayCall(name) {
			return name, true
		}
	}
	return "", false
}

// expect makes room for the answers to the requests in a text of one or more
// lines.
func (t *Talk) expect(text []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || rawjson.Check(line, rawjson.Limits{Depth: 1000}) != nil {
			continue
		}
		messages := [][]byte{line}
		if rawjson.KindOf(line) == rawjson.Array {
			messages = slices.Collect(rawjson.Elements(line))
		}
		for _, message := range messages {
			if id := lint.Member(message, "id"); id != nil && lint.Member(message, "method") != nil {
				t.pending[lint.IDKey(id)] = make(chan *Reply, 1)
			}
		}
	}
}

// Await waits for the answer to a request of the current step that was sent.
func (t *Talk) Await(id string) *Reply { return t.await(id, t.patience()) }

// AwaitFor is Await with a limit of the caller's.
func (t *Talk) AwaitFor(id string, limit time.Duration) *Reply { return t.await(id, limit) }

func (t *Talk) await(id string, limit time.Duration) *Reply {
	t.mu.Lock()
	answer := t.pending[lint.IDKey([]byte(id))]
	t.mu.Unlock()
	if answer == nil {
		return &Reply{Lost: true}
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case reply := <-answer: // or a refusal, which is an answer as well
		t.change(func() { t.silent = 0 })
		t.Outcome(lint.Done)
		return reply
	case <-timer.C:
		t.change(func() { t.silent++ })
		t.Outcome(lint.Silent)
		return &Reply{Silent: true}
	case <-t.ended:
	case <-t.ctx.Done():
		t.end(context.Cause(t.ctx).Error())
	}
	select {
	case reply := <-answer: // it came with the end
		return reply
	default:
	}
	t.Outcome(lint.Lost)
	return &Reply{Lost: true}
}

// Wait stays in the current step for a while.
func (t *Talk) Wait(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.ended:
	case <-t.ctx.Done():
	}
}

// Alive is a step: a request that every server answers.
func (t *Talk) Alive() bool {
	method := mcp.MethodPing
	if t.opening.Modern {
		method = mcp.MethodDiscover
	}
	reply := t.Ask(step.Alive, "", method, "")
	return reply.Frame != nil
}

// Failed says whether the talk has ended, or could not be begun.
func (t *Talk) Failed() bool {
	select {
	case <-t.ended:
		return true
	default:
		return t.ctx.Err() != nil
	}
}

// Version is the one in use; in a legacy talk that has not agreed on one, it is
// empty.
func (t *Talk) Version() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.record.Revision
}

// Snapshot is the talk as it is now, for reading.
func (t *Talk) Snapshot() *lint.Talk { return t.snapshot() }

func (t *Talk) snapshot() *lint.Talk {
	t.mu.Lock()
	defer t.mu.Unlock()
	copied := *t.record
	copied.Steps = make([]*lint.Step, len(t.record.Steps))
	for i, s := range t.record.Steps {
		one := *s
		one.Events = slices.Clone(s.Events)
		for j := range one.Events {
			if x := one.Events[j].HTTP; x != nil {
				frozen := *x
				frozen.Answer, frozen.Times = slices.Clone(x.Answer), slices.Clone(x.Times)
				one.Events[j].HTTP = &frozen
			}
		}
		copied.Steps[i] = &one
	}
	alone := lint.Record{Talks: []*lint.Talk{&copied}}
	alone.Seal()
	return &copied
}

// Close ends the talk and adds it to the record.
func (t *Talk) Close() {
	t.Step(step.Close, "")
	t.close()
}

func (t *Talk) close() {
	if t.line != nil {
		t.line.close()
	}
	t.cancel()
	t.work.Wait()
	t.mu.Lock()
	if t.step.Name == step.Close && t.step.Outcome == lint.NotSent && t.record.Failure == "" {
		t.record.Failure = t.reason
	}
	t.finish(lint.Done)
	t.mu.Unlock()
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.s.talks = append(t.s.talks, t.record)
}

// fail ends a talk that cannot go on, without ending the connection.
func (t *Talk) fail(reason string) {
	t.mu.Lock()
	if t.reason == "" {
		t.record.Failure = t.s.redactor.String(reason)
	}
	t.mu.Unlock()
	t.end(reason)
}

// end says that the connection has ended.
func (t *Talk) end(reason string) { t.endBy(reason, false) }

// left ends a talk that the server has left.
func (t *Talk) left(reason string) { t.endBy(reason, true) }

// unsent ends a talk in which something could not be sent. Unless it was to end
// anyway, that is the server's doing.
func (t *Talk) unsent(err error) {
	if t.ctx.Err() != nil {
		t.end(err.Error())
		return
	}
	t.left(err.Error())
}

func (t *Talk) endBy(reason string, server bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reason != "" {
		return
	}
	t.record.Left = server
	t.reason = t.s.redactor.String(reason)
	if t.record.Failure == "" && (t.step == nil || t.step.Name != step.Close) {
		t.record.Failure = t.reason
	}
	close(t.ended)
}

// flooded ends a talk in which the server says more than can be written down.
// The step it happens in is lost: an answer may be in what is missing.
func (t *Talk) flooded() {
	t.Outcome(lint.Lost)
	t.end("there is no room to record all that the server says")
}

// add records an event in the current step, as long as there is room.
func (t *Talk) add(e lint.Event) {
	if !t.added(e) && e.Exit == nil {
		t.flooded()
	}
}

func (t *Talk) added(e lint.Event) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	size := len(e.Sent) + len(e.Received) + len(e.Stderr) + len(e.Note)
	if e.Exit == nil && (size > t.room() || t.events >= talkEvents) {
		t.record.Truncated++
		return false
	}
	t.keep(size)
	t.events++
	e.At = time.Since(t.begin)
	e.Sent, e.Received = t.s.redactor.Bytes(e.Sent), t.s.redactor.Bytes(e.Received)
	t.step.Events = append(t.step.Events, e)
	return true
}

// room is how many bytes can still be kept, of this talk and of all.
func (t *Talk) room() int { return min(talkBytes-t.bytes, recordBytes-int(t.s.kept.Load())) }

// keep takes bytes of the room.
func (t *Talk) keep(n int) {
	t.bytes += n
	t.s.kept.Add(int64(n))
}

func (t *Talk) note(text string) { t.add(lint.Event{Note: t.s.redactor.String(text)}) }

// deliver takes a frame from the server: it goes to whoever waits for it, and
// what the server asks is answered.
func (t *Talk) deliver(frame []byte, x *lint.Exchange) {
	t.s.mu.Lock()
	t.s.largest = max(t.s.largest, len(frame))
	t.s.mu.Unlock()
	frame = bytes.TrimSpace(frame)
	if len(frame) == 0 || rawjson.Check(frame, rawjson.Limits{Depth: 1000}) != nil {
		return
	}
	if rawjson.KindOf(frame) == rawjson.Array {
		for element := range rawjson.Elements(frame) {
			t.deliverOne(element, x)
		}
		return
	}
	t.deliverOne(frame, x)
}

func (t *Talk) deliverOne(message []byte, x *lint.Exchange) {
	id := lint.Member(message, "id")
	switch method := lint.Member(message, "method"); {
	case method != nil && id != nil:
		t.answer(id, method)
	case method == nil && id != nil:
		reply := &Reply{Frame: message, Result: lint.Member(message, "result"), Error: lint.Member(message, "error"), HTTP: x}
		reply.Code, _ = strconv.Atoi(string(lint.Member(reply.Error, "code")))
		t.settle(string(id), reply)
	}
}

// settle hands a reply to whoever waits for it. The first one counts.
func (t *Talk) settle(id string, reply *Reply) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if waiting := t.pending[lint.IDKey([]byte(id))]; waiting != nil {
		select {
		case waiting <- reply:
		default:
		}
	}
}

// tools are those of a main talk.
func tools(main *lint.Talk) []lint.Item { return main.Items(step.List, mcp.MethodListTools) }

var errNoCommand = errors.New("only a command has a process")

// commandOf returns the command of a target.
func (s *Server) commandOf() (client.Command, error) {
	command, ok := s.target.(client.Command)
	if !ok {
		return command, errNoCommand
	}
	return command, nil
}

// isRequest says whether a frame is one request, with its id.
func isRequest(frame []byte) (id string, ok bool) {
	if rawjson.Check(frame, rawjson.Limits{Depth: 1000}) != nil || rawjson.KindOf(bytes.TrimSpace(frame)) != rawjson.Object {
		return "", false
	}
	raw := lint.Member(frame, "id")
	return string(raw), raw != nil && lint.Member(frame, "method") != nil
}

// AskLong is Ask with all the time that a request may take.
func (t *Talk) AskLong(name, about, method, params string) *Reply {
	return t.ask(name, about, method, params, t.s.opts.Client.Timeouts.Request)
}

// Rename gives the talk another phase, when it turns out to be something else.
func (t *Talk) Rename(phase string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.record.Phase = phase
}

// Adopt goes on in another version, in a modern talk.
func (t *Talk) Adopt(version string) {
	if version == "" {
		return
	}
	t.opening.Version = version
	t.mu.Lock()
	defer t.mu.Unlock()
	t.record.Revision, t.record.Asked = version, version
}

// Fail ends the talk for a reason.
func (t *Talk) Fail(reason string) { t.fail(reason) }

// GiveUp answers everything that is waited for with silence. Other goroutines
// may call it.
func (t *Talk) GiveUp() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, waiting := range t.pending {
		select {
		case waiting <- &Reply{Silent: true}:
		default:
		}
	}
}
