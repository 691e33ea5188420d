package index

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mcpworks/packs/launch/internal/run/state"
)

// Sizes of a page (3.3).
const (
	DefaultPageSize = 50
	MaxPageSize     = 200
)

// ErrCursor: the cursor is damaged, or belongs to another list.
var ErrCursor = errors.New("the cursor does not belong to this list")

// A Filter chooses runs; what is empty does not matter.
type Filter struct {
	ProductSlug   string        `json:"product_slug,omitempty"`
	Family        string        `json:"family,omitempty"`
	Platform      string        `json:"platform,omitempty"`
	States        []state.State `json:"state,omitempty"`
	StartedAfter  string        `json:"started_after,omitempty"` // as events write times
	StartedBefore string        `json:"started_before,omitempty"`
}

// cursor is the last run of a page. Runs that begin later come before it, so
// they never shift the pages that follow.
type cursor struct {
	StartedAt string `json:"s"`
	RunID     string `json:"r"`
	Filter    string `json:"f"`
}

// List returns one page, the latest run first, and the cursor of the next page,
// which is empty at the end.
func (db *DB) List(ctx context.Context, filter Filter, size int, after string) (page []Row, next string, err error) {
	if size == 0 {
		size = DefaultPageSize
	}
	if size < 1 || size > MaxPageSize {
		return nil, "", fmt.Errorf("a page has 1 to %d runs", MaxPageSize)
	}
	where, args := filter.where()
	if after != "" {
		last, err := parseCursor(after, filter.hash())
		if err != nil {
			return nil, "", err
		}
		where = append(where, "(started_at, run_id) < (?, ?)")
		args = append(args, last.StartedAt, last.RunID)
	}
	query := "SELECT " + columns + " FROM runs WHERE " + strings.Join(where, " AND ") + " ORDER BY started_at DESC, run_id DESC LIMIT ?"
	rows, err := db.read.QueryContext(ctx, query, append(args, size+1)...)
	if err != nil {
		return nil, "", fmt.Errorf("list the runs: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var row Row
		if err := rows.Scan(row.fields()...); err != nil {
			return nil, "", fmt.Errorf("list the runs: %w", err)
		}
		page = append(page, row)
	}
	if len(page) > size {
		page = page[:size]
		next = cursor{page[size-1].StartedAt, page[size-1].RunID, filter.hash()}.String()
	}
	return page, next, rows.Err()
}

func (f Filter) where() (where []string, args []any) {
	where = []string{"1"}
	add := func(condition, value string) {
		if value != "" {
			where, args = append(where, condition), append(args, value)
		}
	}
	add("product_slug = ?", f.ProductSlug)
	add("family = ?", f.Family)
	add("platform = ?", f.Platform)
	add("started_at > ?", f.StartedAfter)
	add("started_at < ?", f.StartedBefore)
	if len(f.States) > 0 {
		where = append(where, "state IN (?"+strings.Repeat(",?", len(f.States)-1)+")")
		for _, s := range f.States {
			args = append(args, string(s))
		}
	}
	return where, args
}

func (f Filter) hash() string {
	text, err := json.Marshal(f)
	if err != nil {
		panic(err) // strings only
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func (c cursor) String() string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

func parseCursor(text, filter string) (c cursor, err error) {
	decoded, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || json.Unmarshal(decoded, &c) != nil || c.Filter != filter || c.String() != text {
		return cursor{}, ErrCursor
	}
	return c, nil
}
