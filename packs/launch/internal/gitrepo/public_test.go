package gitrepo_test

import (
	"context"
	"net/netip"
	"testing"

	"mcpworks/packs/launch/internal/gitrepo"
)

// 8.3: an address of every range in IANA's registries of special-purpose
// addresses, and addresses right beside them.
func TestSpecialAddresses(t *testing.T) {
	for text, public := range map[string]bool{
		"0.0.0.0": false, "0.255.255.255": false, "1.0.0.1": true, "10.1.2.3": false, "100.63.255.255": true, "100.64.0.0": false, "100.127.255.255": false,
		"100.128.0.0": true, "127.0.0.1": false, "127.255.0.9": false, "169.254.169.254": false, "172.15.255.255": true, "172.16.0.1": false,
		"172.31.255.255": false, "172.32.0.0": true, "192.0.0.8": false, "192.0.0.170": false, "192.0.1.0": true, "192.0.2.1": false, "192.88.99.1": false,
		"192.168.0.1": false, "192.169.0.1": true, "198.17.255.255": true, "198.18.0.1": false, "198.19.255.255": false, "198.51.100.7": false,
		"203.0.113.7": false, "223.255.255.255": true, "224.0.0.1": false, "239.1.1.1": false, "240.0.0.1": false, "255.255.255.255": false,
		"8.8.8.8": true, "::ffff:8.8.8.8": true, "::ffff:10.0.0.1": false, "::ffff:192.0.2.1": false,

		"::": false, "::1": false, "::808:808": false, "64:ff9b::808:808": false, "64:ff9b::a00:1": false, "64:ff9b:1::1": false, "100::1": false,
		"100:0:0:1::1": false, "1fff::1": false, "2000::1": true, "2001::1": false, "2001:2::1": false, "2001:10::1": false, "2001:20::1": false,
		"2001:1ff:ffff::1": false, "2001:200::1": true, "2001:db8::1": false, "2001:db9::1": true, "2002::1": false, "2002:a00:1::1": false, "2003::1": true,
		"2606:4700:4700::1111": true, "2606:4700:4700::1111%eth0": true, "2002:a00:1::1%eth0": false, "3ffe::1": true, "3fff::1": false, "3fff:fff::1": false, "3fff:1000::1": true,
		"4000::1": false, "5f00::1": false, "fc00::1": false, "fd12:3456::1": false, "fe80::1": false, "fe80::1%eth0": false, "fec0::1": false, "ff02::1": false,
	} {
		admit := gitrepo.OnlyPublic(func(context.Context, string, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("8.8.4.4"), netip.MustParseAddr(text)}, nil
		}, nil)
		if err := admit(t.Context(), "https://host.example/a/b"); (err == nil) != public {
			t.Errorf("%s: %v", text, err)
		}
	}
}
