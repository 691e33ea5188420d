package printable_test

import (
	"encoding/json"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"mcpworks/internal/printable"
)

// D2.66: nothing of a server's makes a terminal do something.
func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"plain":           "plain",
		"\x1b[31mred":     `\x1b[31mred`,
		"a\r\nb\tc":       `a\r\nb\tc`,
		"back\u202ewards": `back\u202ewards`,
		"bad\xff":         `bad\xff`,
		"👩\u200d👧":        "👩\u200d👧",
	} {
		if got := printable.Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
	if got := printable.Block("a\r\n\tb\x07"); got != "a\n\tb\\x07" {
		t.Errorf("Block = %q", got)
	}
}

func TestJSONStaysTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "text")
		raw, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		safe := printable.JSON(raw)
		for _, r := range string(safe) {
			if !unicode.IsGraphic(r) && r != '\u200d' {
				t.Fatalf("%q is still there", r)
			}
		}
		var got string
		if err := json.Unmarshal(safe, &got); err != nil || got != want {
			t.Fatalf("%q became %q: %v", want, got, err)
		}
	})
}
