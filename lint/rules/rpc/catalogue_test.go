package rpc_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/rules"
	"mcpworks/lint/rules/tools"
)

// A sample is a result with which no rule of the catalogue finds fault, as far
// as these places go.
type sample struct {
	phase, step, method, revision, result string
	places                                string // each of which is spoiled once
}

const (
	legacy = "2025-11-25"
	modern = "2026-07-28"
	aTool  = `{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"icons":[{"src":"https://a/b.png"}]}`
	cached = `"resultType":"complete","ttlMs":0,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}`
)

var samples = []sample{
	{"main", "initialize", "initialize", legacy,
		`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1","icons":[{"src":"https://a/b.png"}]}}`,
		`/protocolVersion /capabilities /capabilities/tools /capabilities/tools/listChanged /capabilities/logging /capabilities/experimental
		/capabilities/experimental/x /capabilities/tasks /capabilities/tasks/list /instructions /_meta
		/serverInfo /serverInfo/name /serverInfo/version /serverInfo/title /serverInfo/description /serverInfo/websiteUrl
		/serverInfo/icons /serverInfo/icons/0 /serverInfo/icons/0/src /serverInfo/icons/0/sizes /serverInfo/icons/0/theme`},
	{"main", "discover", "server/discover", modern,
		`{` + cached + `,"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`,
		`/resultType /ttlMs /cacheScope /supportedVersions /supportedVersions/0 /capabilities /capabilities/tools
		/capabilities/tools/listChanged /capabilities/extensions /instructions`},
	{"main", "list", "tools/list", legacy, `{"tools":[` + aTool + `]}`,
		`/tools /tools/0 /tools/0/name /tools/0/title /tools/0/description /tools/0/inputSchema /tools/0/inputSchema/type
		/tools/0/inputSchema/properties /tools/0/inputSchema/properties/x /tools/0/inputSchema/required
		/tools/0/outputSchema /tools/0/outputSchema/type /tools/0/outputSchema/properties
		/tools/0/annotations /tools/0/annotations/title /tools/0/annotations/readOnlyHint
		/tools/0/icons /tools/0/icons/0 /tools/0/icons/0/src /tools/0/icons/0/sizes /tools/0/icons/0/mimeType /tools/0/icons/0/theme
		/tools/0/execution /tools/0/execution/taskSupport /nextCursor`},
	{"main", "list", "tools/list", modern, `{` + cached + `,"tools":[` + aTool + `]}`,
		`/tools /tools/0/name /tools/0/title /tools/0/inputSchema /tools/0/outputSchema /tools/0/outputSchema/type /tools/0/annotations /ttlMs /nextCursor`},
	{"main", "list", "resources/list", legacy, `{"resources":[{"uri":"a://b","name":"n","mimeType":"text/plain","annotations":{}}]}`,
		`/resources /resources/0 /resources/0/uri /resources/0/name /resources/0/title /resources/0/mimeType /resources/0/size
		/resources/0/annotations /resources/0/annotations/audience /resources/0/annotations/audience/0 /resources/0/annotations/lastModified`},
	{"main", "list", "resources/templates/list", legacy, `{"resourceTemplates":[{"uriTemplate":"a://{b}","name":"n"}]}`,
		`/resourceTemplates /resourceTemplates/0 /resourceTemplates/0/uriTemplate /resourceTemplates/0/name
		/resourceTemplates/0/mimeType /resourceTemplates/0/description /resourceTemplates/0/annotations`},
	{"main", "list", "prompts/list", legacy, `{"prompts":[{"name":"n","arguments":[{"name":"x"}]}]}`,
		`/prompts /prompts/0 /prompts/0/name /prompts/0/title /prompts/0/arguments /prompts/0/arguments/0
		/prompts/0/arguments/0/name /prompts/0/arguments/0/required /prompts/0/arguments/0/description`},
	{"probing", "read", "resources/read", legacy, `{"contents":[{"uri":"a://b","text":"x"}]}`,
		`/contents /contents/0 /contents/0/uri /contents/0/text /contents/0/mimeType`},
	{"probing", "get prompt", "prompts/get", legacy, `{"messages":[{"role":"user","content":{"type":"image","data":"aGk=","mimeType":"image/png"}}]}`,
		`/description /messages /messages/0 /messages/0/role /messages/0/content /messages/0/content/type
		/messages/0/content/data /messages/0/content/mimeType /messages/0/content/annotations`},
	{"probing", "get prompt", "prompts/get", legacy, `{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"a://b","text":"x"}}}]}`,
		`/messages/0/content/resource /messages/0/content/resource/uri /messages/0/content/resource/text /messages/0/content/resource/mimeType`},
	{"probing", "complete", "completion/complete", legacy, `{"completion":{"values":["x"]}}`,
		`/completion /completion/values /completion/values/0 /completion/total /completion/hasMore`},
	{"calling", "call", "tools/call", legacy, `{"content":[{"type":"text","text":"x"}]}`,
		`/content /content/0 /content/0/type /content/0/text /content/0/annotations /structuredContent /isError`},
	{"calling", "call", "tools/call", legacy, `{"content":[{"type":"resource_link","uri":"a://b","name":"x"}]}`,
		`/content/0/uri /content/0/name /content/0/title`},
}

