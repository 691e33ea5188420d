package doctor

import (
	"testing"
	"unicode"
)

func FuzzPlainText(f *testing.F) {
	for _, text := range []string{"plain", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07x", "\x1b]8;;http://x\x1b\\link", "a\u202eb", "\x1b\x1b[[31m", "\xff\x9b1m"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := plainText(text)
		for _, r := range got {
			if r != '\n' && !unicode.IsGraphic(r) {
				t.Errorf("%q becomes %q, which holds %U", text, got, r)
			}
		}
	})
}

func TestPlainText(t *testing.T) {
	for text, want := range map[string]string{
		"\x1b[1;31mError:\x1b[0m no\tway": "Error: no way",
		"\x1b]0;owned\x07title":           "title",
		"one\r\ntwo":                      "one\ntwo",
		"naïve – ok":                      "naïve – ok",
		"a\u202eb\u200bc\x00":             "abc",
	} {
		if got := plainText(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
