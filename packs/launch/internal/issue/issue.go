// Package issue is what stages and gates find wrong with a run: one finding,
// with a name that stays the same when it is looked for again.
package issue

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// A Severity says how bad an issue is (C-34).
type Severity string

// The severities, worst first.
const (
	Blocker Severity = "blocker"
	Error   Severity = "error"
	Warn    Severity = "warn"
	Info    Severity = "info"
)

// rank orders severities, worst first.
func (s Severity) rank() int { return slices.Index([]Severity{Blocker, Error, Warn, Info}, s) }

// Worse says whether s is worse than other.
func (s Severity) Worse(other Severity) bool { return s.rank() < other.rank() }

// A Status is what became of an issue.
type Status string

// The statuses.
const (
	Open       Status = "OPEN"
	InProgress Status = "IN_PROGRESS"
	Resolved   Status = "RESOLVED"
	Unfixable  Status = "UNFIXABLE"
)

// An Issue is one finding (10.3).
type Issue struct {
	ID       string   `json:"issue_id"`
	Gate     string   `json:"gate"` // the slug of the gate, or the name of the stage
	Severity Severity `json:"severity"`
	Code     string   `json:"error_code"`
	Message  string   `json:"message"`
	Status   Status   `json:"status"`
	// Location is where it is, in the site or in the run.
	Location     *Location `json:"location,omitempty"`
	Files        []string  `json:"files,omitempty"`
	SuggestedFix string    `json:"suggested_fix,omitempty"`
	Fixable      bool      `json:"fixable"`
	ClaimID      string    `json:"claim_id,omitempty"`
}

// A Location is a place in a file.
type Location struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
}

// New makes an open issue. Subject tells apart issues with the same code at the
// same path; it must not change when only lines move.
func New(gate string, severity Severity, code, path, subject, format string, args ...any) Issue {
	i := Issue{
		ID: ID(gate, code, path, subject), Gate: gate, Severity: severity, Code: code,
		Message: fmt.Sprintf(format, args...), Status: Open,
	}
	if path != "" {
		i.Location = &Location{Path: path}
	}
	return i
}

// ID is the name of an issue: the same as long as it is about the same thing
// (10.3).
func ID(gate, code, path, subject string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{gate, code, path, subject}, "|")))
	return "iss_" + hex.EncodeToString(sum[:6])
}

// At returns the issue with a line.
func (i Issue) At(line int) Issue {
	if i.Location != nil {
		i.Location = &Location{i.Location.Path, line}
	}
	return i
}

// Sort orders issues as they are worked on (10.4): by severity, gate, path, line
// and id. Gates is the order of the gates; those it does not have come last.
func Sort(issues []Issue, gates []string) {
	place := func(i Issue) int {
		if at := slices.Index(gates, i.Gate); at >= 0 {
			return at
		}
		return len(gates)
	}
	where := func(i Issue) Location {
		if i.Location == nil {
			return Location{}
		}
		return *i.Location
	}
	slices.SortStableFunc(issues, func(a, b Issue) int {
		return cmp.Or(
			cmp.Compare(a.Severity.rank(), b.Severity.rank()), cmp.Compare(place(a), place(b)), cmp.Compare(a.Gate, b.Gate),
			cmp.Compare(where(a).Path, where(b).Path), cmp.Compare(where(a).Line, where(b).Line), cmp.Compare(a.ID, b.ID),
		)
	})
}
