package contextengine

import (
	"context"
	"fmt"

	"mcpworks/internal/rawjson"
	"mcpworks/packs/contextengine/internal/cache"
)

// Diff compares the documents of two caches by id and version and returns, as
// compact JSON, the ids that were added, removed and changed from a to b, each
// in byte order, and how many stayed the same.
func Diff(ctx context.Context, a, b string) ([]byte, error) {
	before, err := entriesOf(a)
	if err != nil {
		return nil, err
	}
	after, err := entriesOf(b)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var added, removed, changed []string
	unchanged := int64(0)
	for len(before) > 0 || len(after) > 0 {
		switch {
		case len(after) == 0, len(before) > 0 && before[0].ID < after[0].ID:
			removed = append(removed, before[0].ID)
			before = before[1:]
			continue
		case len(before) == 0, after[0].ID < before[0].ID:
			added = append(added, after[0].ID)
			after = after[1:]
			continue
		case before[0].Version != after[0].Version:
			changed = append(changed, before[0].ID)
		default:
			unchanged++
		}
		before, after = before[1:], after[1:]
	}
	o := rawjson.Begin(nil)
	o.Strings("added", added)
	o.Strings("removed", removed)
	o.Strings("changed", changed)
	o.Int("unchanged", unchanged)
	return o.End(), nil
}

// entriesOf returns what a cache holds, in byte order of ids. The error says
// which cache it is about.
func entriesOf(dir string) ([]cache.Entry, error) {
	c, err := cache.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	defer c.Close()
	return c.Manifest().Entries, nil
}
