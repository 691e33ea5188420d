package client

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/internal/secret"
	"mcpworks/internal/version"
	"mcpworks/mcp"
)

// Options say how to talk to a server. What is left zero has the default that
// is named beside it.
type Options struct {
	// Info names the program; without a name it is that of this module.
	Info mcp.Implementation

	// What a server may ask of the client. Each is declared if and only if it
	// is set; what is not declared is refused.
	//
	// Sampling asks a model: it gets the params of sampling/createMessage and
	// returns its result. ErrRejected says that the user does not want it.
	Sampling func(ctx context.Context, params json.RawMessage) (json.RawMessage, error)
	// SamplingTools says that Sampling lets the model use tools.
	SamplingTools bool
	// ElicitForm has the user fill in a form. What was accepted is completed
	// with the form's defaults and held to its schema before it is sent.
	ElicitForm func(ctx context.Context, form Form) (mcp.ElicitResult, error)
	// ElicitURL asks the user for leave to open an address. It must show the
	// whole of it, not fetch it, and not open it through a shell.
	ElicitURL func(ctx context.Context, visit Visit) (mcp.ElicitResult, error)
	// Roots lists the folders the client works in.
	Roots func(ctx context.Context) ([]Root, error)

	// On is told what the server says unasked.
	On Notifications

	// Era restricts which protocol is tried; Auto by default.
	Era Era
	// Revision is the only one to speak. It says the era, too, and nothing
	// falls back from it; nil means the newest that both sides have.
	Revision *mcp.Revision
	// AcceptUnknown goes on with a server that answers initialize with a
	// version nobody knows, as if it were the newest with a handshake.
	AcceptUnknown bool

	Timeouts Timeouts
	Limits   Limits
	// Restarts is how often a command is started again after it died in the
	// middle of the conversation; 0 means never. Requests in flight are lost,
	// subscriptions are renewed.
	Restarts int

	// Way is how a URL is spoken to; AnyWay by default.
	Way Way
	// Eras remembers what URLs speak from one session to the next; nil means
	// that each finds out for itself.
	Eras *Eras
	// Header is sent with every HTTP request to the server's own origin.
	Header http.Header
	// Authorize is called with every HTTP request, to add what changes with
	// time; nil means nothing.
	Authorize func(*http.Request) error
	// HTTPClient sends them; nil means one that follows redirects only within
	// the origin.
	HTTPClient *http.Client

	// Log gets what is odd but not wrong enough to fail; nil means nowhere.
	Log *slog.Logger
	// Recorder gets everything that is said; nil means nobody.
	Recorder Recorder
	// Secrets are taken out of what is recorded, beside the credentials in
	// Header and in the environment of a Command.
	Secrets []secret.String
}

// An Era is a family of revisions.
type Era int

// Auto tries the modern era first and falls back. Legacy begins with
// initialize. Modern does not fall back.
const (
	Auto Era = iota
	Legacy
	Modern
)

// A Way is an HTTP transport.
type Way int

// AnyWay tries Streamable HTTP first, then HTTP+SSE.
const (
	AnyWay Way = iota
	Streamable
	SSE
)

// Timeouts bound how long things take; zero means the default.
type Timeouts struct {
	// Probe is how long a server has to answer the first modern request before
	// it is taken for a legacy one; 5 s. Over HTTP there is no such guess.
	Probe time.Duration
	// Open is how long Connect may take, all tries together; 30 s.
	Open time.Duration
	// Request is how long one answer may take; 60 s. Progress begins it anew
	// where CallOptions ask for progress. Negative means up to Most.
	Request time.Duration
	// Most is how long one answer may take with any progress; 10 min.
	Most time.Duration
}

// Limits bound what a server can cost; zero means the default.
type Limits struct {
	Message       int // bytes of one message; 4 MiB
	Depth         int // nesting of one message; 64
	Pages         int // of one list; 1000
	Items         int // of one list; 100,000
	ListBytes     int // of all pages of one list; 64 MiB
	Rounds        int // of questions before one answer; 8
	Questions     int // requests of the server handled at once; 16
	Notifications int // that wait to be told; 1024, then the oldest is dropped
}

// CallOptions are for single requests; see Session.With.
type CallOptions struct {
	// Timeout stands in for Timeouts.Request.
	Timeout time.Duration
	// Progress is told how far the request is, in order, by one goroutine. It
	// has returned for the last time when the request returns.
	Progress func(Progress)
	// Meta has further members of the request's _meta. Those of the protocol
	// can be replaced.
	Meta mcp.Meta
	// Force sends also what the server does not offer.
	Force bool
}

// A Progress says how far a request is.
type Progress struct {
	Progress float64
	Total    float64 // 0 is unknown
	Message  string
}

// setDefaults completes and checks the options.
func (o *Options) setDefaults() error {
	if o.Info.Name == "" {
		o.Info.Name = "mcpworks"
	}
	if o.Info.Version == "" {
		o.Info.Version = version.Number
	}
	if o.Revision != nil {
		era := Legacy
		if o.Revision.Modern {
			era = Modern
		}
		if o.Era != Auto && o.Era != era {
			return errors.New("the revision is not of the era")
		}
		o.Era = era
	}
	if o.SamplingTools && o.Sampling == nil {
		return errors.New("tools for sampling without sampling")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Timeouts.setDefaults()
	return o.Limits.setDefaults()
}

func (t *Timeouts) setDefaults() {
	for _, timeout := range []struct {
		value    *time.Duration
		fallback time.Duration
	}{
		{&t.Probe, 5 * time.Second}, {&t.Open, 30 * time.Second}, {&t.Request, time.Minute}, {&t.Most, 10 * time.Minute},
	} {
		if *timeout.value == 0 {
			*timeout.value = timeout.fallback
		}
	}
}

func (l *Limits) setDefaults() error {
	for _, limit := range []struct {
		value    *int
		fallback int
	}{
		{&l.Message, 4 << 20}, {&l.Depth, 64}, {&l.Pages, 1000}, {&l.Items, 100_000}, {&l.ListBytes, 64 << 20}, {&l.Rounds, 8},
		{&l.Questions, 16}, {&l.Notifications, 1024},
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

func (l *Limits) json() rawjson.Limits { return rawjson.Limits{Depth: l.Depth} }

// capabilities is what the client declares: what it has a handler for.
func (o *Options) capabilities() mcp.ClientCapabilities {
	return mcp.ClientCapabilities{
		Roots:          o.Roots != nil,
		Sampling:       o.Sampling != nil,
		SamplingTools:  o.SamplingTools,
		Elicitation:    o.ElicitForm != nil,
		ElicitationURL: o.ElicitURL != nil,
	}
}
