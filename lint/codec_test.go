package lint_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"mcpworks/lint"
)

// A12.2, D2.65: a record that was written and read again is the same, byte for
// byte of every message.
func TestRecordRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawRecord(t)
		var text bytes.Buffer
		if err := want.Write(&text); err != nil {
			t.Fatal(err)
		}
		got, err := lint.ReadRecord(bytes.NewReader(text.Bytes()))
		if err != nil {
			t.Fatalf("%v\n%s", err, text.Bytes())
		}
		ignore := cmpopts.IgnoreUnexported(lint.Talk{}, lint.Step{})
		if diff := cmp.Diff(want, got, ignore, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

func drawRecord(t *rapid.T) *lint.Record {
	text := rapid.StringMatching(`[ -~]{1,20}`)
	moment := rapid.Map(rapid.IntRange(0, 1<<30), func(n int) time.Duration { return time.Duration(n) * time.Microsecond })
	content := rapid.OneOf(
		rapid.SliceOfN(rapid.Byte(), 1, 20),
		rapid.SampledFrom([][]byte{[]byte(`{"a":1,"a":2}`), []byte(` {}`), []byte("{\n}"), []byte(`{"a" : "é<>&"}`), []byte("\r"), []byte("null")}),
	)
	header := rapid.Map(text, func(s string) http.Header { return http.Header{"X-Name": {s}} })
	event := rapid.Custom(func(t *rapid.T) lint.Event {
		e := lint.Event{At: moment.Draw(t, "at")}
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			e.Sent = content.Draw(t, "sent")
		case 1:
			e.Received = content.Draw(t, "received")
		case 2:
			e.Stderr = text.Draw(t, "stderr")
		case 3:
			e.Note = text.Draw(t, "note")
		case 4:
			e = lint.Event{Exit: &lint.Exit{Code: -1, Signal: text.Draw(t, "signal"), After: "kill", Took: moment.Draw(t, "took"), Leftovers: true}}
		default:
			e.HTTP = &lint.Exchange{
				Method: "POST", URL: text.Draw(t, "url"), Header: header.Draw(t, "header"), Body: content.Draw(t, "body"),
				Status: 200, Response: header.Draw(t, "response"), Answer: content.Draw(t, "answer"), Head: moment.Draw(t, "head"),
				Answered: moment.Draw(t, "answered"), End: moment.Draw(t, "end"), Left: moment.Draw(t, "left"),
				Times: rapid.SliceOf(moment).Draw(t, "times"), Cut: rapid.Bool().Draw(t, "cut"), Err: text.Draw(t, "err"),
			}
		}
		return e
	})
	step := rapid.Custom(func(t *rapid.T) *lint.Step {
		return &lint.Step{Name: text.Draw(t, "step"), About: text.Draw(t, "about"), Events: rapid.SliceOf(event).Draw(t, "events"), Outcome: lint.Silent, Took: moment.Draw(t, "took")}
	})
	talk := rapid.Custom(func(t *rapid.T) *lint.Talk {
		return &lint.Talk{
			Phase: text.Draw(t, "phase"), Asked: text.Draw(t, "asked"), Revision: text.Draw(t, "revision"), Modern: rapid.Bool().Draw(t, "modern"),
			Transport: "stdio", Client: []byte(`{"roots":{}}`), Failure: text.Draw(t, "failure"), StderrBytes: 7, Truncated: 3,
			Steps: rapid.SliceOf(step).Draw(t, "steps"),
		}
	})
	return &lint.Record{
		Target: lint.Target{Shown: text.Draw(t, "shown"), URL: text.Draw(t, "target"), Loopback: true, Credentials: true, Package: lint.Package{Name: "n", Version: "1"}},
		Level:  lint.Call, Talks: rapid.SliceOf(talk).Draw(t, "talks"),
	}
}

func TestReadRecordSaysWhere(t *testing.T) {
	for text, want := range map[string]string{
		"# a comment\n\n{\"step\":\"x\"}":                "line 3 of the record: there is no talk yet",
		"{\"talk\":\"x\"}\n{\"send\":{}}":                "line 2 of the record: there is no step yet",
		"{\"talk\":\"x\"}\n{\"step\":\"x\"}\n{\"ms\":1}": "line 3 of the record: nothing is said to have happened",
		"{\"target\":\"x\",\"version\":2}":               "line 1 of the record: the record has version 2",
		"{\"talk\":\"x\",\"colour\":1}":                  `line 1 of the record: json: unknown field "colour"`,
		"{":                                              "line 1 of the record: unexpected EOF",
	} {
		if _, err := lint.ReadRecord(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
