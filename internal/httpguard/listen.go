package httpguard

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
)

// CheckListen says whether a server may listen on addr (HTTP-4). The address
// must name its host and its port, so that nobody opens a server to every
// network by leaving something out. A loopback address is always fine; any
// other one needs authentication, or override, the operator's explicit wish.
//
// Nothing is resolved. A program that wants to be sure of a name checks the
// address of the listener it got, which IsLoopback reads too.
func CheckListen(addr string, authenticated, override bool) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("listen address %q is not host:port, for example 127.0.0.1:8080", addr)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("listen address %q must end in a port between 0 and 65535", addr)
	} else if host == "" {
		return fmt.Errorf("listen address %q names no host: write 127.0.0.1:%d to serve this machine only, or 0.0.0.0:%d to serve every network it is in", addr, n, n)
	}
	if _, err := netip.ParseAddr(host); err != nil && !isName(asciiLower(host)) {
		return fmt.Errorf("listen address %q has a host that is neither an address nor a name", addr)
	}
	if IsLoopback(addr) || authenticated || override {
		return nil
	}
	return fmt.Errorf("listen address %q can be reached from other machines: %w", addr, ErrUnauthenticated)
}

// ErrUnauthenticated is wrapped by CheckListen's error when authentication or
// an override would have helped; a command can name its flags in a hint.
var ErrUnauthenticated = errors.New("it needs authentication, or an explicit override")

// IsLoopback reports whether addr, a host:port, can only be reached from this
// machine: its host is localhost, in 127.0.0.0/8 or ::1.
func IsLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && isLoopbackHost(asciiLower(host))
}

// isLoopbackHost knows localhost and literal addresses only. Other names are
// not looked up: what a name resolves to is for its owner to change, and that
// is how DNS rebinding works.
func isLoopbackHost(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && (addr.Is4() && addr.IsLoopback() || addr == netip.IPv6Loopback())
}
