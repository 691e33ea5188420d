package streamable_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// patience is for a test that fails; one that passes never waits for it.
const patience = 20 * time.Second

func TestTranscripts(t *testing.T) {
	for _, tr := range readTranscripts(t, "testdata/*.txtar") {
		t.Run(tr.name, func(t *testing.T) {
			for _, sec := range tr.sections {
				for _, rev := range sec.revisions {
					t.Run(strings.ReplaceAll(sec.name, " ", "_")+"/"+rev.Version, func(t *testing.T) {
						t.Parallel()
						converse(t, tr.options, rev, sec.steps)
					})
				}
			}
		})
	}
}

// A conversation is one run of a section.
type conversation struct {
	rev    *mcp.Revision
	f      *fixture
	url    string
	client *http.Client
	vars   map[string]string
	open   map[string]*reply
}

func converse(t *testing.T, options string, rev *mcp.Revision, steps []step) {
	o, err := parseOptions(options)
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, o)
	web := httptest.NewServer(f.handler)
	defer web.Close() // waits for all requests
	defer f.handler.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c := &conversation{rev: rev, f: f, url: web.URL, client: web.Client(), vars: map[string]string{}, open: map[string]*reply{}}
	defer c.hangUp()
	for i := range steps {
		if !steps[i].appliesTo(rev) {
			continue
		}
		if err := c.run(ctx, &steps[i]); err != nil {
			t.Fatal(steps[i].errorf("%w", err))
		}
	}
}

func (c *conversation) hangUp() {
	for _, r := range c.open {
		r.cancel()
	}
}

func (c *conversation) run(ctx context.Context, s *step) error {
	switch s.verb {
	case ">":
		return c.request(ctx, s)
	case "<":
		return c.expect(s)
	case "handshake":
		return c.handshake(ctx, s.text)
	case "abort":
		r := c.open[s.text]
		if r == nil {
			return fmt.Errorf("no stream %s", s.text)
		}
		r.cancel()
		delete(c.open, s.text)
		return nil
	case "wait":
		select {
		case got := <-c.f.events:
			if got != s.text {
				return fmt.Errorf("a tool was %s, want %s", got, s.text)
			}
			return nil
		case <-ctx.Done():
			return fmt.Errorf("no tool was ever %s", s.text)
		}
	}
	return c.f.act(s.verb, s.text)
}

// handshake opens a legacy session with the given capabilities.
func (c *conversation) handshake(ctx context.Context, capabilities string) error {
	if capabilities == "" {
		capabilities = "{}"
	}
	steps, err := parseSteps(`> POST
{"id":"initialize","method":"initialize","params":{"protocolVersion":"$revision","capabilities":`+capabilities+`,"clientInfo":{"name":"c","version":"1"}}}
< 200
Content-Type: application/json
Mcp-Session-Id: $=session
{"id":"initialize","result":{"protocolVersion":"$revision","capabilities":"$any","serverInfo":"$any"}}
> POST legacy
{"method":"notifications/initialized"}
< 202
`, 0)
	for i := range steps {
		if err == nil {
			err = c.run(ctx, &steps[i])
		}
	}
	return err
}

// A reply is a response being read.
type reply struct {
	*http.Response
	lines  *bufio.Reader
	cancel context.CancelFunc
}

// request sends what stands after ">": the method, "legacy" or "modern" for
// the headers of that era, and "as" with a name for the response.
func (c *conversation) request(ctx context.Context, s *step) error {
	words := strings.Fields(s.text)
	method, name, era := words[0], "", ""
	for i, word := range words[1:] {
		switch word {
		case "legacy", "modern":
			era = word
		case "as":
			name = words[i+2]
		}
	}
	body, headers, err := c.body(s, era)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	req, err := http.NewRequestWithContext(ctx, method, c.url, strings.NewReader(body))
	if err != nil {
		cancel()
		return err
	}
	if method == http.MethodPost {
		req.Header["Content-Type"] = []string{"application/json"}
		req.Header["Accept"] = []string{"application/json, text/event-stream"}
	} else {
		req.Header["Accept"] = []string{"text/event-stream"}
	}
	for name, value := range headers {
		req.Header[name] = []string{value}
	}
	for _, h := range s.headers {
		name, value := h[0], c.expand(h[1])
		switch name[0] {
		case '-':
			req.Header.Del(name[1:])
		case '+':
			req.Header.Add(name[1:], value)
		default: // in just this spelling
			req.Header.Del(name)
			req.Header[name] = []string{value}
		}
	}
	response, err := c.client.Do(req)
	if err != nil {
		cancel()
		return err
	}
	if old := c.open[name]; old != nil {
		old.cancel()
	}
	c.open[name] = &reply{response, bufio.NewReader(response.Body), cancel}
	return nil
}

