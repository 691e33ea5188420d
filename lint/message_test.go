package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/lint"
)

const head = `{"target":"x"}
{"talk":"main","transport":"stdio","revision":"2025-11-25"}
{"step":"one"}
`

// A2.5, A2.6, D2.2: what a message is.
func TestKinds(t *testing.T) {
	for text, want := range map[string]lint.Kind{
		`{"recv":{"jsonrpc":"2.0","id":7,"method":"ping"}}`:        lint.Request,
		`{"recv":{"jsonrpc":"2.0","method":"x"}}`:                  lint.Notification,
		`{"recv":{"jsonrpc":"2.0","id":7,"result":null}}`:          lint.Response,
		`{"recv":{"jsonrpc":"2.0","id":7,"error":{}}}`:             lint.Response,
		`{"recv":{"jsonrpc":"2.0","id":7}}`:                        lint.Invalid,
		`{"recv":{"jsonrpc":"2.0","id":7,"result":{},"error":{}}}`: lint.Invalid,
		`{"recv":[]}`:           lint.Invalid,
		`{"recv":"text"}`:       lint.Invalid,
		`{"recvText":"hello"}`:  lint.Noise,
		`{"recvBase64":"//8="}`: lint.Noise,
	} {
		got := read(t, head+text).Talks[0].Messages()
		if len(got) != 1 || got[0].Kind != want {
			t.Errorf("%s: %d messages, %v, want %v", text, len(got), got[0].Kind, want)
		}
	}
}

// A2.3, A5.1, D2.3: an answer has the id to the letter and the type, and a
// second one is known as such.
func TestAnswers(t *testing.T) {
	talk := read(t, head+`{"send":{"jsonrpc":"2.0","id":7,"method":"ping"}}
{"recv":{"jsonrpc":"2.0","id":"7","result":{}}}
{"recv":{"jsonrpc":"2.0","id":7,"result":{}}}
{"step":"two"}
{"recv":{"jsonrpc":"2.0","id":7,"result":{}}}
`).Talks[0]
	m := talk.Messages()
	if m[1].Asked != nil || m[0].Answer != m[2] || m[2].Again || m[3].Asked != m[0] || !m[3].Again {
		t.Errorf("%+v", m)
	}
	if talk.Steps[0].Answer() != m[2] || m[2].MethodName() != "ping" || talk.Steps[1].Asked() != nil {
		t.Error("the step does not know its answer")
	}
}

// A2.7: an array is its messages.
func TestBatch(t *testing.T) {
	m := read(t, head+`{"recv":[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]}`).Talks[0].Messages()
	if len(m) != 2 || !m[0].Batch || m[1].MethodName() != "b" {
		t.Errorf("%+v", m)
	}
}

// A6.4, D2.12: a message over several lines is one message, noise stays noise.
func TestJoinedLines(t *testing.T) {
	m := read(t, head+`{"recvText":"Starting up"}
{"recvText":"{"}
{"recvText":"  \"jsonrpc\": \"2.0\","}
{"recvText":"  \"method\": \"x\""}
{"recvText":"}"}
{"recvText":"{ not json"}
{"recv":{"jsonrpc":"2.0","method":"y"}}
`).Talks[0].Messages()
	var got []string
	for _, one := range m {
		got = append(got, fmt.Sprintf("%v %d %s", one.Kind, one.Lines, one.MethodName()))
	}
	want := []string{"noise 1 ", "notification 4 x", "noise 1 ", "notification 1 y"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The stream of HTTP+SSE is older than the requests that it answers.
func TestStreamAnswersLaterRequests(t *testing.T) {
	talk := read(t, `{"target":"x"}
{"talk":"main","transport":"sse","revision":"2024-11-05"}
{"step":"open"}
{"http":{"method":"GET","url":"http://127.0.0.1/sse","status":200,"response":{"Content-Type":"text/event-stream"},"answerText":"event: endpoint\ndata: /m\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"capabilities\":{\"tools\":{}}}}\n\n","eventMs":[1,9]}}
{"step":"initialize"}
{"http":{"method":"POST","url":"http://127.0.0.1/m","body":{"jsonrpc":"2.0","id":1,"method":"initialize"},"status":202},"ms":5}
`).Talks[0]
	if answer := talk.Step("initialize", "").Answer(); answer == nil || answer.HTTP.Method != "GET" || !talk.Declares("tools") {
		t.Errorf("%+v", answer)
	}
}

// D2.66: a few bytes on the wire do not become a message each without end.
func TestManyInOne(t *testing.T) {
	zeros := read(t, head+`{"recv":[`+strings.Repeat("0,", 1<<20)+`0]}`).Talks[0].Messages()
	stream := read(t, `{"target":"x"}
{"talk":"main","transport":"streamable_http","revision":"2025-11-25"}
{"step":"one"}
{"http":{"method":"POST","url":"http://127.0.0.1/","status":200,"response":{"Content-Type":"text/event-stream"},"answerText":"`+strings.Repeat(`data:0\n\n`, 100_000)+`"}}
`).Talks[0].Messages()
	if len(zeros) > 1000 || len(stream) > lint.MaxStreamEvents {
		t.Errorf("there are %d messages in the array and %d in the stream", len(zeros), len(stream))
	}
}

// D2.40: the evidence names the step that asked, and leaves out when it was.
func TestEvidenceIsTheSameEachTime(t *testing.T) {
	talk := read(t, `{"target":"x"}
{"talk":"main","transport":"streamable_http","revision":"2025-11-25"}
{"step":"asking"}
{"http":{"method":"POST","url":"http://127.0.0.1/","body":{"jsonrpc":"2.0","id":1,"method":"ping"},"status":200,"response":{"Content-Type":"text/plain","Date":"Sun, 15 Nov 2026 11:25:04 GMT"}}}
{"step":"later"}
{"http":{"method":"GET","url":"http://127.0.0.1/","status":200,"response":{"Content-Type":"application/json"},"answer":{"jsonrpc":"2.0","id":1,"result":{}}},"ms":5}
`).Talks[0]
	answer, asking := talk.Step("later", "").Messages()[0].Evidence(), talk.Step("asking", "").Evidence()
	if answer.Step != "asking" || strings.Contains(asking.Received, "2026") {
		t.Errorf("%+v\n%+v", answer, asking)
	}
}
