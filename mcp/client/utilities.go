package client

import (
	"context"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// Ping asks a legacy server whether it is there.
func (s *Session) Ping(ctx context.Context) error {
	_, err := s.do(ctx, mcp.MethodPing, nil)
	return err
}

// SetLevel says from which level on the server should log. A legacy server is
// told so; a modern one is told with every request from now on.
func (s *Session) SetLevel(ctx context.Context, level mcp.Level) error {
	if err := s.offered(mcp.MethodSetLevel); err != nil {
		return err
	}
	if s.Revision().Modern {
		s.update(func(st *state) { st.level = &level })
		return nil
	}
	o := rawjson.Begin(nil)
	o.String("level", level.String())
	_, err := s.do(ctx, mcp.MethodSetLevel, o.End())
	return err
}

func (c *core) logLevel() (level *mcp.Level) {
	c.update(func(st *state) { level = st.level })
	return level
}

// Discover asks a modern server what it is.
func (s *Session) Discover(ctx context.Context) (*Discovery, error) {
	result, err := s.do(ctx, mcp.MethodDiscover, nil)
	if err != nil {
		return nil, err
	}
	return decodeDiscovery(result), nil
}
