package jsonrpc_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp/jsonrpc"
)

// spellString writes s as a JSON string, each character escaped or not by
// chance.
func spellString(t *rapid.T, s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		quoted, _ := json.Marshal(string(c))
		switch rapid.IntRange(0, 2).Draw(t, "spelling") {
		case 0:
			b.Write(rawjson.AppendString(nil, string(c))[1 : len(rawjson.AppendString(nil, string(c)))-1])
		case 1:
			b.Write(quoted[1 : len(quoted)-1])
		default:
			for _, unit := range utf16Of(c) {
				b.WriteString(`\u` + string("0123456789abcdef"[unit>>12&15]) + string("0123456789ABCDEF"[unit>>8&15]) +
					string("0123456789abcdef"[unit>>4&15]) + string("0123456789ABCDEF"[unit&15]))
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}

func utf16Of(c rune) []rune {
	if c < 0x10000 {
		return []rune{c}
	}
	c -= 0x10000
	return []rune{0xd800 + c>>10, 0xdc00 + c&0x3ff}
}

// anID draws an id as text, and what it stands for.
func anID(t *rapid.T, label string) (text string, value any) {
	if rapid.Bool().Draw(t, label+" is a string") {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("ab\"\\/\n\x00\x7fé☃😀<>1-")), 0, 4, -1).Draw(t, label)
		return spellString(t, s), s
	}
	digits := rapid.StringMatching(`(-?[1-9][0-9]{0,2}|0|-?[1-9][0-9]{25})`).Draw(t, label)
	return digits, "number " + digits
}

func TestBASE2IDsAreEqualIffTheSameValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		textA, valueA := anID(t, "a")
		textB, valueB := anID(t, "b")
		if rapid.Bool().Draw(t, "same") {
			valueB = valueA
			textB = textA
			if s, ok := valueA.(string); ok && textA[0] == '"' {
				textB = spellString(t, s)
			}
		}
		a, okA := jsonrpc.ParseID([]byte(textA))
		b, okB := jsonrpc.ParseID([]byte(textB))
		if !okA || !okB {
			t.Fatalf("not an id: %s %v, %s %v", textA, okA, textB, okB)
		}
		same := valueA == valueB && (textA[0] == '"') == (textB[0] == '"')
		if (a == b) != same {
			t.Fatalf("%s == %s is %v, want %v", textA, textB, a == b, same)
		}
		if again, ok := jsonrpc.ParseID(a.AppendJSON(nil)); !ok || again != a {
			t.Fatalf("%s re-encodes as %s", textA, a)
		}
	})
}

func TestBASE2IntegersAreEchoedDigitByDigit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		id, ok := jsonrpc.ParseID(big.NewInt(n).Append(nil, 10))
		if !ok || id != jsonrpc.IntID(n) || id.String() != big.NewInt(n).String() {
			t.Fatalf("%d became %s", n, id)
		}
	})
}

func TestStringIDsSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		var back string
		if err := json.Unmarshal(jsonrpc.StringID(s).AppendJSON(nil), &back); err != nil || back != s {
			t.Fatalf("%q became %q: %v", s, back, err)
		}
	})
}

// aValue draws JSON text.
func aValue(t *rapid.T, depth int) string {
	kinds := 6
	if depth == 0 {
		kinds = 4
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom([]string{"null", "true", "false"}).Draw(t, "word")
	case 1:
		return rapid.StringMatching(`-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,2})?([eE][+-]?[0-9])?`).Draw(t, "number")
	case 2, 3:
		return spellString(t, rapid.String().Draw(t, "string"))
	case 4:
		parts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return aValue(t, depth-1) }), 0, 3).Draw(t, "array")
		return "[" + strings.Join(parts, ",") + "]"
	}
	parts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		return spellString(t, rapid.StringN(0, 3, -1).Draw(t, "name")) + ":" + aValue(t, depth-1)
	}), 0, 3).Draw(t, "object")
	return "{" + strings.Join(parts, ",") + "}"
}

