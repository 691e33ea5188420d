package contextengine_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/contextengine"

	"pgregory.net/rapid"
)

// absent is a member that is left out.
const absent = ""

// An envelope is a message by its members, as JSON text.
type envelope struct{ version, id, method, params string }

func drawEnvelope(t *rapid.T) envelope {
	of := func(label string, values ...string) string { return rapid.SampledFrom(values).Draw(t, label) }
	return envelope{
		version: of("jsonrpc", `"2.0"`, `"2.0"`, `"2.0"`, `"2.0"`, `"1.0"`, `2.0`, `null`, absent),
		id:      of("id", `1`, `"a"`, `-7`, `1`, absent, `null`, `1.5`, `1e2`, `{}`, `[]`, `true`),
		method:  of("method", `"ping"`, `"ping"`, `"nothing"`, `""`, `"notifications/initialized"`, `7`, `null`, absent),
		params:  of("params", absent, `{}`, `[]`, `null`, `{"a":1}`, `1`, `"x"`, `false`),
	}
}

// line writes the envelope with its members in any order.
func (e envelope) line(t *rapid.T) string {
	var members []string
	for name, value := range map[string]string{"jsonrpc": e.version, "id": e.id, "method": e.method, "params": e.params} {
		if value != absent {
			members = append(members, fmt.Sprintf("%q:%s", name, value))
		}
	}
	slices.Sort(members)
	return "{" + strings.Join(rapid.Permutation(members).Draw(t, "order"), ",") + "}"
}

// answer is what RPC-8 to RPC-16 say to the envelope, after the handshake;
// empty for no answer.
func (e envelope) answer() string {
	id := "null"
	if slices.Contains([]string{`1`, `"a"`, `-7`}, e.id) {
		id = e.id
	}
	failed := func(code int, message string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`+"\n", id, code, message)
	}
	switch {
	case e.id != absent && id == "null", // RPC-8
		e.version != `"2.0"`,                                     // RPC-9
		!strings.HasPrefix(e.method, `"`),                        // RPC-10
		slices.Contains([]string{`1`, `"x"`, `false`}, e.params): // RPC-11
		return failed(-32600, "Invalid Request")
	case e.id == absent: // RPC-12
		return ""
	case e.method == `"ping"`:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", id)
	}
	return failed(-32601, "Method not found: "+strings.Trim(e.method, `"`))
}

// Many messages in one go are answered each by the rules, in order, whatever
// garbage stands between them.
func TestRPC4RPC8ToRPC16AnswersFollowTheRules(t *testing.T) {
	srv := newV0(t, contextengine.Config{Root: t.TempDir()})
	const parseError = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}` + "\n"
	rapid.Check(t, func(t *rapid.T) {
		var input, want strings.Builder
		for range rapid.IntRange(1, 20).Draw(t, "lines") {
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0:
				input.WriteString(rapid.SampledFrom([]string{"garbage\n", "{\n", "{}}\n", "\xff\n", "\"\\ud800\"\n", "\x00\n"}).Draw(t, "garbage"))
				want.WriteString(parseError)
			case 1:
				input.WriteString(rapid.SampledFrom([]string{"\n", " \t\r\n", "\f\n"}).Draw(t, "blank"))
			default:
				e := drawEnvelope(t)
				input.WriteString(e.line(t) + "\n")
				want.WriteString(e.answer())
			}
		}
		if got := converse(t, srv, input.String(), true); got != want.String() {
			t.Fatalf("to\n%s\nthe server says\n%s\nwant\n%s", input.String(), got, want.String())
		}
	})
}

// FuzzLine sends any line, and then a ping. There is at most one answer to the
// line, in the form of RPC-14, and then that to the ping.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		``, `{}`, `[]`, `null`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":"\u0000","method":"tools/list","params":[]}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"context.resolve","arguments":{"cache":"handbook","query":"guide.","budget":9}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"context.inspect_cache","arguments":{"cache":"../.."}}}`,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"initialize"}`, "\xff", "\u2028", `{"jsonrpc":"2.0","id":1e400,"method":""}`,
	} {
		f.Add([]byte(line))
	}
	srv := newV0(f, contextengine.Config{Root: newRoot(f)})
	f.Fuzz(func(t *testing.T, line []byte) {
		said := converse(t, srv, strings.ReplaceAll(string(line), "\n", " ")+"\n"+`{"jsonrpc":"2.0","id":"after","method":"ping"}`, true)
		before, ok := strings.CutSuffix(said, `{"jsonrpc":"2.0","id":"after","result":{}}`+"\n")
		if !ok || strings.Count(before, "\n") > 1 {
			t.Fatalf("to %q the server says %s", line, said)
		}
		if before == "" {
			return
		}
		var answer struct {
			JSONRPC       string
			ID            any
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal([]byte(before), &answer); err != nil || !strings.HasPrefix(before, `{"jsonrpc":"2.0","id":`) || (answer.Result == nil) == (answer.Error == nil) {
			t.Fatalf("to %q the server says %s", line, before)
		}
	})
}