// body returns the text to send and the headers that the era gives it.
func (c *conversation) body(s *step, era string) (string, map[string]string, error) {
	headers := map[string]string{}
	if era == "legacy" {
		headers["Mcp-Session-Id"] = c.vars["session"]
		if c.rev.Version >= mcp.V20250618.Version {
			headers["Mcp-Protocol-Version"] = c.rev.Version
		}
	}
	text := c.expand(strings.Join(s.body, "\n"))
	if raw, found := strings.CutPrefix(text, "raw "); found {
		return raw, headers, nil
	}
	if text == "" {
		return "", headers, nil
	}
	value, err := rawjson.Decode([]byte(text))
	if err != nil {
		return "", nil, err
	}
	messages, isBatch := value.([]any)
	if !isBatch {
		messages = []any{value}
	}
	for _, message := range messages {
		if m, ok := message.(map[string]any); ok {
			c.complete(m, era == "modern", headers)
		}
	}
	encoded, err := rawjson.Append(nil, value)
	return string(encoded), headers, err
}

// complete adds what every message has, and every modern request, unless it is
// there already; "$none" stands for something left out.
func (c *conversation) complete(m map[string]any, modern bool, headers map[string]string) {
	if _, given := m["jsonrpc"]; !given {
		m["jsonrpc"] = "2.0"
	}
	if !modern {
		return
	}
	headers["Mcp-Protocol-Version"] = mcp.V20260728.Version
	headers["Mcp-Method"], _ = m["method"].(string)
	params, ok := m["params"].(map[string]any)
	if _, given := m["params"]; !given {
		params, ok = map[string]any{}, true
		m["params"] = params
	}
	if !ok {
		return
	}
	switch m["method"] {
	case "tools/call", "prompts/get":
		headers["Mcp-Name"], _ = params["name"].(string)
	case "resources/read":
		headers["Mcp-Name"], _ = params["uri"].(string)
	}
	meta, ok := params["_meta"].(map[string]any)
	if !ok && params["_meta"] == nil {
		meta, ok = map[string]any{}, true
		params["_meta"] = meta
	}
	if params["_meta"] == "$none" {
		delete(params, "_meta")
	}
	if !ok {
		return
	}
	for name, value := range map[string]any{
		mcp.MetaProtocolVersion: mcp.V20260728.Version, mcp.MetaClientCapabilities: map[string]any{},
		mcp.MetaClientInfo: map[string]any{"name": "c", "version": "1"},
	} {
		switch given, there := meta[name]; {
		case given == "$none":
			delete(meta, name)
		case !there:
			meta[name] = value
		}
	}
}

// expand replaces macros: $revision, variables, and text that is repeated.
func (c *conversation) expand(text string) string {
	for {
		before, macro, found := strings.Cut(text, "$repeat(")
		if !found {
			break
		}
		macro, after, _ := strings.Cut(macro, ")")
		what, times, _ := strings.Cut(macro, ",")
		n, _ := strconv.Atoi(times)
		text = before + strings.Repeat(what, n) + after
	}
	text = strings.ReplaceAll(text, "$revision", c.rev.Version)
	for name, value := range c.vars {
		text = strings.ReplaceAll(text, "$"+name+"$", value)
	}
	return text
}

