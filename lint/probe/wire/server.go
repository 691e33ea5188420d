// Package wire holds rude conversations: it sends whatever a prober wants to
// send, in any order, and writes down every byte that goes or comes.
//
// A Server is where the server is and what is known of it. Open begins a Talk,
// which is driven by one goroutine, step by step (talk.go), over a process
// (process.go), single HTTP requests (http.go) or an event stream with them
// (sse.go). What the server asks is answered on the side (asked.go). Close ends
// the talk and adds it to the record.
package wire

import (
	"cmp"
	"context"
	"encoding/base64"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/internal/secret"
	"mcpworks/lint"
	"mcpworks/mcp/client"
)

// The names of transports in records.
const (
	Stdio      = "stdio"
	Streamable = "streamable_http"
	SSE        = "sse"
)

// Options say how to talk to a server.
type Options struct {
	// Client has the time-outs, headers, HTTP client and secrets; what it says
	// about eras and handlers is not used.
	Client client.Options
	Level  lint.Level
	// Tools names tools that may be called whatever their annotations say.
	Tools []string
	// OpenWorld allows to call read-only tools that reach out.
	OpenWorld bool
	// Package is what the command runs, if that is known.
	Package lint.Package
	// Shown is the target as it may be shown, without secrets.
	Shown string
}

// A Server is a server under test.
type Server struct {
	target   client.Target
	opts     Options
	url      *url.URL // nil for a command
	http     *http.Client
	redactor *secret.Redactor
	kept     atomic.Int64 // bytes in the records of all talks

	mu        sync.Mutex
	transport string
	folder    string // that the client claims to work in; empty until somebody asks
	legacy    *lint.Talk
	modern    *lint.Talk
	talks     []*lint.Talk
	largest   int // message seen so far
}

// A Plan is one talk, or a few that follow each other. Plans run side by side.
type Plan struct {
	Phase string
	Level lint.Level
	Run   func(ctx context.Context, s *Server)
}

// NewServer returns a server that nobody has talked to yet.
func NewServer(target client.Target, opts Options) (*Server, error) {
	s := &Server{target: target, opts: opts, transport: Stdio, redactor: redactorOf(target, opts.Client)}
	s.opts.Client.Timeouts.Request = cmp.Or(opts.Client.Timeouts.Request, 30*time.Second)
	s.opts.Client.Timeouts.Open = cmp.Or(opts.Client.Timeouts.Open, 30*time.Second)
	address, ok := target.(client.URL)
	if !ok {
		return s, nil
	}
	var err error
	if s.url, err = url.Parse(string(address)); err != nil {
		return nil, err
	}
	s.transport = Streamable
	s.http = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	s.http.Transport = http.DefaultTransport
	if given := opts.Client.HTTPClient; given != nil && given.Transport != nil {
		s.http.Transport = given.Transport
	}
	if known, ok := s.http.Transport.(*http.Transport); ok {
		own := known.Clone()
		own.DisableCompression = true // it holds back events
		own.MaxIdleConnsPerHost = 16
		own.MaxResponseHeaderBytes = headerBytes
		s.http.Transport = own
	}
	return s, nil
}

// NewTransport is how the server is reached over HTTP, by connections of its
// own: with the same certificates and proxies.
func (s *Server) NewTransport() *http.Transport {
	usual, ok := s.http.Transport.(*http.Transport)
	if !ok {
		usual = http.DefaultTransport.(*http.Transport)
	}
	own := usual.Clone()
	own.DisableCompression = true
	return own
}

// redactorOf knows the secrets of the options, and those that are in a URL, in
// the form in which HTTP sends them, too.
func redactorOf(target client.Target, opts client.Options) *secret.Redactor {
	address, _ := target.(client.URL)
	if u, err := url.Parse(string(address)); err == nil && u.User != nil {
		password, _ := u.User.Password()
		coded := base64.StdEncoding.EncodeToString([]byte(u.User.Username() + ":" + password))
		opts.Secrets = append(slices.Clone(opts.Secrets), secret.New(coded))
		if len(password) >= shortestSecret {
			opts.Secrets = append(opts.Secrets, secret.New(password))
		}
	}
	return client.Redactor(target, opts)
}

// shortestSecret is what a password must have to be looked for everywhere.
const shortestSecret = 6

// shownURL is a URL as it may be recorded.
func (s *Server) shownURL(address string) string {
	if u, err := url.Parse(address); err == nil && u.User != nil {
		address = u.Redacted()
	}
	return s.redactor.String(address)
}

// Finish drops idle connections and the folder that was claimed.
func (s *Server) Finish() {
	if s.http != nil {
		s.http.CloseIdleConnections()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folder != "" {
		_ = os.RemoveAll(s.folder) // it is in the folder for such things
		s.folder = ""
	}
}

// Transport is how the server is spoken to.
func (s *Server) Transport() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.transport
}

