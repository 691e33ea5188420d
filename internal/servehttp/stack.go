package servehttp

import (
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"mcpworks/internal/httpguard"
	"mcpworks/internal/ratelimit"
)

// StackConfig is the policy of a program: who may speak, how often and how
// much. The zero value serves pages and programs of this machine, without
// token.
type StackConfig struct {
	// Hosts are the names by which the server may be addressed.
	Hosts httpguard.Hosts
	// Origins are the foreign origins whose pages may use the server.
	Origins []string
	// AnyOrigin are paths that pages of every origin may use, by contract.
	AnyOrigin []string
	// Tokens are the bearer tokens, one of which each request must carry; nil
	// means that none is asked for.
	Tokens *httpguard.Tokens
	// Realm is named in challenges.
	Realm string
	// NoToken are the paths that GET and HEAD need no token for.
	NoToken []string
	// Rate is how often one client may ask.
	Rate ratelimit.Config
	// InFlight is how many requests there are at once.
	InFlight ratelimit.GateConfig
	// Unlimited are the paths that neither of the two counts.
	Unlimited []string
	// MaxBody is the longest body in bytes; 0 means 8 MiB, more than any
	// transport takes, so that each can refuse in its own words.
	MaxBody int64
	// BodyTimeout is how long a body may take to arrive; 0 means 30 seconds.
	BodyTimeout time.Duration
	// HTTPS says that the server is reached by https: browsers are told so.
	HTTPS bool
	// Quiet are the paths whose requests are logged at level debug.
	Quiet []string
	// Log gets one line per request; nil means nowhere.
	Log *slog.Logger
}

// Stack returns what stands in front of a handler. This is the one place where
// guards are stacked; the list is from the outside in.
func Stack(cfg StackConfig) (httpguard.Middleware, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	setDefault(&cfg.MaxBody, 8<<20)
	setDefault(&cfg.BodyTimeout, 30*time.Second)
	var failures []error
	checked := func(guard httpguard.Middleware, err error) httpguard.Middleware {
		failures = append(failures, err)
		return guard
	}
	client := ratelimit.ClientConfig{Principal: Principal, Refuse: refuseLimit}

	guards := []httpguard.Middleware{
		identify,
		accessLog(cfg.Log, cfg.Quiet),
		httpguard.Headers(httpguard.HeadersConfig{Streams: true, StrictTransport: cfg.strictTransport()}),
		limitTime, // before whoever refuses: what is left of a refused body is read, too
		limitBody(cfg.MaxBody, cfg.BodyTimeout),
		checked(httpguard.Host(httpguard.HostConfig{Hosts: cfg.Hosts, Refuse: refuse})),
		except(cfg.AnyOrigin, checked(httpguard.Origin(httpguard.OriginConfig{Hosts: cfg.Hosts, Origins: cfg.Origins, Refuse: refuse}))),
		except(cfg.AnyOrigin, checked(httpguard.CORS(cfg.cors()))),
		onlyFor(cfg.AnyOrigin, checked(httpguard.CORS(cfg.openCORS()))),
		httpguard.Discovery404,
		checked(cfg.bearer()),
		except(cfg.Unlimited, checked(ratelimit.PerClient(ratelimit.PerClientConfig{Config: cfg.Rate, ClientConfig: client}))),
		except(cfg.Unlimited, checked(ratelimit.InFlight(ratelimit.InFlightConfig{GateConfig: cfg.InFlight, ClientConfig: client}))),
	}

	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	return func(handler http.Handler) http.Handler {
		for _, guard := range slices.Backward(guards) {
			handler = guard(handler)
		}
		return handler
	}, nil
}

// Principal returns the name of who sent a request, empty if that is not known.
func Principal(r *http.Request) string {
	principal, _ := httpguard.PrincipalFrom(r.Context())
	return principal.Name
}

func (cfg StackConfig) strictTransport() time.Duration {
	if cfg.HTTPS {
		return 365 * 24 * time.Hour
	}
	return 0
}

// cors grants the foreign origins what MCP clients in a browser need.
func (cfg StackConfig) cors() httpguard.CORSConfig {
	return httpguard.CORSConfig{
		Origins: cfg.Origins,
		Methods: []string{"GET", "POST", "DELETE"},
		Headers: []string{"Content-Type", "Authorization", "Mcp-Protocol-Version", "Mcp-Session-Id", "Mcp-Method", "Mcp-Name", "Last-Event-Id"},
		Expose:  []string{"Mcp-Session-Id", "WWW-Authenticate", "Retry-After", headerRequestID},
	}
}

// openCORS is for paths that every page may use: a page needs a preflight
// without token, and to read why it was refused.
func (cfg StackConfig) openCORS() httpguard.CORSConfig {
	return httpguard.CORSConfig{
		AnyOrigin: true, Methods: []string{"POST", "OPTIONS"}, Headers: []string{"Content-Type", "Authorization"},
		PreflightStatus: http.StatusOK,
	}
}

func (cfg StackConfig) bearer() (httpguard.Middleware, error) {
	if cfg.Tokens == nil {
		return func(next http.Handler) http.Handler { return next }, nil
	}
	return httpguard.Bearer(httpguard.BearerConfig{Tokens: cfg.Tokens, Realm: cfg.Realm, Exempt: cfg.NoToken, Refuse: refuse})
}

// except keeps a guard away from some paths, onlyFor puts it before these alone.
func except(paths []string, guard httpguard.Middleware) httpguard.Middleware {
	return choose(guard, func(r *http.Request) bool { return !slices.Contains(paths, r.URL.Path) })
}

func onlyFor(paths []string, guard httpguard.Middleware) httpguard.Middleware {
	return choose(guard, func(r *http.Request) bool { return slices.Contains(paths, r.URL.Path) })
}

func choose(guard httpguard.Middleware, guards func(*http.Request) bool) httpguard.Middleware {
	return func(next http.Handler) http.Handler {
		if guard == nil { // its error is reported by Stack
			return next
		}
		guarded := guard(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if guards(r) {
				guarded.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// refuse and refuseLimit dress a guard's no as the path's other errors are
// dressed.
func refuse(w http.ResponseWriter, r *http.Request, refusal httpguard.Refusal) {
	if isREST(r) {
		writeFailure(w, refusal.Status, codeOf(refusal.Status), refusal.Message)
		return
	}
	httpguard.WriteRefusal(w, r, refusal)
}

func refuseLimit(w http.ResponseWriter, r *http.Request, status int, retryAfter time.Duration) {
	if isREST(r) {
		writeFailure(w, status, codeOf(status), "too many requests at once, or too soon after each other")
		return
	}
	ratelimit.WriteRefusal(w, r, status, retryAfter)
}

// codeOf names an HTTP status as REST names its errors: FORBIDDEN.
func codeOf(status int) string {
	return strings.ToUpper(strings.ReplaceAll(http.StatusText(status), " ", "_"))
}

func isREST(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/api/") }

func setDefault[T int64 | time.Duration](value *T, fallback T) {
	if *value == 0 {
		*value = fallback
	}
}
