package calls_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/probe/calls"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/rules/utilities"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// TestMain is also the careless server.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "careless" {
		careless(os.Stdin, os.Stdout)
		return
	}
	os.Exit(m.Run())
}

const carelessTools = `[
	{"name":"echo","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}}},"annotations":{"readOnlyHint":true,"idempotentHint":true}},
	{"name":"slow","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
	{"name":"hidden","inputSchema":{"type":"object","properties":{"a":false},"required":["a"]},"annotations":{"readOnlyHint":true}},
	{"name":"job","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"execution":{"taskSupport":"required"}},
	{"name":"fetch","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"openWorldHint":true}},
	{"name":"write","inputSchema":{"type":"object"}}]`

// careless is a server that checks nothing and ignores cancellations.
func careless(in io.Reader, out io.Writer) {
	var mu sync.Mutex
	var running sync.WaitGroup
	say := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(out, format+"\n", args...)
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name string
				Task json.RawMessage
				Meta struct{ ProgressToken json.RawMessage } `json:"_meta"`
			}
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		result, ok := carelessResults[m.Method]
		switch {
		case m.Method == mcp.MethodCallTool && m.Params.Name == "slow":
			running.Add(1)
			time.AfterFunc(1100*time.Millisecond, func() {
				defer running.Done()
				say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`, m.Params.Meta.ProgressToken)
				say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, m.ID)
			})
			continue
		case m.Method == mcp.MethodCallTool && m.Params.Task != nil:
			result = `{"task":{"taskId":"t","status":"working","createdAt":"2026-01-15T12:00:00Z","lastUpdatedAt":"2026-01-15T12:00:00Z","ttl":60000,"pollInterval":1}}`
		case !ok:
			say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, m.ID)
			continue
		}
		say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}
	running.Wait()
}

var carelessResults = map[string]string{
	mcp.MethodInitialize: `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"requests":{"tools":{"call":{}}},"cancel":{}}},"serverInfo":{"name":"careless","version":"1"}}`,
	mcp.MethodListTools:  `{"tools":` + strings.ReplaceAll(carelessTools, "\n", "") + `}`,
	mcp.MethodCallTool:   `{"content":[{"type":"text","text":"done"}],"structuredContent":{"n":"1"}}`,
	"tasks/get":          `{"taskId":"t","status":"completed","createdAt":"2026-01-15T12:00:00Z","lastUpdatedAt":"2026-01-15T12:00:01Z","ttl":60000}`,
	"tasks/result":       `{"content":[]}`,
	"tasks/cancel":       `{"taskId":"t","status":"cancelled"}`,
}

var carelessTarget = client.Command{Args: []string{os.Args[0], "careless"}}

// A server that checks nothing is found out, by the rules that read the calls.
func TestCareless(t *testing.T) {
	record := probed(t, carelessTarget, wire.Stdio, wire.Options{Level: lint.Call})
	steps(t, record, step.UnknownTool, step.CallCancelled, step.CallTask, step.TaskGet, step.TaskResult, step.TaskCancel)
	var found []string
	report := lint.Run(record, slices.Concat(rules(), utilities.Rules()), lint.Options{})
	for _, f := range report.Findings {
		if f.Severity > lint.Info {
			found = append(found, f.RuleID+" "+f.Subject.Name)
		}
	}
	want := []string{
		"SCH-016 hidden", "TOOL-006 ", "TOOL-011 echo", "UTIL-016 job",
		"TOOL-007 echo", "TOOL-008 echo", "TOOL-022 job", "UTIL-009 slow", "UTIL-010 slow",
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	tokensAreUnique(t, record)
}

// tokensAreUnique wants each progress token to be given once (UTIL-006).
func tokensAreUnique(t *testing.T, record *lint.Record) {
	t.Helper()
	known := map[string]bool{}
	for _, talk := range record.Talks {
		for _, m := range talk.Messages() {
			token := lint.Member(m.Params, "_meta", "progressToken")
			if m.FromServer || token == nil {
				continue
			}
			if known[string(token)] || rawjson.KindOf(token) == rawjson.Null {
				t.Errorf("token %s", token)
			}
			known[string(token)] = true
		}
	}
	if len(known) < 4 {
		t.Errorf("%d tokens", len(known))
	}
}

// called are the tools for which a record has a call, each once.
func called(record *lint.Record) []string {
	var names []string
	for _, talk := range record.Talks {
		for _, m := range talk.Messages() {
			if name, ok := lint.Text(lint.Member(m.Params, "name")); ok && !m.FromServer && m.MethodName() == mcp.MethodCallTool && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// B2, D2.63, D2.64: what is called at which level.
func TestLevels(t *testing.T) {
	const unknown = "mcplint_no_such_tool_7f3a91c2"
	for _, tt := range []struct {
		about string
		opts  wire.Options
		want  []string
	}{
		{"probe", wire.Options{Level: lint.Probe}, []string{unknown}},
		{"call", wire.Options{Level: lint.Call}, []string{"echo", "job", unknown, "slow"}},
		{"open world", wire.Options{Level: lint.Call, OpenWorld: true}, []string{"echo", "fetch", "job", unknown, "slow"}},
		{"named", wire.Options{Level: lint.Call, Tools: []string{"write"}}, []string{"echo", "job", unknown, "slow", "write"}},
	} {
		t.Run(tt.about, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, called(probed(t, carelessTarget, wire.Stdio, tt.opts))); diff != "" {
				t.Errorf("called (-want +got):\n%s", diff)
			}
		})
	}
}

// A server without tools is asked nothing about them (D2.60).
func TestNoTools(t *testing.T) {
	s, err := wire.NewServer(carelessTarget, wire.Options{Level: lint.Call})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Finish)
	if plans := calls.Plans(s); len(plans) != 0 {
		t.Errorf("%d plans for a server that nobody knows", len(plans))
	}
}
