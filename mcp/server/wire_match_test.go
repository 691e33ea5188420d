package server_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// wireText expands the macros of a transcript for one run.
type wireText struct {
	rev  *mcp.Revision
	vars map[string]string // bound by "$=name"
}

var repeat = regexp.MustCompile(`(?s)\$repeat\((.*?),(\d+)\)`)

// raw expands the macros of text that need not be JSON.
func (w *wireText) raw(text string) string {
	text = repeat.ReplaceAllStringFunc(text, func(macro string) string {
		m := repeat.FindStringSubmatch(macro)
		n, _ := strconv.Atoi(m[2])
		return strings.Repeat(m[1], n)
	})
	modern, _ := rawjson.Append(nil, modernMeta(nil))
	text = strings.ReplaceAll(text, "$META", string(modern))
	for name, value := range w.vars {
		text = strings.ReplaceAll(text, "$"+name+"$", value)
	}
	return text
}

func modernMeta(capabilities any) map[string]any {
	if _, ok := capabilities.(map[string]any); !ok {
		capabilities = map[string]any{}
	}
	return map[string]any{
		mcp.MetaProtocolVersion:    mcp.V20260728.Version,
		mcp.MetaClientCapabilities: capabilities,
		mcp.MetaClientInfo:         map[string]any{"name": "wire", "version": "1"},
	}
}

// message returns a client's message as it goes over the wire.
func (w *wireText) message(text string) ([]byte, error) {
	value, err := rawjson.Decode([]byte(w.raw(text)))
	if err != nil {
		return nil, err
	}
	m, ok := w.sent(value).(map[string]any)
	if !ok {
		return rawjson.Append(nil, w.sent(value)) // a batch
	}
	m["jsonrpc"] = "2.0"
	return rawjson.Append(nil, m)
}

func (w *wireText) sent(v any) any {
	switch v := v.(type) {
	case string:
		return w.sentString(v)
	case []any:
		for i := range v {
			v[i] = w.sent(v[i])
		}
	case map[string]any:
		w.sentMeta(v)
		for name := range v {
			v[name] = w.sent(v[name])
		}
	}
	return v
}

// sentMeta expands what describes a modern request. "_meta":"$meta" and the
// member "$meta" of _meta stand for nothing at legacy revisions; "$modern" is
// the same at all of them.
func (w *wireText) sentMeta(object map[string]any) {
	switch object["_meta"] {
	case "$meta":
		delete(object, "_meta")
		if w.rev.Modern {
			object["_meta"] = modernMeta(nil)
		}
	case "$modern":
		object["_meta"] = modernMeta(nil)
	}
	for _, macro := range []string{"$meta", "$modern"} {
		capabilities, found := object[macro]
		delete(object, macro)
		if !found || macro == "$meta" && !w.rev.Modern {
			continue
		}
		for name, value := range modernMeta(capabilities) {
			if _, given := object[name]; !given {
				object[name] = value
			}
		}
	}
}

func (w *wireText) sentString(s string) string {
	name, macro := strings.CutPrefix(s, "$")
	if !macro {
		return s
	}
	if name == "revision" {
		return w.rev.Version
	}
	if of, flip := strings.CutPrefix(name, "flip:"); flip {
		return flipped(w.vars[of])
	}
	if of, cut := strings.CutPrefix(name, "unsigned:"); cut {
		payload, _, _ := strings.Cut(w.vars[of], ".")
		return payload
	}
	if value, bound := w.vars[name]; bound {
		return value
	}
	return s
}

// flipped changes one character in the middle.
func flipped(s string) string {
	b := []byte(s)
	if i := len(b) / 2; b[i] == 'A' {
		b[i] = 'B'
	} else {
		b[i] = 'A'
	}
	return string(b)
}

// serverInfo is the _meta of every modern result of the fixture.
func serverInfo() map[string]any {
	return map[string]any{mcp.MetaServerInfo: map[string]any{"name": "wire", "version": "1.0"}}
}

