package document_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"mcpworks/packs/contextengine/internal/document"

	"pgregory.net/rapid"
)

// SEL-2, with the vectors of section 16.
func TestLower(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "",
		"plain text":         "plain text",
		"Hello, WORLD @[`{~": "hello, world @[`{~",
		"ΟΔΟΣ":               "οδος",
		"ΣΑΣ":                "σας",
		"ΟΔΟΣ.md":            "οδοσ.md",
		"İ":                  "\x69\xcc\x87",
		"İSTANBUL":           "i\u0307stanbul",
		"I":                  "i",
		"Σ":                  "σ",
		"ΣΣ":                 "σς",
		"ΣΣΣ":                "σσς",
		"ΑΣ ΑΣ":              "ας ας",
		"Α Σ":                "α σ",
		"1Σ":                 "1σ",
		"ΑΣ1Α":               "ας1α",
		"ΑΣ日":                "ας日",
		"日Σ":                 "日σ",
		"aΣ":                 "aς",
		"aΣb":                "aσb",
		"ÀÉÎÕÜÝÞ":            "àéîõüýþ",
		"ЖЁ":                 "жё",
		"ẞ":                  "ß",
		"\u212a\u212b\u2126": "kåω",
		"ǅ":                  "ǆ",
		"ȺȾ":                 "ⱥⱦ",
		"\u1c90\u10a0\u13a0": "\u10d0\u2d00\uab70",
		"Ａ":                  "ａ",
		"𐐀":                  "𐐨",
		"日本 ｶﾅ":              "日本 ｶﾅ",
		"A\xff\xfeB\x80":     "a\xff\xfeb\x80",
		"Α\xffΣ":             "α\xffσ",
		"ΑΣ\xffΑ":            "ας\xffα",
		"\xce":               "\xce",
	} {
		if got := document.Lower(text); got != want {
			t.Errorf("Lower(%q) = %q, want %q", text, got, want)
		}
		if got := string(document.AppendLower([]byte("ABC "), text)); got != "ABC "+want {
			t.Errorf("AppendLower(ABC, %q) = %q, want %q", text, got, want)
		}
	}
}

// What stands between a sigma and the letters around it (SEL-2).
func TestSigmaLooksPastIgnoredCharacters(t *testing.T) {
	for _, ignored := range []string{
		"", ".", "'", ":", "\u00b7", "\u0387", "\u055f", "\u05f4", "\u2018", "’", "\u2024", "\u2027",
		"\ufe13", "\ufe52", "\ufe55", "\uff07", "\uff0e", "\uff1a",
		"^", "`", "\u00a8", "\u00ad", "\u0301", "\u200b", "\u20dd", "\ufeff", "\U000e0001", "々",
		"ʰ", "ͺ", // these have case as well
		"'.\u0301\u00ad:",
	} {
		for text, want := range map[string]string{
			"Α" + ignored + "Σ":             "α" + ignored + "ς",
			"ΑΣ" + ignored:                  "ας" + ignored,
			"ΑΣ" + ignored + "Α":            "ασ" + ignored + "α",
			"ΑΣ" + ignored + " Α":           "ας" + ignored + " α",
			ignored + "Σ":                   ignored + "σ",
			" " + ignored + "Σ":             " " + ignored + "σ",
			"Α" + ignored + "Σ" + "1":       "α" + ignored + "ς1",
			"Α" + ignored + " Σ":            "α" + ignored + " σ",
			"ΑΣ" + ignored + "\u00a0" + "Α": "ας" + ignored + "\u00a0α",
		} {
			if got := document.Lower(text); got != want {
				t.Errorf("Lower(%+q) = %+q, want %+q", text, got, want)
			}
		}
	}
	for _, cased := range []string{"a", "ª", "Ⅷ", "Ⓐ", "ǅ", "σ", "ς"} {
		text := cased + "Σ " + "ΑΣ" + cased
		want := document.Lower(cased) + "ς " + "ασ" + document.Lower(cased)
		if got := document.Lower(text); got != want {
			t.Errorf("Lower(%q) = %q, want %q", text, got, want)
		}
	}
	for _, other := range []string{"1", "-", "_", ",", ";", "!", "日", "א", "\u00a0", "\u001c", "\u0903", "😀"} {
		text, want := "Α"+other+"Σ ΑΣ"+other+"Α", "α"+other+"σ ας"+other+"α"
		if got := document.Lower(text); got != want {
			t.Errorf("Lower(%q) = %q, want %q", text, got, want)
		}
	}
}

// No buffer hides the letters around a sigma, wherever in a text it stands.
func TestSigmaAtEveryOffset(t *testing.T) {
	for _, filler := range []string{"a", "é", "日", "\U0001d7d8", ".", " "} {
		for n := range 700 {
			before, after := strings.Repeat(filler, n), strings.Repeat(filler, 700-n)
			for text, want := range map[string]string{
				before + " ΟΔΟΣ " + after:                        before + " οδος " + after,
				before + " ΟΔΟΣΑ " + after:                       before + " οδοσα " + after,
				"Α" + strings.Repeat("\u0301", n) + "Σ " + after: "α" + strings.Repeat("\u0301", n) + "ς " + after,
				"ΑΣ" + strings.Repeat(".", n) + "Α" + after:      "ασ" + strings.Repeat(".", n) + "α" + after,
			} {
				if got := document.Lower(text); got != want {
					t.Fatalf("Lower(%q) = %q, want %q", text, got, want)
				}
			}
		}
	}
}

