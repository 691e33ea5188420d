package gate

import (
	"mcpworks/packs/launch/internal/issue"
)

// A report takes the issues of one gate.
type report struct {
	gate     string
	severity issue.Severity
	profile  int
	issues   []issue.Issue
	seen     map[string]bool
	// skipped says why there was nothing to look at.
	skipped string
}

// add reports an issue with the gate's severity. Subject tells apart issues with
// the same code at the same path; what has the same subject is one issue, at its
// first line, so that putting it right makes it go away.
func (r *report) add(line int, code, path, subject, format string, args ...any) *issue.Issue {
	return r.addAs(r.severity, line, code, path, subject, format, args...)
}

// addAs reports an issue with a severity of its own.
func (r *report) addAs(severity issue.Severity, line int, code, path, subject, format string, args ...any) *issue.Issue {
	found := issue.New(r.gate, severity, code, path, subject, format, args...)
	if line > 0 {
		found = found.At(line)
	}
	found.Fixable = Fixable(code)
	if r.seen[found.ID] {
		return &issue.Issue{} // for the caller to write into
	}
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	r.seen[found.ID] = true
	r.issues = append(r.issues, found)
	return &r.issues[len(r.issues)-1]
}

// choose picks a severity by profile.
func (r *report) choose(local, ci, prod issue.Severity) issue.Severity {
	return [3]issue.Severity{local, ci, prod}[r.profile]
}
