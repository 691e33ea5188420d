package mcptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A message is one JSON-RPC message of the server.
type message struct {
	raw    string
	fields map[string]json.RawMessage
}

// parseMessages reads one line of output: a message, or an array of them in
// answer to a batch. It accepts nothing that a server may not write.
func parseMessages(line string) ([]message, error) {
	if !utf8.ValidString(line) {
		return nil, fmt.Errorf("output is not UTF-8: %s", clip(line))
	}
	raws := []json.RawMessage{json.RawMessage(line)}
	if strings.HasPrefix(line, "[") {
		if err := json.Unmarshal([]byte(line), &raws); err != nil || len(raws) == 0 {
			return nil, fmt.Errorf("output is no batch response: %s", clip(line))
		}
	}
	var all []message
	for _, raw := range raws {
		m := message{raw: string(raw)}
		if err := json.Unmarshal(raw, &m.fields); err != nil {
			return nil, fmt.Errorf("output is no message: %s", clip(line))
		}
		if err := m.wellFormed(); err != nil {
			return nil, fmt.Errorf("%w: %s", err, clip(m.raw))
		}
		all = append(all, m)
	}
	return all, nil
}

func (m message) wellFormed() error {
	if string(m.fields["jsonrpc"]) != `"2.0"` {
		return fmt.Errorf("output without jsonrpc 2.0")
	}
	if m.fields["method"] != nil {
		return nil
	}
	rawErr, failed := m.fields["error"]
	if _, ok := m.fields["result"]; ok == failed {
		return fmt.Errorf("response needs exactly one of result and error")
	}
	if !failed {
		return nil
	}
	var e struct {
		Code    *int
		Message *string
	}
	if json.Unmarshal(rawErr, &e) != nil || e.Code == nil || *e.Code == 0 || e.Message == nil {
		return fmt.Errorf("error needs an integer code and a message")
	}
	return nil
}

// request reports whether the server asks for an answer, and notification
// whether it only tells.
func (m message) request() bool      { return m.fields["method"] != nil && m.hasID() }
func (m message) notification() bool { return m.fields["method"] != nil && !m.hasID() }

func (m message) hasID() bool {
	id := m.fields["id"]
	return id != nil && string(id) != "null"
}

// answers reports whether m carries the id: strings are compared by value,
// numbers to the letter; a nil id wants none.
func (m message) answers(id json.RawMessage) bool {
	if id == nil || !m.hasID() {
		return id == nil && !m.hasID()
	}
	got := bytes.TrimSpace(m.fields["id"])
	var a, b string
	if json.Unmarshal(got, &a) == nil && json.Unmarshal(id, &b) == nil {
		return a == b
	}
	return bytes.Equal(got, id)
}

// match returns nil if m is what e describes.
func (e expectation) match(m message) error {
	if !m.answers(e.id) {
		return fmt.Errorf("want %s", e.text)
	}
	_, isResult := m.fields["result"]
	if isResult != e.result {
		return fmt.Errorf("want %s", e.text)
	}
	if e.code != 0 {
		var got struct{ Code int }
		if err := json.Unmarshal(m.fields["error"], &got); err != nil || got.Code != e.code {
			return fmt.Errorf("want %s", e.text)
		}
	}
	for _, c := range e.checks {
		if err := c.match(m); err != nil {
			return err
		}
	}
	return nil
}

func (c check) match(m message) error {
	var doc any
	if err := json.Unmarshal([]byte(m.raw), &doc); err != nil {
		return err
	}
	got, present := lookup(doc, c.pointer)
	ok := false
	switch c.op {
	case "absent":
		ok = !present
	case "is":
		ok = present && kind(got) == c.value
	case "==":
		ok = present && reflect.DeepEqual(got, c.value)
	case "contains":
		ok = present && contains(got, c.value)
	case "lacks":
		ok = !contains(got, c.value)
	}
	if !ok {
		return fmt.Errorf("want %s", c.text)
	}
	return nil
}

func lookup(v any, pointer []string) (any, bool) {
	for _, seg := range pointer {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[seg]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(seg)
			if err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}

func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "array"
	}
	return "object"
}

// contains reports whether an array has an element or a string a part.
func contains(v, part any) bool {
	switch x := v.(type) {
	case []any:
		return slices.ContainsFunc(x, func(e any) bool { return reflect.DeepEqual(e, part) })
	case string:
		s, ok := part.(string)
		return ok && strings.Contains(x, s)
	}
	return false
}

// clip shortens a line for a report.
func clip(s string) string {
	const most = 160
	if len(s) <= most {
		return strconv.Quote(s)
	}
	return strconv.Quote(s[:most]) + fmt.Sprintf("… (%d bytes)", len(s))
}
