package redact

import (
	"cmp"
	"encoding/base64"
	"maps"
	"slices"
	"strings"
)

// shortestCoded keeps values away whose Base64 could be a stretch of anything.
const shortestCoded = 8

// codedForms lists what Base64, of either alphabet, makes of each value within a
// longer text. A value can begin at any of three places in a group of three
// bytes; the characters that it shares with its neighbours are left out, at most
// one at each end.
func codedForms(values []string) []string {
	found := map[string]bool{}
	for _, value := range values {
		if len(value) < shortestCoded {
			continue
		}
		for before := range 3 {
			text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", before) + value))
			first := (before*8 + 5) / 6           // the first character without a bit of what is before
			last := (before + len(value)) * 8 / 6 // behind the last one without a bit of what follows
			form := text[first:last]
			found[form] = true
			found[strings.NewReplacer("+", "-", "/", "_").Replace(form)] = true
		}
	}
	return slices.SortedStableFunc(maps.Keys(found), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
}