// SetTransport is for whoever finds out that it is another.
func (s *Server) SetTransport(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.transport = name
}

// Level is what may be sent.
func (s *Server) Level() lint.Level { return s.opts.Level }

// URL is where the server is; empty for a command.
func (s *Server) URL() string {
	if s.url == nil {
		return ""
	}
	return s.url.String()
}

// IsLoopback says whether the server is a URL on this machine.
func (s *Server) IsLoopback() bool {
	if s.url == nil {
		return false
	}
	host := s.url.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// HasCredentials says whether the user has given any.
func (s *Server) HasCredentials() bool {
	return s.url != nil && (s.opts.Client.Header.Get("Authorization") != "" || s.opts.Client.Authorize != nil || len(s.opts.Client.Secrets) > 0)
}

// Startup is how long the server may take to give its first answer.
func (s *Server) Startup() time.Duration { return s.opts.Client.Timeouts.Open }

// Legacy is the main talk of the legacy era as far as it has come, for reading;
// nil if the server does not speak it.
func (s *Server) Legacy() *lint.Talk { return s.main(&s.legacy) }

// Modern is that of the modern era.
func (s *Server) Modern() *lint.Talk { return s.main(&s.modern) }

func (s *Server) main(talk **lint.Talk) *lint.Talk {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *talk
}

// Introduce makes a talk as it is now the main one of its era.
func (s *Server) Introduce(t *Talk) {
	main := t.snapshot()
	s.mu.Lock()
	defer s.mu.Unlock()
	if main.Modern {
		s.modern = main
	} else {
		s.legacy = main
	}
}

// MayCall says whether a tool may be called (B2): the user has named it, or it
// says of itself that it only reads.
func (s *Server) MayCall(tool string) bool {
	if s.opts.Level < lint.Call {
		return false
	}
	if slices.Contains(s.opts.Tools, tool) {
		return true
	}
	known := false
	for _, main := range []*lint.Talk{s.Legacy(), s.Modern()} {
		if main == nil {
			continue
		}
		for _, item := range tools(main) {
			if item.Name != tool {
				continue
			}
			if known = s.isHarmless(item.Raw); !known {
				return false
			}
		}
	}
	return known
}

func (s *Server) isHarmless(tool []byte) bool {
	hints := lint.Member(tool, "annotations")
	return string(lint.Member(hints, "readOnlyHint")) == "true" &&
		(s.opts.OpenWorld || string(lint.Member(hints, "openWorldHint")) != "true")
}

// isTool says whether the server has a tool of that name, as far as is known.
func (s *Server) isTool(name string) bool {
	for _, main := range []*lint.Talk{s.Legacy(), s.Modern()} {
		if main != nil && slices.ContainsFunc(tools(main), func(item lint.Item) bool { return item.Name == name }) {
			return true
		}
	}
	return false
}

// Record is everything that was said, in a fixed order. It is to be called when
// all talks are closed.
func (s *Server) Record() *lint.Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	record := &lint.Record{Level: s.opts.Level, Talks: slices.Clone(s.talks), Target: lint.Target{
		Shown: s.opts.Shown, Loopback: s.IsLoopback(), Credentials: s.HasCredentials(), Package: s.opts.Package,
	}}
	if s.url != nil {
		record.Target.URL = s.shownURL(s.url.String())
	}
	slices.SortStableFunc(record.Talks, func(a, b *lint.Talk) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Asked, b.Asked), cmp.Compare(course(a), course(b)))
	})
	record.Seal()
	return record
}

// course is what was done in a talk.
func course(t *lint.Talk) string {
	var course strings.Builder
	for _, s := range t.Steps {
		course.WriteString(s.Label() + "\n")
	}
	return course.String()
}

// rank has the main talks come first, and the eras one after the other.
func rank(t *lint.Talk) int {
	rank := 2
	if t.Phase == "main" {
		rank = 0
	}
	if t.Modern {
		rank++
	}
	return rank
}

// largestMessage bounds a message: nobody knows how large the first talk's will
// be, and the later ones will hardly be much larger.
func (s *Server) largestMessage() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.legacy == nil && s.modern == nil {
		return firstMessageBytes
	}
	return min(firstMessageBytes, max(laterMessageBytes, 4*s.largest))
}

const (
	firstMessageBytes = 64 << 20 // A2.9
	laterMessageBytes = 4 << 20
	// headerBytes bounds the head of a response.
	headerBytes = 256 << 10
	// talkBytes is how much of a talk is kept.
	talkBytes = 24 << 20
	// recordBytes is how much of all talks is kept.
	recordBytes = 96 << 20
	// talkEvents is how many events are kept.
	talkEvents = 20_000
)

// members returns the members of an object's text without its braces.
func members(object string) string {
	object = strings.TrimSpace(object)
	if rawjson.KindOf([]byte(object)) != rawjson.Object {
		return ""
	}
	return strings.TrimSpace(object[1 : len(object)-1])
}
