package wireschema_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mcpworks/lint/wireschema"
)

// versions are the revisions by letter.
var versions = map[rune]string{'A': "2024-11-05", 'B': "2025-03-26", 'C': "2025-06-18", 'D': "2025-11-25", 'E': "2026-07-28"}

const (
	meta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	done = `"resultType":"complete"`
	kept = done + `,"ttlMs":0,"cacheScope":"private"`
)

// sample is a line of testdata/messages.txt.
type sample struct {
	letters string
	from    wireschema.Direction
	kind    string
	method  string
	message string
	want    []string // pointer and keyword
}

func samples(t testing.TB) []sample {
	t.Helper()
	text, err := os.ReadFile("testdata/messages.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []sample
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != '#' {
			list = append(list, parseSample(t, line))
		}
	}
	return list
}

func parseSample(t testing.TB, line string) sample {
	t.Helper()
	line, want, broken := strings.Cut(line, " => ")
	fields := strings.SplitN(line, " ", 5)
	if len(fields) < 4 {
		t.Fatalf("line %q", line)
	}
	s := sample{letters: fields[0], kind: fields[2], method: fields[3]}
	if fields[1] == "server" {
		s.from = wireschema.Server
	}
	body := ""
	if len(fields) == 5 {
		body = strings.NewReplacer("META", meta, "DONE", done, "KEPT", kept).Replace(fields[4])
	}
	s.message = wrap(s.kind, s.method, body)
	if broken {
		s.want = strings.Split(want, ", ")
	}
	return s
}

// wrap puts a body into its envelope.
func wrap(kind, method, body string) string {
	params := ""
	if body != "" {
		params = `,"params":` + body
	}
	switch kind {
	case "request":
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `"` + params + `}`
	case "notification":
		return `{"jsonrpc":"2.0","method":"` + method + `"` + params + `}`
	case "result", "error":
		return `{"jsonrpc":"2.0","id":1,"` + kind + `":` + body + `}`
	}
	return body
}

// A3.4, RPC-028
func TestMessages(t *testing.T) {
	for _, s := range samples(t) {
		for _, letter := range s.letters {
			problems, err := wireschema.Validate(versions[letter], s.from, s.method, []byte(s.message))
			if err != nil {
				t.Fatalf("%s: %v", s.message, err)
			}
			var got []string
			for i, p := range problems {
				keyword := p.Keyword
				if i < len(s.want) && strings.HasSuffix(s.want[i], " *") { // differs by revision
					keyword = "*"
				}
				got = append(got, p.Pointer+" "+keyword)
				if p.Message == "" || len(p.Message) > 300 {
					t.Errorf("%s: message %q", p.Pointer, p.Message)
				}
			}
			if diff := cmp.Diff(s.want, got); diff != "" {
				t.Errorf("%s %s from %v: %s (-want +got):\n%s", versions[letter], s.method, s.from, s.message, diff)
			}
		}
	}
}

