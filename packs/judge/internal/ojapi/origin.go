package ojapi

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Origin is a checked http or https origin in its stored form (2.1): scheme and
// host in lower case, no default port, no trailing slash. A request's URL is
// the origin followed by an absolute path.
type Origin struct {
	text string
}

// String returns the stored form, or "" for the zero Origin.
func (o Origin) String() string { return o.text }

// IsZero reports whether o was never parsed.
func (o Origin) IsZero() bool { return o.text == "" }

// maxPort is the largest port an origin may name (2.1).
const maxPort = 65535

var defaultPorts = map[string]string{"http": "80", "https": "443"}

// hostName matches what may stand for a host: the characters of a registered
// name, letters and digits of any script included. IPv6 is checked apart.
var hostName = regexp.MustCompile(`^[\pL\pM\pN._~!$&'()*+,;=-]+$`)

// ParseOrigin checks and normalises the value of --base-url (2.1). The error
// says what is wrong without repeating the value, which may hold credentials.
func ParseOrigin(s string) (Origin, error) {
	s = strings.TrimSpace(s)
	// Looked for in the raw text, since url.Parse hides an empty fragment.
	if strings.Contains(s, "#") {
		return Origin{}, errors.New("base URL must not have a fragment")
	}
	if strings.Contains(s, "?") {
		return Origin{}, errors.New("base URL must not have a query")
	}
	u, err := url.Parse(s)
	if err != nil {
		return Origin{}, errors.New("base URL is not a valid URL")
	}
	if _, ok := defaultPorts[u.Scheme]; !ok {
		return Origin{}, errors.New("base URL must start with http:// or https://")
	}
	if u.User != nil {
		return Origin{}, errors.New("base URL must not hold credentials")
	}
	if path := u.EscapedPath(); path != "" && path != "/" {
		return Origin{}, errors.New("base URL must not have a path")
	}
	return originOf(u)
}

// originOf returns the origin that u belongs to, whatever else u holds.
func originOf(u *url.URL) (Origin, error) {
	host := strings.ToLower(u.Hostname())
	switch {
	case host == "":
		return Origin{}, errors.New("base URL must name a host")
	case strings.HasPrefix(u.Host, "["):
		if addr, err := netip.ParseAddr(host); err != nil || !addr.Is6() || addr.Zone() != "" {
			return Origin{}, errors.New("base URL must have an IPv6 address between the brackets")
		}
		host = "[" + host + "]"
	case !hostName.MatchString(host):
		return Origin{}, errors.New("base URL must have a valid host")
	}
	port := u.Port()
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 64)
		if err != nil || n > maxPort {
			return Origin{}, fmt.Errorf("base URL must have a port between 0 and %d", maxPort)
		}
		port = strconv.FormatUint(n, 10)
	}
	if port == "" || port == defaultPorts[u.Scheme] {
		return Origin{u.Scheme + "://" + host}, nil
	}
	return Origin{u.Scheme + "://" + host + ":" + port}, nil
}

// holds reports whether u lies in o: same scheme, host and port.
func (o Origin) holds(u *url.URL) bool {
	other, err := originOf(u)
	return err == nil && other == o
}
