package mcp_test

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

func TestRevisionTable(t *testing.T) {
	want := []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
	named := []*mcp.Revision{mcp.V20260728, mcp.V20251125, mcp.V20250618, mcp.V20250326, mcp.V20241105}
	all := mcp.Revisions()
	if !slices.Equal(all, named) {
		t.Error("the names are not those of the table, newest first")
	}
	for i, rev := range all {
		if rev.Version != want[i] || mcp.RevisionOf(want[i]) != rev {
			t.Errorf("row %d is %s", i, rev.Version)
		}
		if rev.Modern != (rev.Version >= "2026") {
			t.Errorf("%s: Modern %v", rev.Version, rev.Modern)
		}
		if rev.Batches != (rev == mcp.V20250326) {
			t.Errorf("BASE-8: %s: Batches %v", rev.Version, rev.Batches)
		}
		code := -32002
		if rev.Modern {
			code = jsonrpc.InvalidParams
		}
		if rev.ResourceNotFound != code {
			t.Errorf("RES-4: %s: %d", rev.Version, rev.ResourceNotFound)
		}
	}
	for _, version := range []string{"", "2025-06-19", "2025-06-18 ", "DRAFT-2026-v1", "1.0"} {
		if mcp.RevisionOf(version) != nil {
			t.Errorf("%q is a revision", version)
		}
	}
	all[0] = nil
	if mcp.Revisions()[0] == nil {
		t.Error("the table can be changed from outside")
	}
}

// What a revision has, the next one has too, batches apart.
func TestRevisionsOnlyGrow(t *testing.T) {
	columns := func(r *mcp.Revision) []bool {
		return []bool{
			r.ErrorsMayLackID, r.Annotations, r.Audio, r.ProgressMessage, r.CompletionsCapability,
			r.Structured, r.AnyStructured, r.Elicitation, r.ElicitationURL, r.Icons,
		}
	}
	all := mcp.Revisions()
	for i := range len(all) - 1 {
		for column, older := range columns(all[i+1]) {
			if older && !columns(all[i])[column] {
				t.Errorf("column %d: %s has it and %s not", column, all[i+1].Version, all[i].Version)
			}
		}
	}
}

// blocks encodes content and returns it decoded.
func blocks(t *testing.T, rev *mcp.Revision, content ...mcp.Content) []map[string]any {
	t.Helper()
	var got struct{ Content []map[string]any }
	if err := json.Unmarshal(members(t, &mcp.CallToolResult{Content: content}, rev), &got); err != nil {
		t.Fatal(err)
	}
	return got.Content
}

func TestTOOL14NewerContentIsDegradedToText(t *testing.T) {
	known := map[string]string{ // type to the revision that brought it
		"text": "2024-11-05", "image": "2024-11-05", "resource": "2024-11-05",
		"audio": "2025-03-26", "resource_link": "2025-06-18",
	}
	for _, rev := range mcp.Revisions() {
		for i, block := range blocks(t, rev, richContent...) {
			kind := block["type"].(string)
			if rev.Version < known[kind] || known[kind] == "" {
				t.Errorf("%s: block %d is %q", rev.Version, i, kind)
			}
		}
	}
	sound := mcp.Audio{Data: []byte("12345"), MIMEType: "audio/wav"}
	text := blocks(t, mcp.V20241105, sound)[0]["text"].(string)
	for _, part := range []string{"audio/wav", "5 bytes"} {
		if !strings.Contains(text, part) {
			t.Errorf("degraded audio %q does not say %q", text, part)
		}
	}
	text = blocks(t, mcp.V20250326, mcp.ResourceLink{Resource: richResource})[0]["text"].(string)
	for _, part := range []string{richResource.Name, richResource.URI} {
		if !strings.Contains(text, part) {
			t.Errorf("degraded link %q does not say %q", text, part)
		}
	}
}

func TestTOOL15MediaIsBase64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOf(rapid.Byte()).Draw(t, "data")
		result := &mcp.CallToolResult{Content: []mcp.Content{
			mcp.Image{Data: data, MIMEType: "image/png"},
			mcp.Audio{Data: data, MIMEType: "audio/wav"},
			mcp.EmbeddedResource{Contents: mcp.ResourceContents{URI: "x:y", Blob: data}},
		}}
		text, err := result.AppendMembers([]byte("{"), mcp.V20260728)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Content []struct {
				Data, MimeType string
				Resource       struct{ Blob string }
			}
		}
		if err := json.Unmarshal(append(text, '}'), &got); err != nil {
			t.Fatal(err)
		}
		for i, text := range []string{got.Content[0].Data, got.Content[1].Data, got.Content[2].Resource.Blob} {
			back, err := base64.StdEncoding.Strict().DecodeString(text)
			if err != nil || string(back) != string(data) {
				t.Fatalf("block %d: %q: %v", i, text, err)
			}
		}
	})
}

