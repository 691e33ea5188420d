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

// special are the ranges of IANA's registries of special-purpose addresses that
// are not for everybody, or lead to any other address, as far as netip and
// unicast6 do not know them.
var special = prefixes(
	"0.0.0.0/8",       // this network
	"100.64.0.0/10",   // shared by the customers of a provider
	"192.0.0.0/24",    // assigned to protocols
	"192.0.2.0/24",    // documentation
	"192.88.99.0/24",  // relays between IPv6 and IPv4, given up
	"198.18.0.0/15",   // measuring networks
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"240.0.0.0/4",     // reserved, and the broadcast address
	"2001::/23",       // assigned to protocols; holds IPv4 addresses (Teredo)
	"2001:db8::/32",   // documentation
	"2002::/16",       // holds IPv4 addresses (6to4)
	"3fff::/20",       // documentation
)

// unicast6 is all of IPv6 that is given to networks of the world. What else there
// is, such as 64:ff9b::/96 and 64:ff9b:1::/48, which hold IPv4 addresses, 100::/64
// or 5f00::/16, is special.
var unicast6 = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return a.IsGlobalUnicast() && !a.IsPrivate() && (a.Is4() || unicast6.Contains(a)) &&
		!slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(a) })
}
