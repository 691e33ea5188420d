package rawjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mcpworks/internal/rawjson"
)

func TestKindOf(t *testing.T) {
	for text, want := range map[string]rawjson.Kind{
		``: rawjson.Invalid, ` `: rawjson.Invalid, `x`: rawjson.Invalid,
		`null`: rawjson.Null, `true`: rawjson.Bool, `false`: rawjson.Bool,
		`0`: rawjson.Number, `-1.5`: rawjson.Number, "\r\n\t 9": rawjson.Number,
		`""`: rawjson.StringKind, `[]`: rawjson.Array, ` {}`: rawjson.Object,
	} {
		if got := rawjson.KindOf([]byte(text)); got != want {
			t.Errorf("KindOf(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestIsInteger(t *testing.T) {
	for text, want := range map[string]bool{
		`0`: true, `-0`: true, `12`: true, ` -12 `: true, `123456789012345678901234567890`: true,
		`1.0`: false, `1e3`: false, `1E3`: false, `"1"`: false, `null`: false, `[1]`: false, `-`: false, ``: false,
	} {
		if got := rawjson.IsInteger([]byte(text)); got != want {
			t.Errorf("IsInteger(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestString(t *testing.T) {
	for _, tt := range []struct {
		text string
		want string
		ok   bool
	}{
		{`""`, "", true},
		{`"abc"`, "abc", true},
		{" \"abc\"\n", "abc", true},
		{`"日本"`, "日本", true},
		{`"\"\\\/\b\f\n\r\t\u0041\u00e9\u65E5"`, "\"\\/\b\f\n\r\tAé日", true},
		{`"a\ud834\udd1eb"`, "a𝄞b", true},
		{`"\\"`, `\`, true},
		{`"\\n"`, `\n`, true},
		{`1`, "", false},
		{`["a"]`, "", false},
		{`null`, "", false},
		{``, "", false},
	} {
		if got, ok := rawjson.String([]byte(tt.text)); got != tt.want || ok != tt.ok {
			t.Errorf("String(%s) = %q, %v, want %q, %v", tt.text, got, ok, tt.want, tt.ok)
		}
	}
}

func TestMembers(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                        ``,
		` { } `:                     ``,
		`[1]`:                       ``,
		`"a"`:                       ``,
		``:                          ``,
		`{"a":1}`:                   `a=1;`,
		` { "a" : 1 , "b" : [ ] } `: `a=1;b=[ ];`,
		`{"a":1,"a":2}`:             `a=1;a=2;`,
		`{"\u0061\"":"\""}`:         `a"="\"";`,
		`{"a":{"b":"}"},"c":"]\\"}`: `a={"b":"}"};c="]\\";`,
		`{"é":null,"":true}`:        `é=null;=true;`,
	} {
		var got strings.Builder
		for key, value := range rawjson.Members([]byte(text)) {
			fmt.Fprintf(&got, "%s=%s;", key, value)
		}
		if got.String() != want {
			t.Errorf("Members(%s) = %s, want %s", text, got.String(), want)
		}
	}
}

// A caller may append to what it is given without harm to the text.
func TestMember(t *testing.T) {
	for _, tt := range []struct{ object, name, want string }{
		{`{"a":1,"b":[2]}`, "a", `1`},
		{` { "a" : 1 , "b" : [ 2 ] } `, "b", `[ 2 ]`},
		{`{"a":1,"a":2}`, "a", `1`},
		{`{"":null}`, "", `null`},
		{`{"\u0061":1}`, "a", `1`},
		{`{"b":{"a":1}}`, "a", ``},
		{`{"A":1}`, "a", ``},
		{`{}`, "a", ``},
		{`["a"]`, "a", ``},
		{`"a"`, "a", ``},
		{``, "a", ``},
	} {
		got := rawjson.Member([]byte(tt.object), tt.name)
		if string(got) != tt.want || (got == nil) != (tt.want == "") {
			t.Errorf("Member(%s, %q) = %q, want %q", tt.object, tt.name, got, tt.want)
		}
	}
	object := []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if n := testing.AllocsPerRun(100, func() { rawjson.Member(object, "method") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWalkedValuesAreClipped(t *testing.T) {
	text := []byte(`{"a":[1,2]}`)
	for key, value := range rawjson.Members(text) {
		_ = append(key, '!')
		_ = append(value, '!')
		for element := range rawjson.Elements(value) {
			_ = append(element, '!')
		}
	}
	if string(text) != `{"a":[1,2]}` {
		t.Errorf("text changed to %s", text)
	}
}

func TestWalkingStopsOnBreak(t *testing.T) {
	n := 0
	for range rawjson.Members([]byte(`{"a":1,"b":2}`)) {
		n++
		break
	}
	for range rawjson.Elements([]byte(`[1,2]`)) {
		n++
		break
	}
	if n != 2 {
		t.Errorf("walked %d values, want 2", n)
	}
}

func TestDecodeDuplicate(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"a":1}`:                   `duplicate member name "a"`,
		`{"a":1,"\u0061":2}`:              `duplicate member name "a"`,
		`[0,{"x":{"b":1,"c":2,"b":3}}]`:   `duplicate member name "b"`,
		`{"a":{"a":1},"b":[{"a":1},"a"]}`: ``,
	} {
		_, err := rawjson.Decode([]byte(text))
		var duplicate *rawjson.DuplicateError
		switch {
		case want == "" && err != nil:
			t.Errorf("Decode(%s) = %v", text, err)
		case want != "" && (!errors.As(err, &duplicate) || err.Error() != want):
			t.Errorf("Decode(%s) = %v, want %s", text, err, want)
		}
	}
}

func TestAppend(t *testing.T) {
	type other struct {
		A string   `json:"a"`
		B []uint16 `json:"b"`
	}
	for _, tt := range []struct {
		v    any
		want string
	}{
		{nil, `null`},
		{true, `true`},
		{"<a&b>\u2028\"\\/\b\f\n\r\t\x00\x1f\x7f", "\"<a&b>\u2028\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\""},
		{"a\xffb\xe2\x82", "\"a\ufffdb\ufffd\ufffd\""},
		{json.Number("9007199254740993"), `9007199254740993`},
		{json.Number("1.50E+3"), `1.50E+3`},
		{-7, `-7`},
		{int64(math.MinInt64), `-9223372036854775808`},
		{uint8(7), `7`},
		{1.0, `1`},
		{0.1, `0.1`},
		{1e21, `1e+21`},
		{1e-7, `1e-7`},
		{-1.5e-10, `-1.5e-10`},
		{math.MaxFloat64, `1.7976931348623157e+308`},
		{[]any(nil), `null`},
		{map[string]any(nil), `null`},
		{json.RawMessage(nil), `null`},
		{[]any{}, `[]`},
		{map[string]any{}, `{}`},
		{map[string]any{"b": 1, "a": []any{nil, "x"}, "é": 2, "B": 3}, `{"B":3,"a":[null,"x"],"b":1,"é":2}`},
		{json.RawMessage("{ \"a\" :\n[1, \" \"] }"), `{"a":[1," "]}`},
		{other{"<", []uint16{1}}, `{"a":"<","b":[1]}`},
		{[]any{map[string]int{"b": 1, "a": 2}}, `[{"a":2,"b":1}]`},
	} {
		got, err := rawjson.Append([]byte("x"), tt.v)
		if err != nil || string(got) != "x"+tt.want {
			t.Errorf("Append(%#v) = %s, %v, want %s", tt.v, got, err, tt.want)
		}
	}
}

func TestAppendRefuses(t *testing.T) {
	for _, v := range []any{
		math.NaN(), math.Inf(1), math.Inf(-1), []any{math.NaN()}, map[string]any{"a": math.NaN()},
		json.Number(""), json.Number("01"), json.Number("1 "), json.Number("0x1"), json.Number("NaN"),
		json.RawMessage(""), json.RawMessage("{"), json.RawMessage("\"\xff\""),
		func() {}, make(chan int), float32(math.Inf(1)),
	} {
		if got, err := rawjson.Append(nil, v); err == nil {
			t.Errorf("Append(%#v) = %s, want an error", v, got)
		}
	}
}

// text draws a JSON text with white space and escapes in unusual places.
func text(t *rapid.T) []byte {
	return appendText(t, nil, 0)
}

var (
	space   = rapid.SampledFrom([]string{"", "", "", "", " ", "\n", "\t\r ", "        "})
	scalars = rapid.SampledFrom([]string{"null", "true", "false", "0", "-0", "12", "9007199254740993", "-1.50e+03", "1E400"})
	pieces  = rapid.SampledFrom([]string{"a", "b", "text", "12345678", "é", "日本", "𝄞", "\u2028", `\"`, `\\`, `\/`,
		`\b\f\n\r\t`, `\u0041`, `\u00e9`, `\uD834\udd1e`, `\u0000`, "{", "}", "[", "]", ",", ":", " ", "\x7f"})
)

func appendText(t *rapid.T, dst []byte, depth int) []byte {
	dst = append(dst, space.Draw(t, "space")...)
	kinds := 4
	if depth > 4 {
		kinds = 2
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		dst = append(dst, scalars.Draw(t, "scalar")...)
	case 1:
		dst = appendLiteral(t, dst)
	case 2:
		dst = append(append(dst, '['), space.Draw(t, "space")...)
		for i := range rapid.IntRange(0, 4).Draw(t, "elements") {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendText(t, dst, depth+1)
		}
		dst = append(dst, ']')
	case 3:
		dst = append(append(dst, '{'), space.Draw(t, "space")...)
		for i := range rapid.IntRange(0, 4).Draw(t, "members") {
			if i > 0 {
				dst = append(append(dst, ','), space.Draw(t, "space")...)
			}
			dst = append(appendLiteral(t, dst), space.Draw(t, "space")...)
			dst = appendText(t, append(dst, ':'), depth+1)
		}
		dst = append(dst, '}')
	}
	return append(dst, space.Draw(t, "space")...)
}

func appendLiteral(t *rapid.T, dst []byte) []byte {
	dst = append(dst, '"')
	for range rapid.IntRange(0, 5).Draw(t, "pieces") {
		dst = append(dst, pieces.Draw(t, "piece")...)
	}
	return append(dst, '"')
}

func TestTextAgreesWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compareText(t, text(t)) })
}

// A text with a byte or two changed is where the two are most likely to differ.
func TestBrokenTextAgreesWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := text(t)
		for range rapid.IntRange(1, 2).Draw(t, "changes") {
			i := rapid.IntRange(0, len(b)-1).Draw(t, "at")
			switch rapid.IntRange(0, 2).Draw(t, "change") {
			case 0:
				b[i] = rapid.Byte().Draw(t, "byte")
			case 1:
				b[i] = rapid.SampledFrom([]byte(`"\u09-.e+{}[],: dD`)).Draw(t, "byte")
			case 2:
				b = b[:max(1, i)]
			}
		}
		compareText(t, b)
	})
}

func FuzzText(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a\n\"b\""}}}`,
		"[ 1 , -2.5e+10, \"\\ud834\\udd1e é\", null, true, {\"a\":1,\"a\":2} ]",
		`"\ud800"`, "\"\xff\"", `{"a":}`, `[[[[{"":[]}]]]]`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { compareText(t, b) })
}

type failer interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// encodingJSONDepth is the nesting that encoding/json puts up with.
const encodingJSONDepth = 10000

// compareText holds everything that reads against encoding/json.
func compareText(t failer, b []byte) {
	t.Helper()
	err := rawjson.Check(b, rawjson.Limits{Depth: encodingJSONDepth})
	if errors.Is(err, rawjson.ErrTooDeep) {
		return
	}
	if want := json.Valid(b) && utf8.Valid(b) && !hasLoneSurrogate(b); want != (err == nil) {
		t.Fatalf("Check(%q) = %v, want valid %v", b, err, want)
	}
	if err != nil {
		readAnyway(b)
		return
	}

	got, err := rawjson.Decode(b)
	want, duplicate := referenceDecode(json.NewDecoder(bytes.NewReader(b)))
	if duplicate != (err != nil) {
		t.Errorf("Decode(%q): %v, want duplicate %v", b, err, duplicate)
	}
	if err == nil {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Decode(%q) (-want +got):\n%s", b, diff)
		}
		compareRoundTrip(t, got)
	}

	var compact bytes.Buffer
	if err := json.Compact(&compact, b); err != nil {
		t.Fatalf("json.Compact: %v", err)
	}
	if got := rawjson.Compact(nil, b); !bytes.Equal(got, compact.Bytes()) {
		t.Errorf("Compact(%q) = %q", b, got)
	}
	compareWalk(t, b)
}

// compareRoundTrip says that what Decode gives is what Append takes.
func compareRoundTrip(t failer, v any) {
	t.Helper()
	b, err := rawjson.Append(nil, v)
	if err != nil {
		t.Fatalf("Append(%#v): %v", v, err)
	}
	if err := rawjson.Check(b, rawjson.Limits{}); err != nil {
		t.Fatalf("Append(%#v) = %q: %v", v, b, err)
	}
	again, err := rawjson.Decode(b)
	if diff := cmp.Diff(v, again); diff != "" || err != nil {
		t.Errorf("Decode(%q): %v (-want +got):\n%s", b, err, diff)
	}
}

func compareWalk(t failer, b []byte) {
	t.Helper()
	got := walk(b)
	var want []string
	dec := json.NewDecoder(bytes.NewReader(b))
	opening, _ := dec.Token()
	for dec.More() && (opening == json.Delim('{') || opening == json.Delim('[')) {
		if opening == json.Delim('{') {
			key, _ := dec.Token()
			want = append(want, key.(string))
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			t.Fatalf("json.Decoder: %v", err)
		}
		want = append(want, string(value))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("walk of %q (-want +got):\n%s", b, diff)
	}
	if s, ok := rawjson.String(b); ok != (rawjson.KindOf(b) == rawjson.StringKind) || ok && s != opening {
		t.Errorf("String(%q) = %q, %v", b, s, ok)
	}
	number, ok := opening.(float64)
	if rawjson.IsInteger(b) && (!ok || number != math.Trunc(number)) {
		t.Errorf("IsInteger(%q) = true", b)
	}
}

// walk lists the members or elements of b.
func walk(b []byte) []string {
	var list []string
	for key, value := range rawjson.Members(b) {
		list = append(list, string(key), string(value))
	}
	for value := range rawjson.Elements(b) {
		list = append(list, string(value))
	}
	return list
}

// readAnyway reads unchecked text, which may give nonsense but no panic.
func readAnyway(b []byte) {
	walk(b)
	rawjson.String(b)
	rawjson.IsInteger(b)
	rawjson.Compact(nil, b)
	_, _ = rawjson.Decode(b)
}

var (
	escape     = regexp.MustCompile(`\\[^u]|\\u[dD][89abAB]..\\u[dD][c-fC-F]`)
	surrogates = regexp.MustCompile(`\\u[dD][89a-fA-F]`)
)

// hasLoneSurrogate takes valid JSON.
func hasLoneSurrogate(b []byte) bool {
	return surrogates.Match(escape.ReplaceAll(b, []byte(" ")))
}

func referenceDecode(dec *json.Decoder) (v any, duplicate bool) {
	dec.UseNumber()
	token, _ := dec.Token()
	switch token {
	case json.Delim('['):
		a := []any{}
		for dec.More() {
			v, again := referenceDecode(dec)
			a, duplicate = append(a, v), duplicate || again
		}
		_, _ = dec.Token()
		return a, duplicate
	case json.Delim('{'):
		m := map[string]any{}
		for dec.More() {
			name, _ := dec.Token()
			_, twice := m[name.(string)]
			v, again := referenceDecode(dec)
			m[name.(string)], duplicate = v, duplicate || twice || again
		}
		_, _ = dec.Token()
		return m, duplicate
	}
	return token, false
}

func TestAppendStringAgreesWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		compareAppendString(t, string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")))
		compareAppendString(t, rapid.String().Draw(t, "string"))
	})
}

func FuzzAppendString(f *testing.F) {
	f.Add("plain text of some length")
	f.Add("a\"b\\c\n\x00\x1f\x7f\u2028 é日𝄞 \xff\xe2\x82")
	f.Fuzz(func(t *testing.T, s string) { compareAppendString(t, s) })
}

func compareAppendString(t failer, s string) {
	t.Helper()
	b := rawjson.AppendString([]byte{}, s)
	if err := rawjson.Check(b, rawjson.Limits{}); err != nil {
		t.Fatalf("AppendString(%q) = %q: %v", s, b, err)
	}
	var back string
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatalf("AppendString(%q) = %q: %v", s, b, err)
	}
	if want := string([]rune(s)); back != want {
		t.Errorf("AppendString(%q) = %q", s, b)
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		t.Fatalf("json.Encoder: %v", err)
	}
	// encoding/json differs in three characters it escapes without need.
	want := strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029", `\ufffd`, "\ufffd").
		Replace(strings.TrimSuffix(buf.String(), "\n"))
	if string(b) != want {
		t.Errorf("AppendString(%q) = %s, want %s", s, b, want)
	}
}

func TestAppendFloatAgreesWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		got, err := rawjson.Append(nil, f)
		want, wantErr := json.Marshal(f)
		if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, want) {
			t.Errorf("Append(%v) = %s, %v, want %s, %v", f, got, err, want, wantErr)
		}
	})
}
