package auth

import (
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// AUTH-001, AUTH-006: challenges as RFC 9110 has them.
func TestParse(t *testing.T) {
	for header, want := range map[string]map[string]string{
		``:                           nil,
		`Basic realm="a, b"`:         nil,
		`Bearer`:                     {},
		`bearer scope=a`:             {"scope": "a"},
		`Bearer Scope = "a b", x=y `: {"scope": "a b", "x": "y"},
		`Basic realm="Bearer x=y", Bearer error="no \"way\""`: {"error": `no "way"`},
		`Bearer a=1, Basic realm=x, b=2`:                      {"a": "1"},
		`Bearer a=1, a=2`:                                     {"a": "1"},
		`Bearer a="open`:                                      {},
		`Negotiate, Bearer a=1`:                               {"a": "1"},
	} {
		params, bearer := parse([]string{header})
		if bearer != (want != nil) {
			t.Errorf("%s: bearer is %v", header, bearer)
		}
		if bearer {
			maps.DeleteFunc(params, func(_, value string) bool { return value == "" })
			if !maps.Equal(params, want) {
				t.Errorf("%s: %q", header, params)
			}
		}
	}
}

// What is written as RFC 9110 has it is read as it was, and anything ends.
func TestParseReadsWhatIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[ -!#-\[\]-~]{1,20}`).Draw(t, "value")
		noise := rapid.SampledFrom([]string{``, `Basic realm="x", `, `Digest a=b, c="d, e", `}).Draw(t, "before")
		if params, bearer := parse([]string{noise + `Bearer realm="r", scope="` + value + `", x=y`}); !bearer || params["scope"] != value {
			t.Errorf("%q: %q", value, params)
		}
		parse([]string{rapid.String().Draw(t, "anything"), rapid.StringMatching(`[Beare=",\\ a-c]{0,30}`).Draw(t, "header")})
	})
}