// aMessage draws members of all kinds in any order, mostly a sound message.
func aMessage(t *rapid.T) []byte {
	members := []string{`"jsonrpc":"2.0"`}
	maybe := func(name string, value func() string) {
		if rapid.IntRange(0, 2).Draw(t, name) > 0 {
			members = append(members, spellString(t, name)+":"+value())
		}
	}
	maybe("id", func() string { text, _ := anID(t, "id"); return text })
	if rapid.Bool().Draw(t, "call") {
		maybe("method", func() string { return spellString(t, rapid.StringN(0, 5, -1).Draw(t, "method")) })
		maybe("params", func() string { return aValue(t, 2) })
	} else {
		maybe("result", func() string { return aValue(t, 2) })
		maybe("error", func() string { return aValue(t, 2) })
	}
	maybe("extra", func() string { return aValue(t, 1) })
	return []byte("{" + strings.Join(rapid.Permutation(members).Draw(t, "order"), ",") + "}")
}

// encode writes a message back from its parts.
func encode(m jsonrpc.Message) []byte {
	switch {
	case !m.IsResponse():
		return jsonrpc.AppendCall(nil, m.ID, m.Method, m.Params)
	case m.Result != nil:
		return append(append(jsonrpc.AppendResponse(nil, m.ID), m.Result...), '}')
	}
	dst := append([]byte(`{"jsonrpc":"2.0","id":`), m.ID.String()...)
	return append(append(append(dst, `,"error":`...), m.Error...), '}')
}

func sameMessage(a, b jsonrpc.Message) bool {
	return a.ID == b.ID && a.Method == b.Method && bytes.Equal(a.Params, b.Params) &&
		bytes.Equal(a.Result, b.Result) && bytes.Equal(a.Error, b.Error)
}

// checkRoundTrip holds one frame to what Check and Parse promise.
func checkRoundTrip(t interface {
	Fatalf(string, ...any)
}, frame []byte) {
	limits := rawjson.Limits{Depth: 64}
	if err := jsonrpc.Check(frame, limits); err != nil {
		return
	}
	if !json.Valid(frame) {
		t.Fatalf("Check accepts what is not JSON: %q", frame)
	}
	before := bytes.Clone(frame)
	m, err := jsonrpc.Parse(frame)
	if !bytes.Equal(before, frame) {
		t.Fatalf("Parse changed its frame to %q", frame)
	}
	if err != nil {
		if err.Code != jsonrpc.InvalidRequest {
			t.Fatalf("Parse of checked text says %v", err)
		}
		return
	}
	text := encode(m)
	if err := jsonrpc.Check(text, limits); err != nil {
		t.Fatalf("re-encoded as %q: %v", text, err)
	}
	again, err := jsonrpc.Parse(text)
	if err != nil || !sameMessage(m, again) {
		t.Fatalf("%q re-encodes as %q, which is %+v: %v", frame, text, again, err)
	}
	if !bytes.Equal(encode(again), text) {
		t.Fatalf("%q is not stable: %q", text, encode(again))
	}
}

func TestAcceptedMessagesReencodeToThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkRoundTrip(t, aMessage(t)) })
}

func FuzzParse(f *testing.F) {
	for _, frame := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}`,
		`{"jsonrpc":"2.0","id":"\u0041","method":"m","params":[]}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`,
		`{"jsonrpc":"2.0","id":1e3,"method":"m"}`,
		`[{"jsonrpc":"2.0","method":"a"},1,[]]`,
		"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}",
		`{"a":{"b":[[[[`,
		` { "jsonrpc" : "2.0" , "id" : "😀" , "result" : null } `,
	} {
		f.Add([]byte(frame))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		checkRoundTrip(t, frame)
		if elements, ok := jsonrpc.Batch(frame); ok { // also of unchecked text
			for _, element := range elements {
				checkRoundTrip(t, element)
			}
		}
		_, _ = jsonrpc.Parse(frame)
		_, _ = jsonrpc.ParseID(frame)
	})
}
