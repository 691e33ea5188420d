package ratelimit

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"time"
)

// Middleware is the shape of the limits on HTTP requests.
type Middleware = func(http.Handler) http.Handler

// RefuseFunc answers a request that is over a limit; the default is WriteRefusal.
// Retry-After is already set on w.
type RefuseFunc func(w http.ResponseWriter, r *http.Request, status int, retryAfter time.Duration)

// ClientConfig says who a request counts for.
type ClientConfig struct {
	// Principal returns the name of the authenticated sender, or "" if there
	// is none; nil means that there never is. Others count by remote address,
	// IPv6 by /64. Forwarding headers are not looked at.
	Principal func(*http.Request) string
	// Refuse answers requests that are over the limit; nil means WriteRefusal.
	Refuse RefuseFunc
}

// PerClientConfig configures PerClient.
type PerClientConfig struct {
	Config
	ClientConfig
}

// PerClient limits how often each client may send a request, and answers 429
// with Retry-After beyond that (HTTP-17, SEC-9).
func PerClient(config PerClientConfig) (Middleware, error) {
	limiter, err := New(config.Config)
	if err != nil {
		return nil, err
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if ok, retryAfter := limiter.Allow(config.client(r)); !ok {
				config.refuse(w, r, http.StatusTooManyRequests, retryAfter)
				return
			}
			next.ServeHTTP(w, r)
		})
	}, nil
}

// DefaultRetryAfter is what InFlight says by default.
const DefaultRetryAfter = time.Second

// InFlightConfig configures InFlight.
type InFlightConfig struct {
	GateConfig
	ClientConfig
	// RetryAfter is what a refused client is told to wait. Zero means
	// DefaultRetryAfter.
	RetryAfter time.Duration
}

// InFlight limits how many requests are being served at once, in total and per
// client, and answers 503 with Retry-After beyond that (HTTP-17, SEC-9). A
// stream counts for as long as its handler runs.
func InFlight(config InFlightConfig) (Middleware, error) {
	gate, err := NewGate(config.GateConfig)
	if err != nil {
		return nil, err
	}
	retryAfter := cmp.Or(config.RetryAfter, DefaultRetryAfter)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			leave, ok := gate.Enter(config.client(r))
			if !ok {
				config.refuse(w, r, http.StatusServiceUnavailable, retryAfter)
				return
			}
			defer leave() // after a panic too
			next.ServeHTTP(w, r)
		})
	}, nil
}

// WriteRefusal answers with a JSON-RPC error without id whose code is the HTTP
// status and whose text is fixed.
func WriteRefusal(w http.ResponseWriter, _ *http.Request, status int, _ time.Duration) {
	message := "too many requests"
	if status == http.StatusServiceUnavailable {
		message = "too busy"
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","error":{"code":%d,"message":"%s"}}`, status, message)
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	w.Write([]byte(body)) // a client that has gone needs no answer
}

func (c ClientConfig) refuse(w http.ResponseWriter, r *http.Request, status int, retryAfter time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(retryAfter.Seconds())))))
	if c.Refuse == nil {
		c.Refuse = WriteRefusal
	}
	c.Refuse(w, r, status, retryAfter)
}

// client is the key that r counts for. A principal's name cannot be taken for
// an address.
func (c ClientConfig) client(r *http.Request) string {
	if c.Principal != nil {
		if name := c.Principal(r); name != "" {
			return "principal " + name
		}
	}
	return "address " + remoteNetwork(r.RemoteAddr)
}

// remoteNetwork is an IPv4 address, or the /64 of an IPv6 address, which is
// what one subscriber has. Without an address all are one.
func remoteNetwork(remoteAddr string) string {
	addr, err := netip.ParseAddrPort(remoteAddr)
	if err != nil {
		return "unknown"
	}
	ip := addr.Addr().Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	return netip.PrefixFrom(ip, 64).Masked().String()
}
