package rawjson_test

import (
	"errors"
	"strings"
	"testing"

	"mcpworks/internal/rawjson"
)

func TestCheckAccepts(t *testing.T) {
	for _, text := range []string{
		// scalars
		`null`, `true`, `false`, `""`, `"a"`, `0`, `-0`, `1`, `-1`, `10`, `1234567890123456789012345678901234567890`,
		`0.5`, `-0.5`, `1.0`, `1.25e10`, `1e1`, `1E1`, `1e+1`, `1e-1`, `0e0`, `0E-00`, `1e0001`, `1e999999`, `0.00000000`,
		// white space
		" null", "null ", "\tnull\n", "\r\nnull\r\n", " [ ] ", " { } ", "[\n1\t,\r2 ]", "{ \"a\" :\t1\n}",
		// containers
		`[]`, `{}`, `[[]]`, `[{}]`, `{"a":{}}`, `{"a":[]}`, `[1,2]`, `[null,true,false,"",0,[],{}]`, `{"a":1,"b":2}`,
		`{"":0}`, `{"a":1,"a":2}`, `[[],[[]],{"a":[{}]}]`, `{"\u0061":1}`,
		// strings
		`"\"\\\/\b\f\n\r\t"`, `"\u0000"`, `"\u001f"`, `"\uABCD\uabcd"`, `"\uFFFF"`, `"\uD834\uDD1E"`, `"\ud834\udd1e"`,
		`"\\u"`, `"\\ud800"`, `"\\\""`, `"a\\"`, `"/"`, "\"\x7f\"", `"12345678"`, `"1234567890123456\n"`,
		// UTF-8: the edges of one to four bytes, and what is no character but well encoded
		"\"\u007f\u0080\u07ff\u0800\uffff\U00010000\U0010ffff\"", "\"\ud7ff\ue000\"", "\"\ufffd\ufffe\ufeff\"",
		"\"\u2028\u2029\"", "\"日本語のテキスト\"", "\"abcdefgé\"", "{\"ключ\":\"значение\"}",
	} {
		if err := rawjson.Check([]byte(text), rawjson.Limits{}); err != nil {
			t.Errorf("Check(%q) = %v", text, err)
		}
	}
}