// expect compares a response, or what comes next on it, with what stands after
// "<": the status, "of" with the name of the response, headers and body.
func (c *conversation) expect(s *step) error {
	words := strings.Fields(s.text)
	name := ""
	if len(words) >= 2 && words[len(words)-2] == "of" {
		name, words = words[len(words)-1], words[:len(words)-2]
	}
	r := c.open[name]
	if r == nil {
		return fmt.Errorf("no response %s", name)
	}
	if len(words) > 0 && words[0] != strconv.Itoa(r.StatusCode) {
		rest, _ := io.ReadAll(io.LimitReader(r.lines, 10_000))
		return fmt.Errorf("status %d, want %s; body %s", r.StatusCode, words[0], rest)
	}
	for _, h := range s.headers {
		if err := c.expectHeader(r.Header, h[0], h[1]); err != nil {
			return err
		}
	}
	for _, line := range s.body {
		if err := c.expectBody(r, line); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
	}
	if name == "" {
		return c.expectBody(r, "end")
	}
	return nil
}

func (c *conversation) expectHeader(header http.Header, name, want string) error {
	values := header.Values(strings.TrimPrefix(name, "-"))
	variable, binds := strings.CutPrefix(want, "$=")
	switch {
	case name[0] == '-':
		if len(values) > 0 {
			return fmt.Errorf("there is a header %s: %q", name[1:], values)
		}
		return nil
	case len(values) != 1:
		return fmt.Errorf("header %s: %q", name, values)
	case binds:
		c.vars[variable] = values[0]
	case want != "$any" && values[0] != c.expand(want):
		return fmt.Errorf("header %s: %q, want %q", name, values[0], want)
	}
	return nil
}

// expectBody takes one line of expectations: "event" with a message, "prime"
// for the event without data that revisions with polling begin with, "retry" with a number, "comment", "end", the whole
// body as JSON, or "any" body. Comments are otherwise passed over.
func (c *conversation) expectBody(r *reply, line string) error {
	kind, rest, _ := strings.Cut(line, " ")
	if kind == "prime" && !c.rev.Polling {
		return nil // HTTP-15 is for revisions in which streams may be closed
	}
	if strings.HasPrefix(line, "{") || strings.HasPrefix(line, "[") {
		got, err := io.ReadAll(r.lines)
		if err != nil {
			return err
		}
		return c.compare(line, string(got))
	}
	if kind == "any" {
		_, err := io.Copy(io.Discard, r.lines)
		return err
	}
	if kind == "end" {
		rest, err := io.ReadAll(r.lines)
		if err != nil || len(rest) > 0 {
			return fmt.Errorf("there is more: %s, %v", rest, err)
		}
		return nil
	}
	ev, err := readEvent(r.lines)
	for err == nil && ev.comment && kind != "comment" {
		ev, err = readEvent(r.lines)
	}
	if err != nil {
		return err
	}
	id := ""
	if kind == "event" && strings.HasPrefix(rest, "as ") { // binds the id
		_, id, _ = strings.Cut(rest, " ")
		id, rest, _ = strings.Cut(id, " ")
		c.vars[id] = ev.id
	}
	switch {
	case kind == "comment" && ev.comment:
	case kind == "retry" && ev.retry == rest && ev.data == "":
	case kind == "prime" && ev.data == "" && ev.id != "" && ev.retry == "":
		c.vars["prime"] = ev.id
	case kind == "event" && ev.data != "":
		if ev.kind != "" && ev.kind != "message" {
			return fmt.Errorf("event of kind %s", ev.kind)
		}
		if ev.id != "" && c.rev.Modern {
			return fmt.Errorf("MH-10: event id %q", ev.id)
		}
		return c.compare(rest, ev.data)
	default:
		return fmt.Errorf("got %+v", ev)
	}
	return nil
}

// An event is one block of an event stream.
type event struct {
	id, kind, data, retry string
	comment               bool
}

// readEvent reads up to the next blank line.
func readEvent(lines *bufio.Reader) (ev event, err error) {
	some := false
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return ev, err
		}
		line = strings.TrimSuffix(line, "\n")
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "" && some:
			return ev, nil
		case line == "":
		case field == "":
			ev.comment = true
		case field == "id":
			ev.id = value
		case field == "event":
			ev.kind = value
		case field == "data":
			ev.data += value
		case field == "retry":
			ev.retry = value
		default:
			return ev, fmt.Errorf("not a field of an event: %q", line)
		}
		some = true
	}
}

