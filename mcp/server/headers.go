package server

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp/transport"
)

// headerParams finds the arguments that a schema marks with x-mcp-header and
// holds the marks to their rules: a token that is unique ignoring case, on a
// string, integer or boolean that is reached through properties alone.
func headerParams(schema []byte) ([]transport.HeaderParam, error) {
	decoded, err := rawjson.Decode(schema)
	if err != nil {
		return nil, err
	}
	w := headerWalk{seen: map[string]bool{}}
	err = w.walk(decoded, nil, true)
	return w.found, err
}

type headerWalk struct {
	found []transport.HeaderParam
	seen  map[string]bool
}

func (w *headerWalk) walk(schema any, path []string, reachable bool) error {
	switch schema := schema.(type) {
	case []any:
		for _, item := range schema {
			if err := w.walk(item, nil, false); err != nil {
				return err
			}
		}
	case map[string]any:
		if header, ok := schema["x-mcp-header"]; ok {
			if err := w.mark(header, schema["type"], path, reachable); err != nil {
				return err
			}
		}
		for _, keyword := range slices.Sorted(maps.Keys(schema)) {
			if err := w.keyword(keyword, schema[keyword], path, reachable); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *headerWalk) keyword(keyword string, inner any, path []string, reachable bool) error {
	properties, ok := inner.(map[string]any)
	if keyword != "properties" || !ok {
		return w.walk(inner, nil, false)
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if err := w.walk(properties[name], append(slices.Clone(path), name), reachable); err != nil {
			return err
		}
	}
	return nil
}

func (w *headerWalk) mark(header, kind any, path []string, reachable bool) error {
	name, ok := header.(string)
	switch {
	case !ok || !isToken(name):
		return errors.New("x-mcp-header must be a token of HTTP")
	case !reachable || len(path) == 0:
		return fmt.Errorf("x-mcp-header %s stands where no argument is", name)
	case kind != "string" && kind != "integer" && kind != "boolean":
		return fmt.Errorf("x-mcp-header %s needs a string, an integer or a boolean", name)
	case w.seen[strings.ToLower(name)]:
		return fmt.Errorf("x-mcp-header %s is there twice", name)
	}
	w.seen[strings.ToLower(name)] = true
	w.found = append(w.found, transport.HeaderParam{Name: name, Path: path})
	return nil
}

func isToken(s string) bool {
	for _, c := range []byte(s) {
		alphanumeric := c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !alphanumeric && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}
