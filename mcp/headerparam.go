package mcp

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcpworks/internal/rawjson"
)

// A HeaderParam is an argument of a tool that a modern client repeats in the
// header Mcp-Param-Name.
type HeaderParam struct {
	Name string
	Path []string // of members, from the arguments down
}

// HeaderParams finds the arguments that an input schema, which is JSON, marks
// with x-mcp-header, in the order of the schema. It holds the marks to their
// rules: a token that is unique ignoring case, on a string, integer or boolean
// that is reached through properties alone.
func HeaderParams(schema []byte) ([]HeaderParam, error) {
	w := headerWalk{seen: map[string]bool{}}
	err := w.walk(schema, nil, true)
	return w.found, err
}

type headerWalk struct {
	found []HeaderParam
	seen  map[string]bool // in lower case
}

// walk looks into a schema, or any other part of one.
func (w *headerWalk) walk(schema []byte, path []string, reachable bool) error {
	for item := range rawjson.Elements(schema) {
		if err := w.walk(item, nil, false); err != nil {
			return err
		}
	}
	for name, value := range rawjson.Members(schema) {
		var err error
		switch {
		case string(name) == "x-mcp-header":
			err = w.mark(value, rawjson.Member(schema, "type"), path, reachable)
		case string(name) == "properties" && rawjson.KindOf(value) == rawjson.Object:
			err = w.properties(value, path, reachable)
		default:
			err = w.walk(value, nil, false)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *headerWalk) properties(object []byte, path []string, reachable bool) error {
	for name, value := range rawjson.Members(object) {
		if err := w.walk(value, append(slices.Clone(path), string(name)), reachable); err != nil {
			return err
		}
	}
	return nil
}

func (w *headerWalk) mark(header, kind []byte, path []string, reachable bool) error {
	name, ok := rawjson.String(header)
	switch {
	case !ok || !isToken(name):
		return errors.New("x-mcp-header must be a token of HTTP")
	case !reachable || len(path) == 0:
		return fmt.Errorf("x-mcp-header %s stands where no argument is", name)
	case !rawjson.IsString(kind, "string") && !rawjson.IsString(kind, "integer") && !rawjson.IsString(kind, "boolean"):
		return fmt.Errorf("x-mcp-header %s needs a string, an integer or a boolean", name)
	case w.seen[strings.ToLower(name)]:
		return fmt.Errorf("x-mcp-header %s is there twice", name)
	}
	w.seen[strings.ToLower(name)] = true
	w.found = append(w.found, HeaderParam{Name: name, Path: path})
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
