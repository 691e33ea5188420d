package httpguard

import (
	"fmt"
	"net/http"
	"strings"
)

// OriginConfig configures Origin. The zero value allows the server's own pages
// on loopback and no other origin.
type OriginConfig struct {
	// Hosts are the names of this server. A request whose Origin equals its
	// own scheme, host and port is from the server's own page, provided that
	// the host is one of these; otherwise DNS rebinding would pass for it.
	Hosts Hosts
	// Origins are the foreign origins allowed, exactly: scheme://host[:port].
	// Behind a proxy that ends TLS the server's own https origin belongs here,
	// since requests arrive as http.
	Origins []string
	// AllowNull allows Origin: null, which every sandboxed frame and local
	// file sends.
	AllowNull bool
	// AnyOrigin allows everything, unreadable values too: for servers that
	// are open to all pages by contract.
	AnyOrigin bool
	// Refuse answers refused requests; nil means WriteRefusal.
	Refuse RefuseFunc
}

// Origin refuses requests with an Origin that is not allowed with 403, whatever
// their Host (HTTP-2). Requests without Origin pass: they are not from a page's
// script. Several Origin headers, and an empty one, are refused.
func Origin(config OriginConfig) (Middleware, error) {
	hosts, err := config.Hosts.compile()
	if err != nil {
		return nil, err
	}
	origins, err := compileOrigins(config.Origins)
	if err != nil {
		return nil, err
	}
	allowed := func(r *http.Request) bool {
		values := r.Header.Values("Origin")
		switch {
		case config.AnyOrigin, len(values) == 0:
			return true
		case len(values) > 1:
			return false
		case values[0] == nullOrigin:
			return config.AllowNull
		}
		o, ok := parseOrigin(values[0])
		return ok && (origins[o] || isOwnOrigin(r, hosts, o))
	}
	refusal := Refusal{Status: http.StatusForbidden, Reason: ReasonOrigin, Message: "origin not allowed"}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !allowed(r) {
				deny(w, r, config.Refuse, refusal)
				return
			}
			next.ServeHTTP(w, r)
		})
	}, nil
}

// nullOrigin is how browsers write an origin that is none.
const nullOrigin = "null"

// origin is a scheme, host and port in the form that can be compared.
type origin struct {
	scheme string
	authority
}

var defaultPorts = map[string]int{"http": 80, "https": 443}

const (
	maxScheme = 32
	maxOrigin = maxScheme + len("://") + maxAuthority
)

// parseOrigin reads scheme://host[:port] and nothing else: no path, not even a
// slash, no user information, no list. The default port of http and https is
// filled in.
func parseOrigin(s string) (origin, bool) {
	if len(s) > maxOrigin {
		return origin{}, false
	}
	scheme, rest, ok := strings.Cut(s, "://")
	scheme = asciiLower(scheme)
	if !ok || !isScheme(scheme) {
		return origin{}, false
	}
	a, ok := parseAuthority(rest)
	if !ok {
		return origin{}, false
	}
	return newOrigin(scheme, a), true
}

func newOrigin(scheme string, a authority) origin {
	if a.port == 0 {
		a.port = defaultPorts[scheme]
	}
	return origin{scheme, a}
}

func isScheme(s string) bool {
	if s == "" || len(s) > maxScheme || !isLower(s[0]) {
		return false
	}
	for _, c := range []byte(s) {
		if !(isLower(c) || isDigit(c) || c == '+' || c == '-' || c == '.') {
			return false
		}
	}
	return true
}

// compileOrigins reads the origins of a configuration.
func compileOrigins(list []string) (map[origin]bool, error) {
	set := map[origin]bool{}
	for _, s := range list {
		o, ok := parseOrigin(s)
		if !ok {
			return nil, fmt.Errorf("allowed origin %q must be scheme://host or scheme://host:port, without a path or a trailing slash", s)
		}
		set[o] = true
	}
	return set, nil
}

// isOwnOrigin reports whether o is where r was sent to. The scheme is that of
// the connection; what a proxy says about it is not asked.
func isOwnOrigin(r *http.Request, hosts hostSet, o origin) bool {
	a, ok := parseAuthority(r.Host)
	if !ok || !hosts.allows(a.host) {
		return false
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return newOrigin(scheme, a) == o
}
