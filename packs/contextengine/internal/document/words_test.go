package document_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"mcpworks/packs/contextengine/internal/document"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func words(text string) []string { return slices.Collect(document.Words(text)) }

// SEL-1 and SEL-4: punctuation stays attached.
func TestWords(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" \t\r\n\v\f", nil},
		{"\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000", nil},
		{"a", []string{"a"}},
		{"  Hello,  world.\n", []string{"Hello,", "world."}},
		{"a\u0085b\u00a0c\u3000日本\u2003d", []string{"a", "b", "c", "日本", "d"}},
		{"a\x1cb\x1db\x1eb\x1fb", []string{"a\x1cb\x1db\x1eb\x1fb"}},
		{"a\u200bb\ufeffc\u180ed\u2060e", []string{"a\u200bb\ufeffc\u180ed\u2060e"}},
		{"\u0084\u0086 \u00a1", []string{"\u0084\u0086", "\u00a1"}},
		{"a\x00b c", []string{"a\x00b", "c"}},
		{"\xff\xfe a\x80b \xe2\x80", []string{"\xff\xfe", "a\x80b", "\xe2\x80"}},
		{"\xe2\x80\u2003\xe2\xc2\u0085\xe3\x80", []string{"\xe2\x80", "\xe2\xc2", "\xe3\x80"}},
		{"\x85\xa0", []string{"\x85\xa0"}},
	} {
		if diff := cmp.Diff(tt.want, words(tt.text)); diff != "" {
			t.Errorf("words of %q (-want +got):\n%s", tt.text, diff)
		}
	}
}

// SEL-1 names every character of white space.
func TestWhiteSpaceIsExactlyTheListedCharacters(t *testing.T) {
	listed := []rune("\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000")
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		text := "a" + string(r) + "b"
		want := 1
		if slices.Contains(listed, r) {
			want = 2
		}
		n := 0
		for range document.Words(text) {
			n++
		}
		if n != want {
			t.Errorf("%U separates %d words, want %d", r, n, want)
		}
	}
}

func TestWordsStopOnBreak(t *testing.T) {
	var got []string
	for word := range document.Words("a b c") {
		got = append(got, word)
		if word == "b" {
			break
		}
	}
	if diff := cmp.Diff([]string{"a", "b"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWordsDoNotAllocate(t *testing.T) {
	n := 0
	if allocs := testing.AllocsPerRun(100, func() {
		for word := range document.Words("some words\u00a0of\u3000a text") {
			n += len(word)
		}
	}); allocs != 0 || n == 0 {
		t.Errorf("%v allocations for %d bytes", allocs, n)
	}
}

// anyText draws text, much of it white space, sigmas and what surrounds them,
// with some bytes that are not UTF-8.
func anyText() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom(strings.Split("Σ|Σ|Α|σ|ς|İ|I|'|.|:|’|\u0301|\u00ad|\u200b|ʰ|ª|1|日| |\n|\u00a0|\u2003|\u3000|\u0085|\x1c|ǅ|Ⱥ|ẞ", "|")),
		rapid.SampledFrom([]string{"\xff", "\x80", "\xe2", "\xe2\x80", "\xce", "\xa3", "\xc2", "\x85"}),
		rapid.StringN(0, 4, -1),
		rapid.StringMatching(`[A-Za-z. ]{0,20}`),
	)
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 30).Draw(t, "pieces"), "")
	})
}

// strings.Fields splits alike, by other means.
func TestWordsAreFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		if got, want := words(text), strings.Fields(text); !slices.Equal(got, want) {
			t.Fatalf("words of %q: %q, want %q", text, got, want)
		}
	})
}

// SEL-3 and SEL-4 lower-case a whole text and then split it. Word by word gives
// the same.
func TestLoweredWordsAreWordsOfLoweredText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		var lowered []string
		for word := range document.Words(text) {
			lowered = append(lowered, document.Lower(word))
		}
		if want := words(document.Lower(text)); !slices.Equal(lowered, want) {
			t.Fatalf("words of %q: %q, want %q", text, lowered, want)
		}
	})
}
