package review

import "testing"

// 6.6: a space before punctuation is put right, and operators of code stay.
func TestTypography(t *testing.T) {
	for text, want := range map[string]string{
		"Reads rows , and and writes them .": "Reads rows, and writes them.",
		"Calls Fatal if err != nil.":         "Calls Fatal if err != nil.",
		"Sets x := 1 or p ?? q.":             "Sets x := 1 or p ?? q.",
	} {
		if got := tidy(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
