package cache_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"

	"pgregory.net/rapid"
)

// LOAD-4: what is a time by RFC 3339. The notes of its section 5.6 allow small
// letters and a space, and its grammar a leap second.
func TestIsTimestamp(t *testing.T) {
	for text, want := range map[string]bool{
		"1970-01-01T00:00:00Z":                 true,
		"2026-02-09T15:12:50.717077Z":          true,
		"2026-02-09T15:12:50.7Z":               true,
		"2026-02-09T15:12:50.123456789Z":       true,
		"2026-02-09T15:12:50.1234567890123Z":   true,
		"0000-01-01T00:00:00Z":                 true,
		"9999-12-31T23:59:59.999999999Z":       true,
		"2024-02-29T00:00:00Z":                 true,
		"2000-02-29T00:00:00Z":                 true,
		"1996-12-19T16:39:57-08:00":            true,
		"1937-01-01T12:00:27.87+00:20":         true,
		"2026-01-01T00:00:00-00:00":            true,
		"2026-01-01T00:00:00+23:59":            true,
		"1990-12-31T23:59:60Z":                 true,
		"1990-12-31T15:59:60-08:00":            true,
		"1970-01-01t00:00:00z":                 true,
		"1970-01-01 00:00:00Z":                 true,
		"":                                     false,
		"Z":                                    false,
		"1970-01-01":                           false,
		"1970-01-01T00:00Z":                    false,
		"1970-01-01T00:00:00":                  false,
		"1970-01-01T00:00:00 Z":                false,
		" 1970-01-01T00:00:00Z":                false,
		"1970-01-01T00:00:00Z ":                false,
		"1970-01-01T00:00:00ZZ":                false,
		"1970-01-01T00:00:00.":                 false,
		"1970-01-01T00:00:00.Z":                false,
		"1970-01-01T00:00:00,5Z":               false,
		"1970-01-01T00:00:00.5":                false,
		"1970-01-01T00:00:00.5.5Z":             false,
		"1970-01-01T00:00:00.5a":               false,
		"1970-01-01T0:00:00Z":                  false,
		"1970-1-01T00:00:00Z":                  false,
		"70-01-01T00:00:00Z":                   false,
		"11970-01-01T00:00:00Z":                false,
		"+970-01-01T00:00:00Z":                 false,
		"-970-01-01T00:00:00Z":                 false,
		"1970-+1-01T00:00:00Z":                 false,
		"1970-00-01T00:00:00Z":                 false,
		"1970-13-01T00:00:00Z":                 false,
		"1970-01-00T00:00:00Z":                 false,
		"1970-01-32T00:00:00Z":                 false,
		"1970-04-31T00:00:00Z":                 false,
		"2023-02-29T00:00:00Z":                 false,
		"1900-02-29T00:00:00Z":                 false,
		"2200-02-29T00:00:00Z":                 false,
		"2400-02-29T00:00:00Z":                 true,
		"1970-01-01T24:00:00Z":                 false,
		"1970-01-01T00:60:00Z":                 false,
		"1970-01-01T00:00:61Z":                 false,
		"1970-01-01T00:00:00+24:00":            false,
		"1970-01-01T00:00:00+00:60":            false,
		"1970-01-01T00:00:00+0000":             false,
		"1970-01-01T00:00:00+00":               false,
		"1970-01-01T00:00:00+0:00":             false,
		"1970-01-01T00:00:00*00:00":            false,
		"1970-01-01T00:00:00+00:00Z":           false,
		"1970-01-01_00:00:00Z":                 false,
		"1970/01/01T00:00:00Z":                 false,
		"1970-01-01T00.00.00Z":                 false,
		"19７0-01-01T00:00:00Z":                 false,
		"Thu Jan  1 00:00:00 1970":             false,
		strings.Repeat("1970-01-01T00:00:", 2): false,
	} {
		if got := cache.IsTimestamp(text); got != want {
			t.Errorf("IsTimestamp(%q) = %v", text, got)
		}
	}
}

// compareTimestamp holds our reading to that of package time, which is stricter
// in three places and laxer in three others, and only there.
func compareTimestamp(t cachetest.TB, text string) {
	var parsed time.Time
	got, want := cache.IsTimestamp(text), parsed.UnmarshalText([]byte(text)) == nil
	if want && !got && !lax.MatchString(text) {
		t.Fatalf("%q is a time, but not to us", text)
	}
	if got && !want && parsed.UnmarshalText([]byte(plainer(text))) != nil {
		t.Fatalf("%q is a time to us, but not to package time, not even as %q", text, plainer(text))
	}
}

// lax are times to package time, but not by RFC 3339: a comma, an hour of one
// digit, an offset of a whole day or hour too much.
var lax = regexp.MustCompile(`,|T\d:|[+-](24:\d\d|\d\d:60)$`)

// plainer writes a time that we accept so that package time does, too.
func plainer(text string) string {
	b := []byte(strings.ToUpper(text))
	b[10] = 'T'
	if string(b[17:19]) == "60" {
		copy(b[17:], "59")
	}
	return string(b)
}

func TestTimestampsAgreeWithPackageTime(t *testing.T) {
	pattern := `[0-9]{4}-[01][0-9]-[0-3][0-9][Tt ][0-2][0-9]:[0-6][0-9]:[0-6][0-9]([.,][0-9]{0,12})?([Zz]|[+-][0-2][0-9]:[0-6][0-9])?`
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(pattern).Draw(t, "text")
		compareTimestamp(t, text)
		b := []byte(text)
		b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		compareTimestamp(t, string(b))
	})
}

func FuzzTimestamp(f *testing.F) {
	for _, text := range []string{
		"1970-01-01T00:00:00Z", "1990-12-31T15:59:60-08:00", "2024-02-29t00:00:00.123z", "1970-01-01 00:00:00+23:59", "1970-01-01T00:00:00,5Z", "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { compareTimestamp(t, text) })
}
