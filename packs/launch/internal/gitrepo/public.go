package gitrepo

import (
	"context"
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// A Lookup finds the addresses of a host, as net.Resolver.LookupNetIP does.
type Lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)

// OnlyPublic is an Options.Admit that refuses remotes whose hosts have private
// or local addresses, unless they are listed (8.3). Git looks the host up once
// more, so whoever controls a name can still change it in between: what must not
// be reached has to be out of reach of this machine.
func OnlyPublic(lookup Lookup, listed []string) func(context.Context, string) error {
	return func(ctx context.Context, address string) error {
		u, err := url.Parse(address)
		if err != nil {
			return errors.New("the address is malformed")
		}
		host := strings.ToLower(u.Hostname())
		if u.Scheme != "https" || slices.Contains(listed, host) {
			return nil
		}
		addresses, err := lookup(ctx, "ip", host)
		if err != nil || len(addresses) == 0 {
			return &Error{Kind: Network, Op: "look up the host", Err: errors.New("the host has no address")}
		}
		if slices.ContainsFunc(addresses, func(a netip.Addr) bool { return !isPublic(a) }) {
			return errors.New("the host is not a public one")
		}
		return nil
	}
}

// shared are ranges that are neither private by name nor public.
var shared = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"),
}

func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsGlobalUnicast() && !a.IsPrivate() && !slices.ContainsFunc(shared, func(p netip.Prefix) bool { return p.Contains(a) })
}