// Any text gives one line of JSON that says the same.
func TestSTD1TextNeverBreaksTheLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		rev := rapid.SampledFrom(mcp.Revisions()).Draw(t, "revision")
		text, err := mcp.TextResult(s).AppendMembers([]byte("{"), rev)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Content []struct{ Text string } }
		if err := json.Unmarshal(append(text, '}'), &got); err != nil || got.Content[0].Text != s {
			t.Fatalf("%q became %s: %v", s, text, err)
		}
		if strings.ContainsAny(string(text), "\r\n") {
			t.Fatalf("%q is not one line", text)
		}
	})
}

func TestTOOL11StructuredContentIsAnObjectBefore2026(t *testing.T) {
	for _, rev := range mcp.Revisions() {
		for value, want := range map[string]bool{
			`{"a":1}`: rev.Structured,
			`[1]`:     rev.AnyStructured,
			`"x"`:     rev.AnyStructured,
			`7`:       rev.AnyStructured,
			`false`:   rev.AnyStructured,
		} {
			var got map[string]json.RawMessage
			result := &mcp.CallToolResult{Structured: json.RawMessage(value)}
			if err := json.Unmarshal(members(t, result, rev), &got); err != nil {
				t.Fatal(err)
			}
			if _, has := got["structuredContent"]; has != want {
				t.Errorf("%s: structuredContent for %s: %v", rev.Version, value, has)
			}
			quoted, _ := json.Marshal(value)
			if want := `[{"type":"text","text":` + string(quoted) + `}]`; string(got["content"]) != want {
				t.Errorf("TOOL-12: %s: content %s, want %s", rev.Version, got["content"], want)
			}
		}
	}
}

func TestStructuredContentThatJSONCannotHold(t *testing.T) {
	result := &mcp.CallToolResult{Structured: func() {}}
	if text, err := result.AppendMembers(nil, mcp.V20260728); err == nil {
		t.Errorf("encoded as %s", text)
	}
}

func TestCMP2AtMostHundredCompletions(t *testing.T) {
	for count, more := range map[int]bool{0: false, 99: false, 100: false, 101: true, 5000: true} {
		var got struct {
			Completion struct {
				Values  []string
				HasMore bool
			}
		}
		result := &mcp.CompleteResult{Values: make([]string, count)}
		if err := json.Unmarshal(members(t, result, mcp.V20250618), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Completion.Values) != min(count, 100) || got.Completion.HasMore != more || got.Completion.Values == nil {
			t.Errorf("%d values: %d sent, hasMore %v", count, len(got.Completion.Values), got.Completion.HasMore)
		}
	}
}

func TestParseElicitResult(t *testing.T) {
	for raw, want := range map[string]struct {
		result mcp.ElicitResult
		ok     bool
	}{
		`{"action":"accept","content":{"n":1,"s":"x"}}`: {mcp.ElicitResult{Action: "accept", Content: map[string]any{"n": json.Number("1"), "s": "x"}}, true},
		`{"action":"accept"}`:                           {mcp.ElicitResult{Action: "accept"}, true},
		`{"action":"decline"}`:                          {mcp.ElicitResult{Action: "decline"}, true},
		`{"action":"cancel","x":1}`:                     {mcp.ElicitResult{Action: "cancel"}, true},
		`{"action":"accept","content":7}`:               {mcp.ElicitResult{Action: "accept"}, true},
		`{"action":"Accept"}`:                           {mcp.ElicitResult{Action: "Accept"}, false},
		`{"action":true}`:                               {mcp.ElicitResult{}, false},
		`{"Action":"accept"}`:                           {mcp.ElicitResult{}, false},
		`{}`:                                            {mcp.ElicitResult{}, false},
		`[]`:                                            {mcp.ElicitResult{}, false},
		`null`:                                          {mcp.ElicitResult{}, false},
		`{"\u0061ction":"\u0061ccept"}`:                 {mcp.ElicitResult{Action: "accept"}, true},
		`{"action":"accept","content":{}}`:              {mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, true},
	} {
		got, ok := mcp.ParseElicitResult([]byte(raw))
		if ok != want.ok {
			t.Errorf("%s: ok %v", raw, ok)
		}
		if diff := cmp.Diff(want.result, got); ok && diff != "" {
			t.Errorf("%s: -want +got:\n%s", raw, diff)
		}
	}
}

