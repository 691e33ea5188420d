package rawjson

import "testing"

func TestIsString(t *testing.T) {
	for _, test := range []struct {
		raw, text   string
		same, plain bool
	}{
		{`"abc"`, "abc", true, true},
		{` "abc" `, "abc", true, true},
		{`""`, "", true, true},
		{`"a\u0062c"`, "abc", true, false},
		{`"a\\b"`, `a\b`, true, false},
		{`"a\\b"`, `a\\b`, false, false},
		{`"abc"`, "abd", false, true},
		{`"abc"`, "ab", false, true},
		{`12`, "12", false, false},
		{`null`, "", false, false},
		{``, "", false, false},
	} {
		if got := IsString([]byte(test.raw), test.text); got != test.same {
			t.Errorf("IsString(%s, %q) = %v", test.raw, test.text, got)
		}
		if _, got := Plain([]byte(test.raw)); got != test.plain {
			t.Errorf("Plain(%s) = %v", test.raw, got)
		}
	}
}
