package client

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/transport"
)

// mirrored are the arguments of a call that HTTP shows in headers, as far as
// the tool's definition is known.
func (c *core) mirrored(method, tool string, params []byte) (all []transport.MirroredParam) {
	if method != mcp.MethodCallTool {
		return nil
	}
	var marks []transport.HeaderParam
	c.update(func(st *state) { marks = st.mirrors[tool] })
	for _, mark := range marks {
		value := rawjson.Member(params, "arguments")
		for _, name := range mark.Path {
			value = rawjson.Member(value, name)
		}
		if plain, ok := headerValue(value); ok {
			all = append(all, transport.MirroredParam{Name: mark.Name, Value: plain})
		}
	}
	return all
}

// headerValue writes a string, an integer or a boolean as text.
func headerValue(raw []byte) (value string, ok bool) {
	switch rawjson.KindOf(raw) {
	case rawjson.StringKind:
		return rawjson.String(raw)
	case rawjson.Bool:
		return string(raw), true
	case rawjson.Number:
		if rawjson.IsInteger(raw) {
			return string(raw), true
		}
		if f, err := strconv.ParseFloat(string(raw), 64); err == nil && f == float64(int64(f)) {
			return strconv.FormatInt(int64(f), 10), true
		}
	}
	return "", false
}

// keepTool learns which arguments of a tool are mirrored. Over HTTP, where it
// matters, a tool that marks them wrongly cannot be used.
func keepTool(s *Session, tool *Tool) error {
	if !s.Revision().Modern {
		return nil
	}
	marks, err := headerMarks(tool.InputSchema)
	if err != nil {
		if _, ok := s.target.(URL); ok {
			s.opts.Log.Warn("a tool was dropped", "tool", tool.Name, "reason", err)
			return err
		}
		return nil
	}
	tool.Mirrored = marks
	s.update(func(st *state) {
		if len(st.mirrors) >= s.opts.Limits.Items {
			clear(st.mirrors) // of tools that are long gone, mostly
		}
		st.mirrors[tool.Name] = marks
	})
	return nil
}

// forgetMirrors is for when the tools have changed.
func (c *core) forgetMirrors() { c.update(func(st *state) { clear(st.mirrors) }) }

// refreshMirrors lists the tools anew and says whether the tool is still there.
func (s *Session) refreshMirrors(ctx context.Context, name string) bool {
	s.forgetMirrors()
	tools, err := s.AllTools(ctx)
	if err != nil {
		s.opts.Log.Debug("listing the tools for their headers", "error", err)
	}
	for i := range tools {
		if tools[i].Name == name {
			return true
		}
	}
	return false
}

// headerMarks finds the arguments that a schema marks with x-mcp-header, and
// holds the marks to their rules: a token that is unique ignoring case, on a
// string, integer or boolean that is reached through properties alone.
func headerMarks(schema []byte) ([]transport.HeaderParam, error) {
	w := markWalk{seen: map[string]bool{}}
	err := w.walk(schema, nil, true)
	return w.found, err
}

type markWalk struct {
	found []transport.HeaderParam
	seen  map[string]bool
}

func (w *markWalk) walk(schema []byte, path []string, reachable bool) error {
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

func (w *markWalk) properties(object []byte, path []string, reachable bool) error {
	for name, value := range rawjson.Members(object) {
		inner := append(append([]string{}, path...), string(name))
		if err := w.walk(value, inner, reachable); err != nil {
			return err
		}
	}
	return nil
}

func (w *markWalk) mark(header, kind []byte, path []string, reachable bool) error {
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