func TestCheckRejects(t *testing.T) {
	for _, tt := range []struct {
		text   string
		offset int
		reason string
	}{
		{"", 0, "unexpected end"},
		{" \n", 2, "unexpected end"},
		{"\ufeff{}", 0, "byte order mark"},
		{"\xff\xfe1\x00", 0, "expected a value"},
		{"\x00", 0, "expected a value"},
		{"\v1", 0, "expected a value"},
		{"\f1", 0, "expected a value"},
		{"1\f", 1, "trailing data"},
		{"\u00a01", 0, "expected a value"},
		{"1\u00a0", 1, "trailing data"},
		{"1\x00", 1, "trailing data"},

		{"nul", 0, "expected a value"},
		{"nulL", 0, "expected a value"},
		{"True", 0, "expected a value"},
		{"fals", 0, "expected a value"},
		{"truefalse", 4, "trailing data"},
		{"NaN", 0, "expected a value"},
		{"Infinity", 0, "expected a value"},
		{"undefined", 0, "expected a value"},
		{"'a'", 0, "expected a value"},
		{"// c\n1", 0, "expected a value"},
		{"1 /* c */", 2, "trailing data"},

		{"01", 0, "number with a leading zero"},
		{"-01", 1, "number with a leading zero"},
		{"00", 0, "number with a leading zero"},
		{"1.", 2, "unexpected end"},
		{"1.e1", 2, "expected a digit"},
		{"-", 1, "unexpected end"},
		{"--1", 1, "expected a digit"},
		{"-a", 1, "expected a digit"},
		{".5", 0, "expected a value"},
		{"-.5", 1, "expected a digit"},
		{"1e", 2, "unexpected end"},
		{"1e+", 3, "unexpected end"},
		{"1e-a", 3, "expected a digit"},
		{"1e1.5", 3, "trailing data"},
		{"1ee1", 2, "expected a digit"},
		{"+1", 0, "expected a value"},
		{"-Infinity", 1, "expected a digit"},
		{"0x10", 1, "trailing data"},
		{"1_000", 1, "trailing data"},
		{"1 000", 2, "trailing data"},
		{"\uff11", 0, "expected a value"},

		{`"`, 1, "unexpected end"},
		{`"a`, 2, "unexpected end"},
		{`"12345678`, 9, "unexpected end"},
		{`"\`, 1, "unexpected end"},
		{`"\"`, 3, "unexpected end"},
		{`"\u`, 1, "invalid escape"},
		{`"\a"`, 1, "invalid escape"},
		{`"\x41"`, 1, "invalid escape"},
		{`"\'"`, 1, "invalid escape"},
		{`"\U0041"`, 1, "invalid escape"},
		{`"\u004"`, 1, "invalid escape"},
		{`"\u004g"`, 1, "invalid escape"},
		{`"\u004@"`, 1, "invalid escape"},
		{`"\u 041"`, 1, "invalid escape"},
		{"\"\\\n\"", 1, "invalid escape"},
		{"\"\\\u00e9\"", 1, "invalid escape"},
		{"\"a\nb\"", 2, "control character in string"},
		{"\"\t\"", 1, "control character in string"},
		{"\"\x00\"", 1, "control character in string"},
		{"\"12345678\x1f\"", 9, "control character in string"},

		{`"\ud800"`, 1, "lone surrogate"},
		{`"\uDBFF "`, 1, "lone surrogate"},
		{`"\udc00"`, 1, "lone surrogate"},
		{`"\udfff\ud800"`, 1, "lone surrogate"},
		{`"\ud800\ud800"`, 1, "lone surrogate"},
		{`"\ud800\u0041"`, 1, "lone surrogate"},
		{`"\ud800\n"`, 1, "lone surrogate"},
		{`"\ud800\udc0"`, 1, "lone surrogate"},
		{`"\ud800`, 1, "lone surrogate"},
		{`"\\\ud800"`, 3, "lone surrogate"},

		{"\"\x80\"", 1, "invalid UTF-8"},
		{"\"\xff\"", 1, "invalid UTF-8"},
		{"\"\xc3\"", 1, "invalid UTF-8"},
		{"\"\xc3", 1, "invalid UTF-8"},
		{"\"\xe2\x82\"", 1, "invalid UTF-8"},
		{"\"\xf0\x9d\x84\"", 1, "invalid UTF-8"},
		{"\"\xc0\xaf\"", 1, "invalid UTF-8"},
		{"\"\xc1\xbf\"", 1, "invalid UTF-8"},
		{"\"\xe0\x80\xaf\"", 1, "invalid UTF-8"},
		{"\"\xf0\x80\x80\xaf\"", 1, "invalid UTF-8"},
		{"\"\xed\xa0\x80\"", 1, "invalid UTF-8"},
		{"\"\xed\xbf\xbf\"", 1, "invalid UTF-8"},
		{"\"\xf4\x90\x80\x80\"", 1, "invalid UTF-8"},
		{"\"\xf8\x88\x80\x80\x80\"", 1, "invalid UTF-8"},
		{"\"\u00e9\xe9\"", 3, "invalid UTF-8"},
		{"{\"\xff\":1}", 2, "invalid UTF-8"},

		{"[", 1, "unexpected end"},
		{"]", 0, "expected a value"},
		{"[1", 2, "unexpected end"},
		{"[1,", 3, "unexpected end"},
		{"[1,]", 3, "expected a value"},
		{"[,1]", 1, "expected a value"},
		{"[,]", 1, "expected a value"},
		{"[1,,2]", 3, "expected a value"},
		{"[1 2]", 3, "expected ',' or ']'"},
		{"[1}", 2, "expected ',' or ']'"},
		{"[1:2]", 2, "expected ',' or ']'"},
		{"[}", 1, "expected a value"},
		{"[]]", 2, "trailing data"},
		{"[][]", 2, "trailing data"},
		{"[\"a\",\n4\n,1,", 11, "unexpected end"},

		{"{", 1, "unexpected end"},
		{"}", 0, "expected a value"},
		{"{]", 1, "expected a member name"},
		{`{"a"`, 4, "unexpected end"},
		{`{"a"}`, 4, "expected ':'"},
		{`{"a",1}`, 4, "expected ':'"},
		{`{"a"::1}`, 5, "expected a value"},
		{`{"a":`, 5, "unexpected end"},
		{`{"a":}`, 5, "expected a value"},
		{`{"a":1`, 6, "unexpected end"},
		{`{"a":1]`, 6, "expected ',' or '}'"},
		{`{"a":1 "b":2}`, 7, "expected ',' or '}'"},
		{`{"a":1,}`, 7, "expected a member name"},
		{`{,"a":1}`, 1, "expected a member name"},
		{`{"a":1,,"b":2}`, 7, "expected a member name"},
		{`{a:1}`, 1, "expected a member name"},
		{`{'a':1}`, 1, "expected a member name"},
		{`{1:1}`, 1, "expected a member name"},
		{`{null:1}`, 1, "expected a member name"},
		{`{[]:1}`, 1, "expected a member name"},
		{`{}}`, 2, "trailing data"},
		{`{"a":1} x`, 8, "trailing data"},
		{"{}\n{}", 3, "trailing data"},
	} {
		err := rawjson.Check([]byte(tt.text), rawjson.Limits{})
		var syntax *rawjson.SyntaxError
		if !errors.As(err, &syntax) || *syntax != (rawjson.SyntaxError{Offset: tt.offset, Reason: tt.reason}) {
			t.Errorf("Check(%q) = %v, want %q at byte %d", tt.text, err, tt.reason, tt.offset)
		}
	}
}

func TestCheckLimits(t *testing.T) {
	for _, tt := range []struct {
		text string
		lim  rawjson.Limits
		want error
	}{
		{`1`, rawjson.Limits{Depth: 1}, nil},
		{`[]`, rawjson.Limits{Depth: 1}, nil},
		{`[{}]`, rawjson.Limits{Depth: 1}, rawjson.ErrTooDeep},
		{`{"a":[]}`, rawjson.Limits{Depth: 1}, rawjson.ErrTooDeep},
		{`[[],[],{"a":[]}]`, rawjson.Limits{Depth: 3}, nil},
		{`[[],[],{"a":[]}]`, rawjson.Limits{Depth: 2}, rawjson.ErrTooDeep},
		{strings.Repeat("[", 1e6), rawjson.Limits{Depth: 100}, rawjson.ErrTooDeep},
		{`"abc"`, rawjson.Limits{StringBytes: 3}, nil},
		{`"abcd"`, rawjson.Limits{StringBytes: 3}, rawjson.ErrStringTooLong},
		{`"\u0061"`, rawjson.Limits{StringBytes: 5}, rawjson.ErrStringTooLong},
		{`"é"`, rawjson.Limits{StringBytes: 1}, rawjson.ErrStringTooLong},
		{`{"abcd":1}`, rawjson.Limits{StringBytes: 3}, rawjson.ErrStringTooLong},
		{`["",{"abc":"abc"}]`, rawjson.Limits{StringBytes: 3}, nil},
		{`1`, rawjson.Limits{Values: 1}, nil},
		{`{}`, rawjson.Limits{Values: 1}, nil},
		{` [ ] `, rawjson.Limits{Values: 1}, nil},
		{`[1]`, rawjson.Limits{Values: 1}, rawjson.ErrTooManyValues},
		{`[1]`, rawjson.Limits{Values: 2}, nil},
		{`{"a":1,"b":{"c":""}}`, rawjson.Limits{Values: 4}, nil},
		{`{"a":1,"b":{"c":""}}`, rawjson.Limits{Values: 3}, rawjson.ErrTooManyValues},
		{`[[],[],{"a":[]}]`, rawjson.Limits{Values: 5}, nil},
		{`[[],[],{"a":[]}]`, rawjson.Limits{Values: 4}, rawjson.ErrTooManyValues},
		{"[" + strings.Repeat("0,", 1e6), rawjson.Limits{Values: 1e6}, rawjson.ErrTooManyValues},
	} {
		if err := rawjson.Check([]byte(tt.text), tt.lim); !errors.Is(err, tt.want) {
			t.Errorf("Check(%.40q, %+v) = %v, want %v", tt.text, tt.lim, err, tt.want)
		}
	}
}

// A value that is missing is a mistake, not one value too many.
func TestCheckCountsOnlyValues(t *testing.T) {
	for _, text := range []string{`[1,]`, `[1,`, `{"a":1,"b":}`, `{"a":1,"b":`} {
		err := rawjson.Check([]byte(text), rawjson.Limits{Values: 2})
		var syntax *rawjson.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("Check(%q) = %v, want a syntax error", text, err)
		}
	}
}

