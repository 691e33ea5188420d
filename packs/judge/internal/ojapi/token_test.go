package ojapi

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTokenRules(t *testing.T) {
	for _, s := range []string{"secret123", "two words", "!~", `a"b\c`} {
		if got, err := ParseToken(s); err != nil || got.Reveal() != s {
			t.Errorf("ParseToken(%q) = %q, %v", s, got.Reveal(), err)
		}
	}
	for _, s := range []string{"", " ", "\t\n", "\u00a0"} {
		if got, err := ParseToken(s); err != nil || !got.IsZero() {
			t.Errorf("ParseToken(%q) = %q, %v; want no token", s, got.Reveal(), err)
		}
	}
	for _, s := range []string{"a\nb", "a\tb", "a\x00", "a\x7f", "schlüssel", " a", "a ", "a\r\nX: y", "a\xff"} {
		if got, err := ParseToken(s); err == nil || !got.IsZero() {
			t.Errorf("ParseToken(%q) = %q, want an error", s, got.Reveal())
		}
	}
}

func TestTokenErrorsNeverRepeatTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[A-Z]{6,12}`).Draw(t, "token")
		if _, err := ParseToken(s + "\n" + s); err == nil || strings.Contains(err.Error(), s) {
			t.Fatalf("error: %v", err)
		}
	})
}
