package jsonrpc

import (
	"slices"
	"strings"
	"testing"
)

func TestJoiner(t *testing.T) {
	for name, test := range map[string]struct {
		lines []string
		want  []string // what each line gives: ! for noise, … for a part
	}{
		"message":          {[]string{`{"jsonrpc":"2.0"}`}, []string{`{"jsonrpc":"2.0"}`}},
		"noise":            {[]string{`hello`, `{"jsonrpc":1}`}, []string{"!", `{"jsonrpc":1}`}},
		"other JSON":       {[]string{`7`, `{"a":1}`}, []string{"7", `{"a":1}`}},
		"brackets in text": {[]string{`[INFO] go`, `{"jsonrpc":1}`}, []string{"!", `{"jsonrpc":1}`}},
		"several lines":    {[]string{`{`, `"jsonrpc": "2.0",`, `"a": [1,`, `2]`, `}`}, []string{"…", "…", "…", "…", "{\n\"jsonrpc\": \"2.0\",\n\"a\": [1,\n2]\n}"}},
		"quoted brackets":  {[]string{`{"a":`, `"}\"]"`, `}`}, []string{"…", "…", "{\"a\":\n\"}\\\"]\"\n}"}},
		"interrupted":      {[]string{`{ oops`, `{"jsonrpc":1}`, `}`}, []string{"…", `{"jsonrpc":1}`, "!"}},
		"too many closed":  {[]string{`[`, `]]`, `[1]`}, []string{"…", "!", "[1]"}},
		"never JSON":       {[]string{`{`, `nonsense`, `}`, `[1]`}, []string{"…", "…", "!", "[1]"}},
		"too long":         {[]string{`{"a":`, `"` + strings.Repeat("x", 100) + `"`, `[1]`}, []string{"…", "!", "[1]"}},
	} {
		j := Joiner{Bytes: 100}
		var got []string
		for _, line := range test.lines {
			switch role, text, _ := j.Add([]byte(line)); role {
			case Noise:
				got = append(got, "!")
			case Part:
				got = append(got, "…")
			default:
				got = append(got, string(text))
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestJoinerCountsLines(t *testing.T) {
	j := Joiner{Bytes: 100}
	j.Add([]byte("{"))
	j.Add([]byte(`"jsonrpc": "2.0"`))
	if role, _, lines := j.Add([]byte("}")); role != Complete || lines != 3 {
		t.Errorf("role %d, %d lines", role, lines)
	}
	if role, _, lines := j.Add([]byte("{}")); role != Whole || lines != 1 {
		t.Errorf("role %d, %d lines", role, lines)
	}
}