// Arrays and objects alternate in a pattern that does not line up with the
// words of the nesting stack.
func TestCheckDeepNesting(t *testing.T) {
	const levels = 1_000_000
	var opening strings.Builder
	closing := make([]byte, levels)
	for i := range levels {
		if i%3 == 0 {
			opening.WriteString(`{"":`)
			closing[levels-1-i] = '}'
		} else {
			opening.WriteString(`[`)
			closing[levels-1-i] = ']'
		}
	}
	text := opening.String() + "0" + string(closing)
	if err := rawjson.Check([]byte(text), rawjson.Limits{}); err != nil {
		t.Error(err)
	}
	for _, broken := range []string{
		opening.String(),
		text[:len(text)-1],
		text + "]",
		opening.String() + "0" + strings.Repeat("]", levels),
		strings.Repeat("[", levels),
		strings.Repeat(`{"":`, levels),
	} {
		if err := rawjson.Check([]byte(broken), rawjson.Limits{}); err == nil {
			t.Errorf("a text of %d bytes with unbalanced brackets passed", len(broken))
		}
	}
}

func TestSyntaxErrorText(t *testing.T) {
	err := rawjson.Check([]byte(`{"secret": x}`), rawjson.Limits{})
	if got, want := err.Error(), "invalid JSON at byte 11: expected a value"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