func TestCLI5ClientCapabilities(t *testing.T) {
	for raw, want := range map[string]mcp.ClientCapabilities{
		`{}`:                             {},
		`{"roots":{"listChanged":true}}`: {Roots: true},
		`{"sampling":{}}`:                {Sampling: true},
		`{"sampling":{"tools":{}}}`:      {Sampling: true, SamplingTools: true},
		`{"elicitation":{}}`:             {Elicitation: true},
		`{"elicitation":{"form":{}}}`:    {Elicitation: true},
		`{"elicitation":{"url":{}}}`:     {ElicitationURL: true},
		`{"elicitation":{"form":{},"url":{}},"roots":{},"x":1}`: {Elicitation: true, ElicitationURL: true, Roots: true},
		`{"Roots":{},"ELICITATION":{}}`:                         {},
		`[]`:                                                    {},
	} {
		if diff := cmp.Diff(want, mcp.ParseClientCapabilities([]byte(raw))); diff != "" {
			t.Errorf("%s: -want +got:\n%s", raw, diff)
		}
	}
}

func TestCapabilitiesReencodeToThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := mcp.ClientCapabilities{
			Roots: rapid.Bool().Draw(t, "roots"), Sampling: rapid.Bool().Draw(t, "sampling"),
			Elicitation: rapid.Bool().Draw(t, "form"), ElicitationURL: rapid.Bool().Draw(t, "url"),
		}
		c.SamplingTools = c.Sampling && rapid.Bool().Draw(t, "tools")
		text := c.AppendJSON(nil)
		if got := mcp.ParseClientCapabilities(text); got != c || !json.Valid(text) {
			t.Fatalf("%+v became %s, which is %+v", c, text, got)
		}
	})
}

func TestMissingCapabilities(t *testing.T) {
	plain := mcp.CreateMessage(json.RawMessage(`{"maxTokens":1}`))
	tools := mcp.CreateMessage(json.RawMessage(`{"tools":[]}`))
	for _, test := range []struct {
		question mcp.InputRequest
		have     mcp.ClientCapabilities
		missing  mcp.ClientCapabilities
	}{
		{mcp.ListRoots(), mcp.ClientCapabilities{}, mcp.ClientCapabilities{Roots: true}},
		{mcp.ListRoots(), mcp.ClientCapabilities{Roots: true}, mcp.ClientCapabilities{}},
		{plain, mcp.ClientCapabilities{Roots: true}, mcp.ClientCapabilities{Sampling: true}},
		{plain, mcp.ClientCapabilities{Sampling: true}, mcp.ClientCapabilities{}},
		{tools, mcp.ClientCapabilities{Sampling: true}, mcp.ClientCapabilities{SamplingTools: true}},
		{mcp.ElicitForm("", nil), mcp.ClientCapabilities{ElicitationURL: true}, mcp.ClientCapabilities{Elicitation: true}},
		{mcp.ElicitURL("", "", ""), mcp.ClientCapabilities{Elicitation: true}, mcp.ClientCapabilities{ElicitationURL: true}},
	} {
		if diff := cmp.Diff(test.missing, test.question.Missing(test.have)); diff != "" {
			t.Errorf("%s with %+v: -want +got:\n%s", test.question.Method(), test.have, diff)
		}
	}
}

func TestModernErrors(t *testing.T) {
	for want, err := range map[string]*jsonrpc.Error{
		`{"code":-32022,"message":"unsupported protocol version","data":{"requested":"1","supported":["2026-07-28","2025-11-25"]}}`: mcp.UnsupportedVersion("1", []string{"2026-07-28", "2025-11-25"}),
		`{"code":-32021,"message":"the client did not declare a capability this request needs","data":{"requiredCapabilities":{"sampling":{}}}}`: mcp.MissingCapability(
			mcp.ClientCapabilities{Sampling: true}),
	} {
		if got := string(err.AppendJSON(nil)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestLevels(t *testing.T) {
	names := []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
	for i, name := range names {
		level, ok := mcp.ParseLevel(name)
		if !ok || level != mcp.Level(i) || level.String() != name {
			t.Errorf("%s is level %d", name, level)
		}
	}
	for _, name := range []string{"", "Debug", "warn", "fatal", "info "} {
		if _, ok := mcp.ParseLevel(name); ok {
			t.Errorf("%q is a level", name)
		}
	}
}
