package ojapi

import (
	"context"
	"fmt"
)

// Status is the backend's version and what it holds.
type Status struct {
	Version   string
	Platforms []Platform
}

// Platform counts the problems of one platform. A count is nil when the backend
// gave no non-negative integer for it.
type Platform struct {
	Source         string
	Total          *uint64
	MissingContent *uint64
	NotEmbedded    *uint64
}

// Status fetches the backend's state (6.5). Whether a token is needed is for
// the caller to say.
func (c *Client) Status(ctx context.Context) (*Status, error) {
	o, err := c.ask(ctx, "/status")
	if err != nil {
		return nil, err
	}
	return decodeStatus(o)
}

func decodeStatus(o object) (*Status, error) {
	version, ok := o.text("version")
	if !ok {
		return nil, invalidJSON("missing version")
	}
	list, ok := o.array("platforms")
	if !ok {
		return nil, invalidJSON("missing platforms")
	}
	s := &Status{Version: version}
	for i, raw := range list {
		p, err := asObject(raw)
		if err != nil {
			return nil, invalidJSON(fmt.Sprintf("platform %d: %v", i+1, err))
		}
		s.Platforms = append(s.Platforms, Platform{
			Source:         p.textOr("source", ""),
			Total:          p.count("total"),
			MissingContent: p.count("missing_content"),
			NotEmbedded:    p.count("not_embedded"),
		})
	}
	return s, nil
}