// compare holds a message, or an array of them in any order, to what is
// expected. It also checks what holds for every message.
func (c *conversation) compare(want, got string) error {
	wantValue, err := rawjson.Decode([]byte(c.expand(want)))
	if err != nil {
		return fmt.Errorf("expectation: %w", err)
	}
	gotValue, err := rawjson.Decode([]byte(got))
	if err != nil {
		return fmt.Errorf("%q: %w", got, err)
	}
	c.normalize(wantValue, gotValue)
	filled := c.filled(wantValue, gotValue)
	if diff := cmp.Diff(filled, gotValue); diff != "" {
		return fmt.Errorf("got %s\n-want +got:\n%s", got, diff)
	}
	return checkCodes(gotValue)
}

// normalize adds what every expected message has.
func (c *conversation) normalize(want, got any) {
	if list, ok := want.([]any); ok {
		gotList, _ := got.([]any)
		for i := range list {
			if i < len(gotList) {
				c.normalize(list[i], gotList[i])
			}
		}
		return
	}
	m, _ := want.(map[string]any)
	if m == nil {
		return
	}
	m["jsonrpc"] = "2.0"
	if received, ok := got.(map[string]any); ok && received["error"] != nil && received["id"] == nil {
		delete(received, "id") // BASE-5: null or absent
	}
	result, _ := m["result"].(map[string]any)
	envelope, found := result["$"]
	delete(result, "$")
	if !found || !c.rev.Modern {
		return
	}
	result["resultType"] = "complete"
	meta, _ := result["_meta"].(map[string]any)
	meta = maps.Clone(meta)
	if meta == nil {
		meta = map[string]any{}
	}
	meta[mcp.MetaServerInfo] = map[string]any{"name": "fixture", "version": "1"}
	result["_meta"] = meta
	if envelope == "cached" {
		result["ttlMs"], result["cacheScope"] = json.Number("0"), "private"
	}
}

// filled returns want with its placeholders replaced by what stands there in
// got: $any, $string, and $=name, which binds a variable.
func (c *conversation) filled(want, got any) any {
	switch want := want.(type) {
	case string:
		text, isString := got.(string)
		name, binds := strings.CutPrefix(want, "$=")
		switch {
		case binds && isString:
			c.vars[name] = text
			return got
		case binds:
			if number, ok := got.(json.Number); ok {
				c.vars[name] = number.String()
				return got
			}
		case want == "$any", want == "$string" && isString:
			return got
		}
	case []any:
		list, _ := got.([]any)
		all := make([]any, len(want))
		for i := range want {
			all[i] = want[i]
			if i < len(list) {
				all[i] = c.filled(want[i], list[i])
			}
		}
		return all
	case map[string]any:
		object, _ := got.(map[string]any)
		all := map[string]any{}
		for name, value := range want {
			all[name] = value
			if other, ok := object[name]; ok {
				all[name] = c.filled(value, other)
			}
		}
		return all
	}
	return want
}

// checkCodes holds every error to ERR-1, ERR-2 and ERR-4.
func checkCodes(got any) error {
	if list, ok := got.([]any); ok {
		for _, m := range list {
			if err := checkCodes(m); err != nil {
				return err
			}
		}
		return nil
	}
	m, _ := got.(map[string]any)
	failure, ok := m["error"].(map[string]any)
	if !ok {
		return nil
	}
	number, _ := failure["code"].(json.Number)
	code, err := strconv.Atoi(number.String())
	_, isString := failure["message"].(string)
	switch {
	case err != nil || code == 0 || !isString:
		return fmt.Errorf("ERR-4: %v", failure)
	case code >= -32019 && code <= -32000 && code != -32002:
		return fmt.Errorf("ERR-2: %v", failure)
	case code >= -32099 && code <= -32020 && code != -32020 && code != -32021 && code != -32022:
		return fmt.Errorf("ERR-1: %v", failure)
	}
	return nil
}

// principal is who sent a request to the fixture.
func principal(r *http.Request) string { return r.Header.Get("Principal") }
