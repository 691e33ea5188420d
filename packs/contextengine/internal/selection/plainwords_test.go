package selection_test

import (
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/selection"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestPlainWords(t *testing.T) {
	for text, want := range map[string][]string{
		"":                          nil,
		" .,;!":                     nil,
		"guide.":                    {"guide"},
		"(guide), \"guide\"":        {"guide", "guide"},
		"e-mail don't snake_case":   {"e", "mail", "don", "t", "snake", "case"},
		"c++ x² 1.5 Ⅷ ١٢٣":          {"c", "x²", "1", "5", "Ⅷ", "١٢٣"},
		"e\u0301t\u0301":            {"e\u0301t\u0301"},
		"日本語 abc日x":                 {"日", "本", "語", "abc", "日", "x"},
		"ひらがな":                      {"ひ", "ら", "が", "な"},
		"カタカナ 한국어 भाषा":             {"カタカナ", "한국어", "भाषा"},
		"a\u200bb\u00a0c\x00d\xffe": {"a", "b", "c", "d", "e"},
		"😀a😀":                       {"a"},
	} {
		if diff := cmp.Diff(want, slices.Collect(selection.PlainWords(text))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func comparePlainWords(t interface{ Fatalf(string, ...any) }, text string) {
	got, want := slices.Collect(selection.PlainWords(text)), naivePlainWords(text)
	if !slices.Equal(got, want) {
		t.Fatalf("%q: %q, want %q", text, got, want)
	}
	for most := range got { // whoever stops gets no more
		var some []string
		for word := range selection.PlainWords(text) {
			some = append(some, word)
			if len(some) > most {
				break
			}
		}
		if !slices.Equal(some, got[:most+1]) {
			t.Fatalf("%q: the first %d are %q", text, most+1, some)
		}
	}
}

func TestPlainWordsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		comparePlainWords(t, strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(vocabulary), rapid.String()), 0, 6).Draw(t, "words"), ""))
	})
}

func FuzzPlainWords(f *testing.F) {
	for _, word := range vocabulary {
		f.Add(word + " " + word + ".")
	}
	f.Add("\xff\xfea\xc3")
	f.Fuzz(func(t *testing.T, text string) { comparePlainWords(t, text) })
}
