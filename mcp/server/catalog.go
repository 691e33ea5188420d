package server

import (
	"encoding/base64"
	"slices"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

// A catalog is one list of definitions, found by name or paged through. It
// never changes; a changed list is a new catalog.
type catalog[T definition] struct {
	list   string // the member that holds the entries
	items  []T
	byKey  map[string]int
	perRev map[*mcp.Revision][][]byte // each entry as the revision writes it
}

type definition interface {
	key() string
	AppendJSON(dst []byte, rev *mcp.Revision) []byte
}

// newCatalog makes the catalog of a list that is asked for in some revisions.
func newCatalog[T definition](srv *Server, kind, list string, items []T, revs ...*mcp.Revision) (*catalog[T], error) {
	if !srv.opts.KeepOrder {
		slices.SortStableFunc(items, func(a, b T) int { return strings.Compare(a.key(), b.key()) })
	}
	c := &catalog[T]{list: list, items: items, byKey: map[string]int{}, perRev: map[*mcp.Revision][][]byte{}}
	for i, item := range items {
		if _, twice := c.byKey[item.key()]; twice {
			return nil, declared(kind, item.key(), errDuplicate)
		}
		c.byKey[item.key()] = i
	}
	for _, rev := range revs {
		entries := make([][]byte, len(items))
		for i, item := range items {
			entries[i] = item.AppendJSON(nil, rev)
		}
		c.perRev[rev] = entries
	}
	return c, nil
}

// findRaw finds the item whose name a checked string literal holds.
func (c *catalog[T]) findRaw(raw []byte) (item T, ok bool) {
	if plain, is := rawjson.Plain(raw); is {
		if i, known := c.byKey[string(plain)]; known {
			return c.items[i], true
		}
		return item, false
	}
	key, _ := rawjson.String(raw)
	return c.find(key)
}

func (c *catalog[T]) find(key string) (item T, ok bool) {
	i, ok := c.byKey[key]
	if ok {
		item = c.items[i]
	}
	return item, ok
}

// page answers a list request. A cursor is the name of the last entry of the
// page before, so a list that changes in between neither repeats nor skips
// what stayed in it.
func (c *catalog[T]) page(r *Request) (mcp.Result, error) {
	start := 0
	if r.params.cursor != nil {
		last, ok := c.position(r.params.cursor)
		if !ok {
			return nil, &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: "invalid cursor: start again without one"}
		}
		start = last + 1
	}
	end := len(c.items)
	if size := r.session.srv.opts.PageSize; size > 0 && start+size < end {
		end = start + size
	}
	dst := append(rawjson.AppendString(nil, c.list), ":["...)
	for i, entry := range c.perRev[r.rev][start:end] {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, entry...)
	}
	dst = append(dst, ']')
	if end < len(c.items) {
		dst = append(dst, `,"nextCursor":`...)
		dst = rawjson.AppendString(dst, c.cursor(c.items[end-1].key()))
	}
	return cacheable{mcp.Members(dst), r.session.srv.opts.Cache}, nil
}

func (c *catalog[T]) cursor(key string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(c.list + "/" + key))
}

func (c *catalog[T]) position(raw []byte) (i int, ok bool) {
	text, ok := rawjson.String(raw)
	if !ok {
		return 0, false
	}
	plain, err := base64.RawURLEncoding.Strict().DecodeString(text)
	key, ours := strings.CutPrefix(string(plain), c.list+"/")
	i, known := c.byKey[key]
	return i, err == nil && ours && known
}