// The message says what the member should be, not which alternatives failed.
func TestMessageIsAboutTheMember(t *testing.T) {
	for _, tt := range []struct{ result, want string }{
		{`{"content":[{"type":"video"}]}`, `/result/content/0/type must be one of "text", "image", "audio", "resource_link", "resource"`},
		{`{"content":[{"type":"text","text":5}]}`, `/result/content/0/text must be string, got number`},
		{`{"content":[{"type":"resource","resource":{"uri":"x:y"}}]}`, `/result/content/0/resource fits none of the allowed forms: /text is required; /blob is required`},
	} {
		problems, err := wireschema.Validate("2025-11-25", wireschema.Server, "tools/call", []byte(wrap("result", "", tt.result)))
		if err != nil || len(problems) != 1 {
			t.Fatalf("%v, %v", problems, err)
		}
		if got := problems[0].Pointer + " " + problems[0].Message; got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

// A message whose method is not given is checked by its own.
func TestMethodIsReadFromTheMessage(t *testing.T) {
	problems, err := wireschema.Validate("2025-11-25", wireschema.Server, "", []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":1}}`))
	if want := []wireschema.Problem{{Pointer: "/params/level", Message: "is required", Keyword: "required"}}; err != nil || !slices.Equal(problems, want) {
		t.Errorf("%v, %v", problems, err)
	}
}

// A2.9
func TestLastOfDuplicatesCounts(t *testing.T) {
	problems, err := wireschema.Validate("2025-11-25", wireschema.Server, "tools/list",
		[]byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":1,"tools":[{"name":"t","name":5,"inputSchema":{"type":"object"}}]}}`))
	if want := []wireschema.Problem{{Pointer: "/result/tools/0/name", Message: "must be string, got number", Keyword: "type"}}; err != nil || !slices.Equal(problems, want) {
		t.Errorf("%v, %v", problems, err)
	}
}

func TestWhatCannotBeChecked(t *testing.T) {
	for _, tt := range []struct{ version, raw, want string }{
		{"1999-01-01", `{}`, `no schema of revision "1999-01-01"`},
		{"2025-11-25", `{`, "read message: "},
		{"2025-11-25", strings.Repeat(" ", 8<<20) + `{}`, wireschema.ErrTooLarge.Error()},
		{"2025-11-25", strings.Repeat("[", 1001) + strings.Repeat("]", 1001), wireschema.ErrTooLarge.Error()},
		{"2025-11-25", "[" + strings.Repeat("1,", 500_000) + "1]", wireschema.ErrTooLarge.Error()},
	} {
		problems, err := wireschema.Validate(tt.version, wireschema.Server, "ping", []byte(tt.raw))
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || problems != nil {
			t.Errorf("%.20s: %v, %v", tt.raw, problems, err)
		}
	}
}

func TestProblemsAreFiftyAtMost(t *testing.T) {
	tools := strings.Repeat(`{"inputSchema":[]},`, 10_000) + `{}`
	problems, err := wireschema.Validate("2025-11-25", wireschema.Server, "tools/list", []byte(wrap("result", "", `{"tools":[`+tools+`]}`)))
	if err != nil || len(problems) != 50 {
		t.Errorf("%d problems, %v", len(problems), err)
	}
}

// Any JSON can be checked, every time with the same outcome.
func TestArbitraryJSON(t *testing.T) {
	names := []string{"jsonrpc", "id", "method", "params", "result", "error", "content", "tools", "type", "text", "resource", "uri",
		"_meta", "inputSchema", "code", "message", "resultType", "inputRequests", "task", "messages", "role", "a/b~"}
	scalars := []string{`null`, `true`, `0`, `-1.5`, `1e400`, `1e999`, `""`, `"2.0"`, `"text"`, `"tools/call"`, `"input_required"`, `"\u0000"`, `-32042`}
	var value func(depth int) *rapid.Generator[string]
	value = func(depth int) *rapid.Generator[string] {
		return rapid.Custom(func(t *rapid.T) string {
			kind := rapid.IntRange(0, 3).Draw(t, "kind")
			if depth == 0 || kind == 0 {
				return rapid.SampledFrom(scalars).Draw(t, "scalar")
			}
			parts := rapid.SliceOfN(value(depth-1), 0, 4).Draw(t, "parts")
			if kind == 1 {
				return "[" + strings.Join(parts, ",") + "]"
			}
			for i := range parts {
				parts[i] = fmt.Sprintf("%q:%s", rapid.SampledFrom(names).Draw(t, "name"), parts[i])
			}
			return "{" + strings.Join(parts, ",") + "}"
		})
	}
	methods := []string{"", "initialize", "tools/list", "tools/call", "prompts/get", "sampling/createMessage", "elicitation/create", "x"}
	rapid.Check(t, func(t *rapid.T) {
		raw := []byte(value(5).Draw(t, "message"))
		version := versions[rapid.SampledFrom([]rune("ABCDE")).Draw(t, "revision")]
		from := rapid.SampledFrom([]wireschema.Direction{wireschema.Client, wireschema.Server}).Draw(t, "from")
		method := rapid.SampledFrom(methods).Draw(t, "method")
		first, err := wireschema.Validate(version, from, method, raw)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		again, _ := wireschema.Validate(version, from, method, raw)
		if diff := cmp.Diff(first, again); diff != "" {
			t.Fatalf("%s: %s", raw, diff)
		}
		if len(first) > 50 {
			t.Fatalf("%d problems", len(first))
		}
	})
}
