package operate

import (
	"context"
	"fmt"
	"time"

	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// Listing says which runs to list.
type Listing struct {
	ProductSlug, Family, Platform string
	States                        []string
	StartedAfter, StartedBefore   string // RFC 3339
	PageSize                      int    // 0 means 50
	Cursor                        string
}

// RunRow is a run in a list.
type RunRow struct {
	RunID       string            `json:"run_id"`
	ProductSlug string            `json:"product_slug"`
	Family      string            `json:"family"`
	Platform    string            `json:"platform"`
	State       state.State       `json:"state"`
	Activity    snapshot.Activity `json:"activity"`
	StartedAt   string            `json:"started_at"`
	FinishedAt  *string           `json:"finished_at"`
}

// RunList is one page of runs, the latest first.
type RunList struct {
	OK         bool     `json:"ok"`
	Runs       []RunRow `json:"runs"`
	NextCursor string   `json:"next_cursor,omitempty"`
	PageSize   int      `json:"page_size"`
}

// An ArgumentError is an argument that has the right form and yet no meaning.
type ArgumentError struct{ Path, Message string }

func (e *ArgumentError) Error() string { return e.Path + " " + e.Message }

// List lists runs from the index.
func (l *Launcher) List(ctx context.Context, listing Listing) (RunList, error) {
	filter := index.Filter{ProductSlug: listing.ProductSlug, Family: listing.Family, Platform: listing.Platform}
	for _, one := range listing.States {
		filter.States = append(filter.States, state.State(one))
	}
	var err error
	if filter.StartedAfter, err = timeOf("/filter/started_after", listing.StartedAfter); err != nil {
		return RunList{}, err
	}
	if filter.StartedBefore, err = timeOf("/filter/started_before", listing.StartedBefore); err != nil {
		return RunList{}, err
	}
	list := RunList{OK: true, Runs: []RunRow{}, PageSize: listing.PageSize}
	if list.PageSize == 0 {
		list.PageSize = index.DefaultPageSize
	}
	rows, next, err := l.store.List(ctx, filter, list.PageSize, listing.Cursor)
	if err != nil {
		return RunList{}, err
	}
	for _, row := range rows {
		shown := RunRow{row.RunID, row.ProductSlug, row.Family, row.Platform, row.State, row.Activity, row.StartedAt, nil}
		if row.FinishedAt != "" {
			shown.FinishedAt = &row.FinishedAt
		}
		list.Runs = append(list.Runs, shown)
	}
	list.NextCursor = next
	return list, nil
}

// timeOf writes a time as the index has it.
func timeOf(path, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	when, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return "", &ArgumentError{path, fmt.Sprintf("must be a time like %s", eventlog.TimeLayout)}
	}
	return eventlog.Time(when), nil
}

// Recent is how the latest runs are. One that cannot be read is left out.
func (l *Launcher) Recent(ctx context.Context, most int) ([]RunStatus, error) {
	rows, _, err := l.store.List(ctx, index.Filter{}, most, "")
	if err != nil {
		return nil, err
	}
	var recent []RunStatus
	for _, row := range rows {
		if status, err := l.status(ctx, row.RunID); err == nil {
			recent = append(recent, status)
		}
	}
	return recent, nil
}
