package operate

import (
	"context"
	"net"
	"net/url"
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/gitrepo"
)

// A BlockedError is a host that is not on the network allowlist (14.14).
type BlockedError struct{ Host string }

func (e *BlockedError) Error() string {
	return "the host " + e.Host + " is not on the network allowlist"
}

// allowed says whether a host, with or without a port, may be talked to.
func (l *Launcher) allowed(host string) bool {
	host = strings.ToLower(host)
	name, _, _ := strings.Cut(host, ":")
	return slices.ContainsFunc(l.options.NetworkAllowlist, func(entry string) bool {
		entry = strings.ToLower(entry)
		if suffix, ok := strings.CutPrefix(entry, "*"); ok {
			return strings.HasPrefix(suffix, ".") && strings.HasSuffix(name, suffix) && len(name) > len(suffix)
		}
		return entry == host || entry == name
	})
}

// hostOf is the host of an address that leads out of this machine; empty for
// files and for what is embedded.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "file" || u.Scheme == "embedded" || path.IsAbs(address) {
		return ""
	}
	return u.Host
}

// admit keeps git to the allowlist and away from private networks, but for the
// hosts that a profile names (8.3).
func (l *Launcher) admit() func(context.Context, string) error {
	var private []string
	for _, name := range l.profiles.Names() {
		p, _ := l.profiles.Get(name)
		private = append(private, p.RepoPolicy.PrivateHosts...)
	}
	public := gitrepo.OnlyPublic(net.DefaultResolver.LookupNetIP, private)
	return func(ctx context.Context, address string) error {
		if host := hostOf(address); host != "" && !l.allowed(host) {
			return &BlockedError{host}
		}
		return public(ctx, address)
	}
}
