package httpguard

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// Hosts says under which names a server may be addressed (HTTP-3).
type Hosts struct {
	// Listen is the address that the server listens on, host:port. When it is
	// a loopback address, localhost, 127.0.0.0/8 and [::1] are allowed. Empty
	// stands for the default bind, 127.0.0.1.
	Listen string
	// Names are further host names or addresses, each without a port: every
	// port is allowed. International names are given in their xn-- form.
	Names []string
}

// HostConfig configures Host. The zero value allows loopback hosts only.
type HostConfig struct {
	Hosts
	// Refuse answers refused requests; nil means WriteRefusal.
	Refuse RefuseFunc
}

// Host refuses requests whose Host is not allowed with 403, whatever their
// Origin (HTTP-3). That defeats DNS rebinding: a page on evil.example whose
// name has come to mean 127.0.0.1 still sends Host: evil.example.
//
// Host is an error when it would refuse everything: on an address that is not
// loopback, with no names.
func Host(config HostConfig) (Middleware, error) {
	hosts, err := config.Hosts.compile()
	if err != nil {
		return nil, err
	}
	if !hosts.loopback && len(hosts.names) == 0 {
		return nil, errors.New("a server that is not on a loopback address needs the host names it is reached by")
	}
	refusal := Refusal{Status: http.StatusForbidden, Reason: ReasonHost, Message: "host not allowed"}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// For a request target in absolute form net/http has put that
			// form's host here, as RFC 9112 wants it.
			if a, ok := parseAuthority(r.Host); !ok || !hosts.allows(a.host) {
				deny(w, r, config.Refuse, refusal)
				return
			}
			next.ServeHTTP(w, r)
		})
	}, nil
}

// hostSet is Hosts in the form that requests are checked against.
type hostSet struct {
	loopback bool
	names    map[string]bool
}

func (h Hosts) compile() (hostSet, error) {
	set := hostSet{loopback: h.Listen == "" || IsLoopback(h.Listen), names: map[string]bool{}}
	for _, name := range h.Names {
		host, ok := parseHost(name)
		if addr, err := netip.ParseAddr(name); !ok && err == nil && addr.Zone() == "" {
			host, ok = addr.String(), true // IPv6 without its brackets
		}
		if !ok {
			return hostSet{}, fmt.Errorf("allowed host %q must be a host name or an address, without scheme and port", name)
		}
		set.names[host] = true
	}
	return set, nil
}

func (s hostSet) allows(host string) bool {
	return s.names[host] || s.loopback && isLoopbackHost(host)
}

// authority is a host and a port in the form that can be compared.
type authority struct {
	host string // lower case; an IPv6 address has no brackets
	port int    // 0 when there was none
}

const (
	maxName      = 253 // of a DNS name
	maxLabel     = 63
	maxAuthority = maxName + len(":65535")
)

// parseAuthority reads host or host:port as the Host header and an origin
// carry them. It is stricter than RFC 3986 and says no to everything that
// another reader might see differently: user information, a percent sign, an
// IPv6 zone, a trailing dot, an empty port, port 0, letters outside ASCII.
func parseAuthority(s string) (authority, bool) {
	if len(s) > maxAuthority {
		return authority{}, false
	}
	var a authority
	if i := strings.LastIndexByte(s, ':'); i > strings.LastIndexByte(s, ']') {
		n, err := strconv.ParseUint(s[i+1:], 10, 16)
		if err != nil || n == 0 {
			return authority{}, false
		}
		s, a.port = s[:i], int(n)
	}
	var ok bool
	a.host, ok = parseHost(s)
	return a, ok
}

// parseHost reads a name, an IPv4 address or an IPv6 address in brackets.
func parseHost(s string) (string, bool) {
	inner, bracket := strings.CutPrefix(s, "[")
	if !bracket {
		s = asciiLower(s)
		return s, isName(s)
	}
	inner, closed := strings.CutSuffix(inner, "]")
	addr, err := netip.ParseAddr(inner)
	if !closed || err != nil || !addr.Is6() || addr.Zone() != "" {
		return "", false
	}
	return addr.String(), true
}

// isName accepts lower-case names of letters, digits, hyphens and underscores
// between single dots, IPv4 addresses among them.
func isName(s string) bool {
	if len(s) > maxName {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > maxLabel {
			return false
		}
		for _, c := range []byte(label) {
			if !(isDigit(c) || isLower(c) || c == '-' || c == '_') {
				return false
			}
		}
	}
	return true
}

// asciiLower leaves all but A to Z alone. strings.ToLower would turn the Kelvin
// sign into a k.
func asciiLower(s string) string {
	if !strings.ContainsFunc(s, func(c rune) bool { return 'A' <= c && c <= 'Z' }) {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if isUpper(c) {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