// RPC-028 reports every place that has the wrong type, unless another rule does.
func TestOnePlaceOneRule(t *testing.T) {
	for _, s := range samples {
		if found := s.found(t, ""); len(found) > 0 {
			t.Errorf("%s of %s has findings before it is spoiled: %v", s.method, s.revision, found)
		}
		for place := range strings.FieldsSeq(s.places) {
			found := s.found(t, place)
			general := slices.Contains(found, "RPC-028")
			if len(found) == 0 || general && len(found) > 1 {
				t.Errorf("%s in %s of %s is reported by %q", place, s.method, s.revision, found)
			}
		}
	}
}

// found has the rules that find fault with the sample, spoiled at a place.
func (s sample) found(t *testing.T, place string) []string {
	t.Helper()
	params := `{}`
	if s.revision == modern {
		params = `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`
	}
	text := fmt.Sprintf("{\"target\":\"sample\",\"level\":\"call\"}\n{\"talk\":%q,\"transport\":\"stdio\",\"revision\":%q}\n", s.phase, s.revision)
	if opening := samples[0]; s.step == "list" || s.phase != "main" {
		if s.revision == modern {
			opening = samples[1]
		}
		declared := strings.Replace(opening.result, `"tools":{}`, `"tools":{},"resources":{},"prompts":{},"completions":{}`, 1)
		text += exchanged(opening.step, opening.method, 1, params, declared)
	}
	text += exchanged(s.step, s.method, 2, params, s.spoiled(t, place))
	record, err := lint.ReadRecord(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range lint.Run(record, catalogue(), lint.Options{}).Findings {
		if f.Severity > lint.Info && !slices.Contains(found, f.RuleID) {
			found = append(found, f.RuleID)
		}
	}
	return found
}

// exchanged is a step of a record: a request and its result.
func exchanged(step, method string, id int, params, result string) string {
	return fmt.Sprintf("{\"step\":%q,\"about\":%q}\n{\"send\":{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":%q,\"params\":%s}}\n{\"recv\":{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":%s}}\n",
		step, method, id, method, params, id, result)
}

// catalogue has all rules.
func catalogue() []*lint.Rule {
	all := rules.All()
	if _, err := rules.FindCategory("TOOL"); err != nil {
		all = append(all, tools.Rules()...)
	}
	return all
}

// spoiled is the result with a number at a place, or a string where a number
// belongs.
func (s sample) spoiled(t *testing.T, place string) string {
	t.Helper()
	var result any
	if err := json.Unmarshal([]byte(s.result), &result); err != nil {
		t.Fatal(err)
	}
	if place != "" {
		var wrong any = 5
		if slices.Contains([]string{"ttlMs", "total", "size"}, place[strings.LastIndex(place, "/")+1:]) {
			wrong = "five"
		}
		result = replace(result, strings.Split(place[1:], "/"), wrong)
	}
	text, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func replace(in any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	switch in := in.(type) {
	case []any:
		i, _ := strconv.Atoi(path[0])
		in[i] = replace(in[i], path[1:], value)
		return in
	case map[string]any:
		in[path[0]] = replace(in[path[0]], path[1:], value)
		return in
	}
	if path[0] == "0" {
		return []any{replace(nil, path[1:], value)}
	}
	return map[string]any{path[0]: replace(nil, path[1:], value)}
}
