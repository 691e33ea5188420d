package ojapi

import (
	"strconv"
	"strings"
)

// Escape percent-encodes s for one path segment or query value (6.6): every
// byte but A-Z a-z 0-9 - _ . ~ becomes % and two upper-case hex digits. Neither
// url.PathEscape nor url.QueryEscape goes that far.
func Escape(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(s))
	for _, c := range []byte(s) {
		if isUnreserved(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

func isUnreserved(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return c == '-' || c == '_' || c == '.' || c == '~'
}

// formatThreshold prints f in the shortest decimal form without exponent (6.3).
func formatThreshold(f float64) string {
	if f == 0 {
		return "0" // also for minus zero
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// cleanFilter trims the parts of a comma-separated list and drops blank ones
// (6.3).
func cleanFilter(list string) string {
	var kept []string
	for part := range strings.SplitSeq(list, ",") {
		if part = strings.TrimSpace(part); part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, ",")
}
