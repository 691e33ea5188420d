package operate

import (
	"encoding/base64"
	"encoding/json"
	"slices"

	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/taskcard"
)

// CardListing says which taskcards to list.
type CardListing struct {
	Status   string
	Tag      string
	Active   *bool
	PageSize int // 0 means 50
	Cursor   string
}

// CardList is one page of taskcards, by number.
type CardList struct {
	OK         bool             `json:"ok"`
	Taskcards  []taskcard.Entry `json:"taskcards"`
	NextCursor string           `json:"next_cursor,omitempty"`
}

// ListTaskcards lists the taskcards of the server.
func (l *Launcher) ListTaskcards(listing CardListing) (CardList, error) {
	entries, err := l.cards.List(taskcard.Filter{Status: listing.Status, Tag: listing.Tag, Active: listing.Active})
	if err != nil {
		return CardList{}, err
	}
	filter, err := hashOf([]any{listing.Status, listing.Tag, listing.Active})
	if err != nil {
		return CardList{}, err
	}
	size := listing.PageSize
	if size == 0 {
		size = index.DefaultPageSize
	}
	start := 0
	if listing.Cursor != "" {
		if start, err = afterCard(entries, listing.Cursor, filter); err != nil {
			return CardList{}, err
		}
	}
	page := CardList{OK: true, Taskcards: entries[start:min(start+size, len(entries))]}
	if start+size < len(entries) {
		page.NextCursor = cardCursor{page.Taskcards[size-1].Path, filter}.String()
	}
	return page, nil
}

// A cardCursor is the last card of a page.
type cardCursor struct {
	Path   string `json:"p"`
	Filter string `json:"f"`
}

func (c cardCursor) String() string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // strings only
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// afterCard is the place behind the card of a cursor. A card that was removed
// meanwhile makes the cursor a bad one.
func afterCard(entries []taskcard.Entry, cursor, filter string) (int, error) {
	var last cardCursor
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || json.Unmarshal(text, &last) != nil || last.Filter != filter {
		return 0, index.ErrCursor
	}
	at := slices.IndexFunc(entries, func(e taskcard.Entry) bool { return e.Path == last.Path })
	if at < 0 {
		return 0, index.ErrCursor
	}
	return at + 1, nil
}

// CardReport is the judgement on a taskcard.
type CardReport struct {
	OK       bool               `json:"ok"`
	Valid    bool               `json:"valid"`
	ID       *string            `json:"id"`
	Errors   []taskcard.Problem `json:"errors"`
	Warnings []taskcard.Problem `json:"warnings"`
}

// A CardQuestion names a taskcard in one of three ways.
type CardQuestion struct {
	ID            string
	Path          string // in the folder of taskcards
	Content       string
	CheckEvidence bool
}

// ValidateTaskcard judges a taskcard.
func (l *Launcher) ValidateTaskcard(q CardQuestion) (CardReport, error) {
	var report taskcard.Report
	var err error
	switch {
	case q.ID != "":
		report, err = l.cards.Get(q.ID, q.CheckEvidence)
	case q.Path != "":
		report, err = l.cards.GetFile(q.Path, q.CheckEvidence)
	default:
		report, err = l.cards.GetText([]byte(q.Content), q.CheckEvidence)
	}
	if err != nil {
		return CardReport{}, err
	}
	answer := CardReport{
		OK: true, Valid: report.Valid(), Errors: append([]taskcard.Problem{}, report.Errors...), Warnings: append([]taskcard.Problem{}, report.Warnings...),
	}
	if report.Card.ID != "" {
		answer.ID = &report.Card.ID
	}
	return answer, nil
}
