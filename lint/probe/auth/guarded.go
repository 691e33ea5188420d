package auth

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// newGuarded returns a client for addresses that a server has named: whatever
// they resolve to, it connects to public ones only, and to this machine if the
// server is there. It follows no redirect, and knows no proxy, which would
// connect for it.
func newGuarded(local bool) *http.Client {
	dialer := &net.Dialer{Timeout: patience, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if ip := at.Addr().Unmap(); !isPublic(ip) && !(local && ip.IsLoopback()) {
			return fmt.Errorf("%s is not a public address", ip)
		}
		return nil
	}}
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: patience,
			IdleConnTimeout: 30 * time.Second, MaxResponseHeaderBytes: 64 << 10,
		},
	}
}

// reserved are addresses that are not public although they look global: of
// carriers, of benchmarks, of translation into IPv4.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2002::/16"),
}

func isPublic(ip netip.Addr) bool {
	for _, prefix := range reserved {
		if prefix.Contains(ip) {
			return false
		}
	}
	return ip.IsGlobalUnicast() && !ip.IsPrivate()
}
