package schemas

import (
	"errors"
	"strings"
	"testing"
)

// SCH-014
func TestParsePattern(t *testing.T) {
	for _, text := range []string{
		"", "^a$", "a|b|", "(a)(?:b)(?<n>c)", "(?=a)(?!b)(?<=c)(?<!d)", `\1\k<n>`, "[]", "[^]", "[a-z]", "[z-]", "[-z]", `[\w-.]`, `[\d-x]`,
		"a{2}", "a{2,}", "a{2,3}?", "a{", "{", "a{,5}", "a}", "]", `\-\/\.`, `\p{L}+`, `[\p{L}-]`, `\u00e9\u{1F600}\x41`, "[\u4e00-\u9fff]", `[\u4e00-\u9fff]`,
		"(?i:a)", "(?im-s:a)", "(?=a)*", `\cA`, "a*?", "é+",
	} {
		if _, err := parsePattern(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"(a":                      "a ( without its )",
		"a)":                      "a ) without its (",
		"[a":                      "a [ without its ]",
		`[\`:                      "a [ without its ]",
		"[z-a]":                   "the ends of a range are in the wrong order",
		`[\u9fff-\u4e00]`:         "the ends of a range are in the wrong order",
		"*a":                      "nothing before * to repeat",
		"a**":                     "nothing before * to repeat",
		"a++":                     "nothing before + to repeat",
		"a{3,2}":                  "the bounds of a repetition are in the wrong order",
		"{2}":                     "nothing before { to repeat",
		"^*":                      "an assertion is repeated",
		"(?<=a)+":                 "an assertion is repeated",
		"(?i)a":                   "(?i begins no kind of group",
		"(?P<n>a)":                "(?P begins no kind of group",
		"(?>a)":                   "(?> begins no kind of group",
		"(?#note)":                "(?# begins no kind of group",
		"(?<1>a)":                 "a group has a bad name",
		`a\`:                      `a \ at the end`,
		`\k<n`:                    "the name of a group has no end",
		strings.Repeat("(", 200):  errPatternTooLarge.Error(),
		strings.Repeat("a", 9000): errPatternTooLarge.Error(),
	} {
		if _, err := parsePattern(text); err == nil || err.Error() != want {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
	}
}

// SCH-015
func TestExplodes(t *testing.T) {
	for text, want := range map[string]bool{
		"(a+)+": true, "(a*)*": true, "(a|b+)*": true, `^(\w+\s?)*$`: true, "([a-z]+(-[a-z]+)*)+": true, "(.*,?)*": true, "((a+)?)*": true, "(a{2,})+": true,
		"(é+)+": true, `([^,]+,?)*`: true,
		"a+": false, "(a+b)*": false, `^(\d+\.)*\d+$`: false, "(a*b)*": false, "(a+){2,3}": false, `(a\s*)*`: false, "(a|b)*": false, "([a-c]+[d-f])+": false,
		"(a+|b)": false, "(?=(a+)+)": false,
	} {
		parsed, err := parsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		if parsed.explodes() != want {
			t.Errorf("%q explodes: %v", text, !want)
		}
	}
}

// D2.66
func FuzzParsePattern(f *testing.F) {
	for _, text := range []string{`^(\w+\s?)*$`, `[\u4e00-\u9fff]{2,3}`, "(?<n>a)|b", `\p{L}[^\]-z]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := parsePattern(text)
		if (parsed == nil) == (err == nil) {
			t.Fatalf("%q: %v, %v", text, parsed, err)
		}
		if err == nil {
			parsed.explodes()
		} else if strings.ContainsAny(err.Error(), "\x00\x1b\n") && !errors.Is(err, errPatternTooLarge) {
			t.Fatalf("%q: %q", text, err)
		}
	})
}
