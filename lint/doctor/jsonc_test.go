package doctor

import (
	"bytes"
	"encoding/json"
	"testing"
)

// Comments and trailing commas are taken out, and nothing else.
func TestStrictJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,}`:                     `{"a":1 }`,
		`[1, 2 , ]`:                    `[1, 2   ]`,
		"{} // end":                    "{}       ",
		"{ // x\n}":                    "{     \n}",
		`{/* , */"a":[,]}`:             `{       "a":[,]}`,
		`{"a":"// no, */ \" ,]"}`:      `{"a":"// no, */ \" ,]"}`,
		`{"a":1, // last` + "\n" + `}`: `{"a":1         ` + "\n" + `}`,
		`{} /* no end`:                 `{} /* no end`,
		`{"a":"no end`:                 `{"a":"no end`,
		`[1,,2]`:                       `[1,,2]`,
		`[1,,]`:                        `[1,,]`,
		`/`:                            `/`,
		"\xef\xbb\xbf{}":               "   {}",
	} {
		if got := string(strictJSON([]byte(text))); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// JSON stays what it is, and places stay where they are.
func FuzzStrictJSON(f *testing.F) {
	for _, text := range []string{`{"a":[1,"//",{}]}`, `{"a":1,}`, `/*`, `"\`, `[/**/]`, "//\n,]"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := strictJSON(text)
		if len(got) != len(text) || bytes.Count(got, []byte("\n")) != bytes.Count(text, []byte("\n")) {
			t.Errorf("%q becomes %q, of another size", text, got)
		}
		if json.Valid(text) && !bytes.Equal(got, text) {
			t.Errorf("%q was JSON and becomes %q", text, got)
		}
	})
}