// Each of these would take hours if a sigma looked past the next one.
func TestLowerIsLinear(t *testing.T) {
	const n = 1 << 20
	dots := strings.Repeat(".", n)
	for _, tt := range []struct{ text, want string }{
		{strings.Repeat("Σ", n), strings.Repeat("σ", n-1) + "ς"},
		{strings.Repeat("Σ.", n), strings.Repeat("σ.", n-1) + "ς."},
		{strings.Repeat("Σ", n) + dots + strings.Repeat("Σ", n), strings.Repeat("σ", n) + dots + strings.Repeat("σ", n-1) + "ς"},
		{strings.Repeat("1Σ", n) + dots, strings.Repeat("1σ", n) + dots},
	} {
		if document.Lower(tt.text) != tt.want {
			t.Errorf("a text of %d bytes that begins %.10q is wrong", len(tt.text), tt.text)
		}
	}
}

// Alone, every character but two maps as the table of package unicode says.
func TestLowerOfEveryCharacter(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		want := string(unicode.ToLower(r))
		if r == 'İ' {
			want = "i\u0307"
		}
		if got := document.Lower(string(r)); got != want {
			t.Errorf("Lower(%U) = %+q, want %+q", r, got, want)
		}
	}
}

// slowLower is SEL-2 to the letter: character by character, with the whole text
// before and behind each sigma.
func slowLower(text string) string {
	var chars []string
	for rest := text; rest != ""; {
		_, n := utf8.DecodeRuneInString(rest)
		chars = append(chars, rest[:n])
		rest = rest[n:]
	}
	var lower strings.Builder
	for i, char := range chars {
		switch {
		case char == "Σ" && beginsCased(reversed(chars[:i])) && !beginsCased(chars[i+1:]):
			lower.WriteString("ς")
		case char == "İ":
			lower.WriteString("i\u0307")
		case utf8.ValidString(char):
			lower.WriteString(strings.ToLower(char))
		default:
			lower.WriteString(char)
		}
	}
	return lower.String()
}

func reversed(chars []string) []string {
	chars = slices.Clone(chars)
	slices.Reverse(chars)
	return chars
}

// beginsCased says whether the first character that is not Case_Ignorable is
// Cased.
func beginsCased(chars []string) bool {
	for _, char := range chars {
		r, _ := utf8.DecodeRuneInString(char)
		switch {
		case strings.ContainsRune("'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a", r),
			unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r), unicode.Is(unicode.Cf, r),
			unicode.Is(unicode.Lm, r), unicode.Is(unicode.Sk, r):
			continue
		}
		return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) ||
			unicode.Is(unicode.Other_Lowercase, r) || unicode.Is(unicode.Other_Uppercase, r)
	}
	return false
}

func TestLowerIsWhatTheRuleSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		if got, want := document.Lower(text), slowLower(text); got != want {
			t.Fatalf("Lower(%q) = %q, want %q", text, got, want)
		}
	})
}

func TestLowerOnceIsEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		once := document.Lower(text)
		if twice := document.Lower(once); twice != once {
			t.Fatalf("%q becomes %q, then %q", text, once, twice)
		}
	})
}

func TestLowerDoesNotAllocateInVain(t *testing.T) {
	dst := make([]byte, 0, 1<<10)
	for name, fn := range map[string]func(){
		"lower-case text": func() { document.Lower("deployment guide, with a number: 17") },
		"a large buffer":  func() { document.AppendLower(dst, "Deployment ΟΔΟΣ ÀÉÎ 日本 guide") },
	} {
		if n := testing.AllocsPerRun(100, fn); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func FuzzLower(f *testing.F) {
	for _, seed := range []string{
		"", "Hello WORLD", "ΟΔΟΣ", "ΟΔΟΣ.md", "İIı", "ΑΣ'Α\u0301Σ", "\xff\xce\xa3\xceΣ", "0123456Σ", "ABCDEFGHabcdefgh@[`{", "ʰΣʰ", "ǅΣ\u200bⅧ", "\xceA\u0387Σ",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<10 {
			return // the reference is slow
		}
		want := slowLower(text)
		if got := document.Lower(text); got != want {
			t.Fatalf("Lower(%q) = %q, want %q", text, got, want)
		}
		if got := string(document.AppendLower([]byte("Σ"), text)); got != "Σ"+want {
			t.Fatalf("AppendLower(Σ, %q) = %q, want Σ%q", text, got, want)
		}
		if got := words(text); !slices.Equal(got, strings.Fields(text)) {
			t.Fatalf("words of %q: %q", text, got)
		}
	})
}
