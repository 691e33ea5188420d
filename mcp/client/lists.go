package client

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"iter"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// A Page is one answer to the question for a list.
type Page[T any] struct {
	Items []T
	// Dropped are definitions that cannot be used, with the reason.
	Dropped []Dropped
	// Next is the cursor of the next page; nil if this is the last.
	Next *string
	// Cache is how long the page is good for; nil if the server does not say.
	Cache *mcp.Cache
	Raw   json.RawMessage
}

// Dropped is a definition that was left out of a list.
type Dropped struct {
	Raw    json.RawMessage
	Reason string
}

// A listing says how one kind of list is asked for and read.
type listing[T any] struct {
	method string
	member string
	decode func(raw []byte) T
	// keep says why an item cannot be used, if so; nil keeps all.
	keep func(*Session, *T) error
}

// pages walks a list. It does not trust the server to end it: a cursor that
// comes again, and too much of anything, are errors.
func pages[T any](ctx context.Context, s *Session, list listing[T]) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		var cursor *string
		walked := walk{limits: &s.opts.Limits, method: list.method}
		for {
			page, err := onePage(ctx, s, list, cursor)
			if err == nil {
				err = walked.add(len(page.Items)+len(page.Dropped), page.Raw)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if cursor = page.Next; !yield(page, nil) || cursor == nil {
				return
			}
			if err := walked.goOn(*cursor, page.Raw); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// A walk is how far a list was walked.
type walk struct {
	limits              *Limits
	method              string
	pages, items, bytes int
	seen                map[[sha256.Size]byte]bool // cursors, which may be long
}

// add counts a page.
func (w *walk) add(items int, raw []byte) error {
	w.pages++
	w.items += items
	w.bytes += len(raw)
	switch {
	case w.items > w.limits.Items:
		return fmt.Errorf("%s: more than %d items", w.method, w.limits.Items)
	case w.bytes > w.limits.ListBytes:
		return fmt.Errorf("%s: more than %d bytes", w.method, w.limits.ListBytes)
	}
	return nil
}

// goOn says why the next page is not to be asked for, if so.
func (w *walk) goOn(cursor string, raw []byte) error {
	sum := sha256.Sum256([]byte(cursor))
	switch {
	case w.seen[sum]:
		return &ProtocolError{Reason: w.method + " repeats a cursor", Message: raw}
	case w.pages >= w.limits.Pages:
		return fmt.Errorf("%s: more than %d pages", w.method, w.limits.Pages)
	}
	if w.seen == nil {
		w.seen = map[[sha256.Size]byte]bool{}
	}
	w.seen[sum] = true
	return nil
}

func onePage[T any](ctx context.Context, s *Session, list listing[T], cursor *string) (*Page[T], error) {
	var params []byte
	if cursor != nil {
		o := rawjson.Begin(nil)
		o.String("cursor", *cursor)
		params = o.End()
	}
	result, err := s.do(ctx, list.method, params)
	if err != nil {
		return nil, err
	}
	page := &Page[T]{Raw: result, Cache: decodeCache(result)}
	if next, ok := rawjson.String(rawjson.Member(result, "nextCursor")); ok {
		page.Next = &next
	}
	items := rawjson.Member(result, list.member)
	if rawjson.KindOf(items) != rawjson.Array {
		return nil, &ProtocolError{Reason: fmt.Sprintf("%s without an array %s", list.method, list.member), Message: result}
	}
	for raw := range rawjson.Elements(items) {
		item := list.decode(raw)
		if list.keep != nil {
			if err := list.keep(s, &item); err != nil {
				page.Dropped = append(page.Dropped, Dropped{rawMessage(raw), err.Error()})
				continue
			}
		}
		page.Items = append(page.Items, item)
	}
	return page, nil
}

// all gathers the items of all pages.
func all[T any](pages iter.Seq2[*Page[T], error]) ([]T, error) {
	var items []T
	for page, err := range pages {
		if err != nil {
			return items, err
		}
		items = append(items, page.Items...)
	}
	return items, nil
}
