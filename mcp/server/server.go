// Package server answers MCP clients of every protocol revision, on any
// transport, from one declared set of tools, resources and prompts.
//
// A request goes through this package in the order of its files: [Server.Serve]
// reads a frame (serve.go), its session makes it a [Request] with revision and
// client (session.go, request.go), the method table says who answers
// (method.go), a free slot is found (schedule.go), and the handler's result is
// encoded and written (answer.go, errors.go).
package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// Options declare a server. What is left out does not exist: the server
// advertises exactly the capabilities its options have.
type Options struct {
	// Info names the program; name and version are required.
	Info mcp.Implementation
	// Instructions are for the model, optional.
	Instructions string
	// Revisions restricts what is served; empty means all.
	Revisions []*mcp.Revision

	Tools     []Tool
	Resources []Resource
	Templates []ResourceTemplate
	Prompts   []Prompt
	// ListResources returns what is listed behind Resources, for resources
	// that come and go without anybody being told; templates read them. nil
	// means that there are none.
	ListResources func(context.Context, *Request) ([]mcp.Resource, error)
	// Complete suggests values for prompt arguments and template variables;
	// nil means that there is no completion.
	Complete func(context.Context, *CompleteCall) (*mcp.CompleteResult, error)

	// Logging says that handlers may send log messages to the client.
	Logging bool
	// ListChanged says that the lists may change while serving; without it
	// the Set methods refuse.
	ListChanged bool
	// Subscribe says that clients may watch resources.
	Subscribe bool
	// KeepOrder lists definitions as given instead of sorted by name.
	KeepOrder bool
	// PageSize is how many definitions one page of a list has; 0 means all.
	PageSize int
	// Cache is what modern clients are told about lists and discovery; zero
	// means private and stale at once.
	Cache mcp.Cache

	// InitializeMembers are extra members of the initialize result.
	InitializeMembers mcp.Members
	// UnknownTool makes the error for a tool that is not there; nil means
	// invalid params, naming the tool.
	UnknownTool func(name string) error
	// BadArguments answers a call whose arguments break the tool's schema;
	// nil means a failed tool result that lists what is wrong.
	BadArguments func(tool string, violations []Violation) (*mcp.CallToolResult, error)

	// Connect makes what handlers keep for a connection, when the first of
	// them asks for it; see Request.Connection.
	Connect func() any
	// Dialect changes what is said around the methods; nil means the protocol.
	Dialect *Dialect
	// Middleware wraps the answering of every request; the first is outermost.
	Middleware []func(Handler) Handler

	Limits Limits
	// Drain is how long calls in flight may go on after the end of input or a
	// request to stop; 0 means 3 seconds, negative means not at all.
	Drain time.Duration
	// DrainOnStop is the same for a request to stop alone; 0 means as Drain.
	DrainOnStop time.Duration
	// Log gets what the client must not see; nil means nowhere.
	Log *slog.Logger
	// StateKey signs the state that modern clients carry between the rounds
	// of one request; nil means a random key of this process.
	StateKey []byte
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Limits bound what one connection can cost; zero means the default.
type Limits struct {
	Depth         int // nesting of one message; 64
	StringBytes   int // one JSON string; as long as the message
	Values        int // values in one message; 100,000
	Calls         int // requests being handled at once; 64
	Waiting       int // requests waiting for that; 256
	WaitingBytes  int // and their size; 16 MiB
	Batch         int // messages in one batch; 100
	Subscriptions int // open subscriptions/listen requests; 16
	URIs          int // watched resources; 1024
}

func (l *Limits) setDefaults() error {
	for _, limit := range []struct {
		value    *int
		fallback int
	}{
		{&l.Depth, 64}, {&l.Values, 100_000}, {&l.Calls, 64}, {&l.Waiting, 256}, {&l.WaitingBytes, 16 << 20},
		{&l.Batch, 100}, {&l.Subscriptions, 16}, {&l.URIs, 1024},
	} {
		if *limit.value < 0 {
			return errors.New("a limit cannot be negative")
		}
		if *limit.value == 0 {
			*limit.value = limit.fallback
		}
	}
	return nil
}

// A Handler answers requests of any method.
type Handler func(context.Context, *Request) (mcp.Result, error)

// Violation is one way in which arguments break their schema.
type Violation = jsonschema.Violation

// A Server serves any number of connections at once.
type Server struct {
	opts       Options
	dialect    Dialect
	json       rawjson.Limits
	versions   []string // all served, newest first
	serverMeta []byte   // the _meta of every modern result
	stateKey   []byte
	handle     Handler // the methods, inside the middleware

	tools     atomic.Pointer[catalog[*registeredTool]]
	resources atomic.Pointer[catalog[*Resource]]
	templates atomic.Pointer[catalog[*registeredTemplate]]
	prompts   atomic.Pointer[catalog[*Prompt]]

	mu       sync.Mutex
	sessions map[*session]struct{}
	ending   bool // nobody may begin to listen
}

// New checks the declaration and returns the server.
func New(opts Options) (*Server, error) {
	if opts.Info.Name == "" || opts.Info.Version == "" {
		return nil, errors.New("a server needs a name and a version")
	}
	if len(opts.Revisions) == 0 {
		opts.Revisions = mcp.Revisions()
	}
	opts.Revisions = slices.Clone(opts.Revisions)
	slices.SortFunc(opts.Revisions, func(a, b *mcp.Revision) int { return strings.Compare(b.Version, a.Version) })
	if err := opts.Limits.setDefaults(); err != nil {
		return nil, err
	}
	if rawjson.Check(fmt.Appendf(nil, "{%s}", opts.InitializeMembers), rawjson.Limits{}) != nil {
		return nil, errors.New("the extra members of initialize are not JSON")
	}
	if opts.Drain == 0 {
		opts.Drain = 3 * time.Second
	}
	if opts.DrainOnStop == 0 {
		opts.DrainOnStop = opts.Drain
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	srv := &Server{
		opts:     opts,
		json:     rawjson.Limits{Depth: opts.Limits.Depth, StringBytes: opts.Limits.StringBytes, Values: opts.Limits.Values},
		stateKey: opts.StateKey,
		sessions: map[*session]struct{}{},
	}
	if opts.Dialect != nil {
		srv.dialect = *opts.Dialect
	}
	if srv.stateKey == nil {
		srv.stateKey = make([]byte, 32)
		_, _ = rand.Read(srv.stateKey) // never fails
	}
	srv.handle = func(ctx context.Context, r *Request) (mcp.Result, error) { return r.method.run(srv, ctx, r) }
	for _, wrap := range slices.Backward(opts.Middleware) {
		srv.handle = wrap(srv.handle)
	}
	for _, rev := range opts.Revisions {
		srv.versions = append(srv.versions, rev.Version)
	}
	meta := rawjson.Begin(nil)
	meta.Set(opts.Info.AppendJSON(meta.Name(mcp.MetaServerInfo), mcp.V20260728))
	srv.serverMeta = meta.End()
	err := errors.Join(
		srv.storeTools(opts.Tools), srv.storeResources(opts.Resources),
		srv.storeTemplates(opts.Templates), srv.storePrompts(opts.Prompts),
	)
	if err != nil {
		return nil, err
	}
	return srv, nil
}

// SetTools, SetResources and SetPrompts replace a list while serving and tell
// the clients. They need ListChanged.
func (srv *Server) SetTools(tools ...Tool) error {
	return srv.change(changedTools, func() error { return srv.storeTools(tools) })
}

func (srv *Server) SetResources(resources ...Resource) error {
	return srv.change(changedResources, func() error { return srv.storeResources(resources) })
}

func (srv *Server) SetPrompts(prompts ...Prompt) error {
	return srv.change(changedPrompts, func() error { return srv.storePrompts(prompts) })
}

func (srv *Server) change(what change, store func() error) error {
	if !srv.opts.ListChanged {
		return errors.New("the lists of this server were declared not to change")
	}
	if !srv.announces(what) {
		return errors.New("the server was made without such a list")
	}
	if err := store(); err != nil {
		return err
	}
	for _, s := range srv.openSessions() {
		s.listChanged(what)
	}
	return nil
}

// ResourceUpdated tells the clients that watch a resource to read it again.
func (srv *Server) ResourceUpdated(uri string) {
	for _, s := range srv.openSessions() {
		s.resourceUpdated(uri)
	}
}

func (srv *Server) openSessions() []*session {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	open := make([]*session, 0, len(srv.sessions))
	for s := range srv.sessions {
		open = append(open, s)
	}
	return open
}

// legacy returns the newest revision that initialize can answer, or nil.
func (srv *Server) legacy() *mcp.Revision {
	for _, rev := range srv.opts.Revisions {
		if !rev.Modern {
			return rev
		}
	}
	return nil
}

// serves returns the revision whose version a checked string literal holds, if
// this server speaks it.
func (srv *Server) serves(version []byte) *mcp.Revision {
	for _, rev := range srv.opts.Revisions {
		if rawjson.IsString(version, rev.Version) {
			return rev
		}
	}
	return nil
}

// appendCapabilities appends what the server can do, as the revision says it.
func (srv *Server) appendCapabilities(dst []byte, rev *mcp.Revision) []byte {
	o := rawjson.Begin(dst)
	list := func(name string, have, subscribe bool) {
		if !have {
			return
		}
		inner := rawjson.Begin(o.Name(name))
		if srv.opts.ListChanged {
			inner.Bool("listChanged", true)
		}
		if subscribe {
			inner.Bool("subscribe", true)
		}
		o.Set(inner.End())
	}
	if srv.opts.Complete != nil && rev.CompletionsCapability {
		o.Raw("completions", []byte("{}"))
	}
	if srv.opts.Logging {
		o.Raw("logging", []byte("{}"))
	}
	list("prompts", srv.hasPrompts(), false)
	list("resources", srv.hasResources(), srv.opts.Subscribe)
	list("tools", srv.hasTools(), false)
	return o.End()
}

func (srv *Server) hasTools() bool   { return len(srv.opts.Tools) > 0 }
func (srv *Server) hasPrompts() bool { return len(srv.opts.Prompts) > 0 }
func (srv *Server) hasResources() bool {
	return len(srv.opts.Resources)+len(srv.opts.Templates) > 0
}

func (srv *Server) modern() bool        { return srv.opts.Revisions[0].Modern }
func (srv *Server) hasLogging() bool    { return srv.opts.Logging }
func (srv *Server) hasCompletion() bool { return srv.opts.Complete != nil }
func (srv *Server) hasSubscribe() bool  { return srv.opts.Subscribe && srv.hasResources() }

var errDuplicate = errors.New("is declared twice")

func declared(kind, name string, err error) error {
	return fmt.Errorf("%s %q: %w", kind, name, err)
}
