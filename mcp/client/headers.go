package client

import (
	"context"
	"strconv"

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
	marks, err := mcp.HeaderParams(tool.InputSchema)
	if err != nil {
		if _, ok := s.target.(URL); ok {
			s.opts.Log.Warn("a tool was dropped", "tool", tool.Name, "reason", err)
			return err
		}
		return nil
	}
	for _, mark := range marks {
		tool.Mirrored = append(tool.Mirrored, transport.HeaderParam(mark))
	}
	s.update(func(st *state) {
		if len(st.mirrors) >= s.opts.Limits.Items {
			clear(st.mirrors) // of tools that are long gone, mostly
		}
		st.mirrors[tool.Name] = tool.Mirrored
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
