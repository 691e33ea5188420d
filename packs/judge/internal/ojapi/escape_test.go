package ojapi

import (
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEscapeExamples(t *testing.T) {
	for in, want := range map[string]string{
		"":               "",
		"AZaz09-_.~":     "AZaz09-_.~",
		"c d":            "c%20d",
		"a/b":            "a%2Fb",
		"a,b":            "a%2Cb",
		"100%":           "100%25",
		"$&+=:@":         "%24%26%2B%3D%3A%40",
		"最":              "%E6%9C%80",
		"\xff":           "%FF",
		"https://x/?y#z": "https%3A%2F%2Fx%2F%3Fy%23z",
	} {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestEscapeIsUndoneByDecoding(t *testing.T) {
	allowed := regexp.MustCompile(`^([A-Za-z0-9_.~-]|%[0-9A-F]{2})*$`)
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "s"))
		escaped := Escape(s)
		if !allowed.MatchString(escaped) {
			t.Fatalf("Escape(%q) = %q", s, escaped)
		}
		if back, err := url.PathUnescape(escaped); err != nil || back != s {
			t.Fatalf("Escape(%q) decodes to %q, %v", s, back, err)
		}
	})
}

func TestThresholdForm(t *testing.T) {
	for want, f := range map[string]float64{"0": math.Copysign(0, -1), "0.5": 0.5, "1": 1, "0.0000001": 1e-7, "0.1": 0.1} {
		if got := formatThreshold(f); got != want {
			t.Errorf("formatThreshold(%v) = %q, want %q", f, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64Range(0, 1).Draw(t, "f")
		text := formatThreshold(f)
		if back, err := strconv.ParseFloat(text, 64); err != nil || back != f || strings.ContainsAny(text, "eE+-") {
			t.Fatalf("formatThreshold(%v) = %q", f, text)
		}
	})
}

func TestFilterDropsBlankParts(t *testing.T) {
	for in, want := range map[string]string{
		"": "", " ": "", ",": "", " , ,": "", "leetcode": "leetcode", " a, b ,,c,": "a,b,c",
	} {
		if got := cleanFilter(in); got != want {
			t.Errorf("cleanFilter(%q) = %q, want %q", in, got, want)
		}
	}
}
