package rawjson_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcpworks/internal/rawjson"
)

func TestObjectWriter(t *testing.T) {
	for _, tt := range []struct {
		want  string
		write func(o *rawjson.ObjectWriter)
	}{
		{`{}`, func(o *rawjson.ObjectWriter) {}},
		{`{"s":"","t":"a\"b"}`, func(o *rawjson.ObjectWriter) { o.String("s", ""); o.String("t", `a"b`) }},
		{`{"a\nb":1}`, func(o *rawjson.ObjectWriter) { o.Int("a\nb", 1) }},
		{`{"t":"x"}`, func(o *rawjson.ObjectWriter) { o.NonEmpty("s", ""); o.NonEmpty("t", "x"); o.NonEmpty("u", "") }},
		{`{"i":-9223372036854775808,"j":0}`, func(o *rawjson.ObjectWriter) { o.Int("i", math.MinInt64); o.Int("j", 0) }},
		{`{"b":true,"c":false}`, func(o *rawjson.ObjectWriter) { o.Bool("b", true); o.Bool("c", false) }},
		{`{"r":[1, 2],"n":null}`, func(o *rawjson.ObjectWriter) { o.Raw("r", []byte(`[1, 2]`)); o.Raw("n", []byte(`null`)) }},
		{`{"l":[],"m":["a","b\\"]}`, func(o *rawjson.ObjectWriter) { o.Strings("l", nil); o.Strings("m", []string{"a", `b\`}) }},
		{`{"o":{"p":1},"q":2}`, func(o *rawjson.ObjectWriter) {
			inner := rawjson.Begin(o.Name("o"))
			inner.Int("p", 1)
			o.Set(inner.End())
			o.Int("q", 2)
		}},
		{`{"f":0.1,"g":-0,"h":100000000000000000000000,"i":0.00000001,"j":3}`, func(o *rawjson.ObjectWriter) {
			o.Float("f", 0.1)
			o.Float("g", math.Copysign(0, -1))
			o.Float("h", 1e23)
			o.Float("i", 1e-8)
			o.Float("j", 3)
		}},
		{`{"a":1}`, func(o *rawjson.ObjectWriter) {
			o.Float("nan", math.NaN())
			o.Float("inf", math.Inf(1))
			o.Float("a", 1)
			o.Float("-inf", math.Inf(-1))
		}},
	} {
		o := rawjson.Begin([]byte("before"))
		tt.write(&o)
		if got := string(o.End()); got != "before"+tt.want {
			t.Errorf("got %s, want before%s", got, tt.want)
		}
	}
}

func TestObjectWriterDoesNotAllocate(t *testing.T) {
	dst, strs, raw := make([]byte, 0, 1<<10), []string{"a", "b"}, []byte(`{}`)
	if n := testing.AllocsPerRun(100, func() {
		o := rawjson.Begin(dst)
		o.String("a", "b")
		o.NonEmpty("b", "c")
		o.Int("c", 1)
		o.Float("d", 0.25)
		o.Bool("e", true)
		o.Raw("f", raw)
		o.Strings("g", strs)
		o.End()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Whatever is written can be read, and says the same.
func TestObjectWriterWritesJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name, value := rapid.String().Draw(t, "name"), rapid.String().Draw(t, "value")
		strs := rapid.SliceOf(rapid.String()).Draw(t, "strings")
		f := rapid.Float64().Draw(t, "float")
		o := rawjson.Begin(nil)
		o.String("s"+name, value)
		o.Strings("l"+name, strs)
		o.Float("f"+name, f)
		text := o.End()
		if err := rawjson.Check(text, rawjson.Limits{}); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var got map[string]any
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		valid := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
		if len(got) != 3 || got[valid("s"+name)] != valid(value) || got[valid("f"+name)] != f {
			t.Fatalf("wrote %s", text)
		}
		for i, s := range got[valid("l"+name)].([]any) {
			if s != valid(strs[i]) {
				t.Fatalf("wrote %s", text)
			}
		}
	})
}