// expectation decodes an expected message and expands the member "$" of its
// result, which stands for what the era adds to every result.
func (w *wireText) expectation(text string) (map[string]any, error) {
	value, err := rawjson.Decode([]byte(w.raw(text)))
	if err != nil {
		return nil, err
	}
	m, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("expected message is not an object: %s", text)
	}
	m["jsonrpc"] = "2.0"
	result, _ := m["result"].(map[string]any)
	envelope, found := result["$"].(string)
	delete(result, "$")
	always, modern := strings.CutPrefix(envelope, "modern ")
	if found && (modern || w.rev.Modern) {
		result["resultType"] = "complete"
		meta, _ := result["_meta"].(map[string]any)
		if meta == nil {
			meta = map[string]any{}
		}
		maps.Copy(meta, serverInfo())
		result["_meta"] = meta
		if always == "cached" {
			result["ttlMs"], result["cacheScope"] = json.Number("0"), "private"
		}
	}
	return m, nil
}

// match compares an expected with a received message and returns the
// difference, and what the expectation binds.
func (w *wireText) match(want, got map[string]any) (diff string, bound map[string]string) {
	bound = map[string]string{}
	want = maps.Clone(want)
	switch none := want["id"]; {
	case none == "$none" && !w.rev.ErrorsMayLackID:
		want["id"] = nil
	case none == "$none":
		delete(want, "id")
	case none == "$noid":
		delete(want, "id")
		if id, given := got["id"]; given && id == nil {
			want["id"] = nil
		}
	}
	filled := w.filled(want, got, bound)
	if !reflect.DeepEqual(filled, any(got)) { // cmp takes forever for deep arrays
		diff = cmp.Diff(filled, any(got))
	}
	return diff, bound
}

// filled returns want with its placeholders replaced by what stands there in
// got, where that is of the kind they ask for.
func (w *wireText) filled(want, got any, bound map[string]string) any {
	switch want := want.(type) {
	case string:
		if w.fits(want, got, bound) {
			return got
		}
		return w.sentString(want)
	case []any:
		list, ok := got.([]any)
		if !ok {
			return want
		}
		all := make([]any, len(want))
		for i := range want {
			all[i] = want[i]
			if i < len(list) {
				all[i] = w.filled(want[i], list[i], bound)
			}
		}
		return all
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return want
		}
		all := map[string]any{}
		for name, value := range want {
			all[name] = value
			if other, ok := object[name]; ok {
				all[name] = w.filled(value, other, bound)
			}
		}
		return all
	}
	return want
}

func (w *wireText) fits(want string, got any, bound map[string]string) bool {
	text, isString := got.(string)
	number, isNumber := got.(json.Number)
	name, binds := strings.CutPrefix(want, "$=")
	switch {
	case binds && isString:
		bound[name] = text
		return true
	case want == "$any":
		return true
	case want == "$string":
		return isString
	case want == "$int":
		return isNumber && rawjson.IsInteger([]byte(number))
	}
	return false
}

// written is a received message as a transcript writes it.
func (w *wireText) written(got map[string]any, macros bool) string {
	got = maps.Clone(got)
	delete(got, "jsonrpc")
	if id, ok := got["id"]; got["error"] != nil && (!ok || id == nil) {
		got["id"] = "$none"
	}
	if result, ok := got["result"].(map[string]any); ok && macros && result["resultType"] == "complete" {
		result = maps.Clone(result)
		meta, _ := result["_meta"].(map[string]any)
		if reflect.DeepEqual(meta, serverInfo()) {
			delete(result, "_meta")
		} else {
			meta = maps.Clone(meta)
			delete(meta, mcp.MetaServerInfo)
			result["_meta"] = meta
		}
		delete(result, "resultType")
		result["$"] = "complete"
		if result["ttlMs"] == json.Number("0") && result["cacheScope"] == "private" {
			delete(result, "ttlMs")
			delete(result, "cacheScope")
			result["$"] = "cached"
		}
		got["result"] = result
	}
	var parts []string
	for _, name := range []string{"id", "method", "params", "result", "error"} {
		if value, ok := got[name]; ok {
			text, _ := rawjson.Append(nil, value)
			parts = append(parts, strconv.Quote(name)+":"+string(text))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}
