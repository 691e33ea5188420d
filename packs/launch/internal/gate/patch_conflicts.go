package gate

import (
	"context"
	"regexp"
	"strings"
)

// The codes of patch_conflicts.
const (
	CodeConflictMarker = "GATE_PATCH_CONFLICT_MARKER"
	CodeConflictOpen   = "GATE_PATCH_CONFLICT_OPEN"
)

// conflictMarker does not match =======, which is the underline of a heading.
var conflictMarker = regexp.MustCompile(`^(?:<{7}|>{7}|\|{7})(?:\s|$)`)

// patchConflicts looks for what a merge has left behind, in code, too.
func patchConflicts(ctx context.Context, v *View, r *report) {
	for _, conflict := range v.Conflicts.Conflicts {
		r.add(0, CodeConflictOpen, conflict.Path, conflict.PatchID+" "+conflict.Reason, "patch %s does not fit: %s", conflict.PatchID, conflict.Reason)
	}
	for _, file := range v.Changed {
		content, err := read(v.Site, file)
		if ctx.Err() != nil || err != nil || !isText(content) {
			continue
		}
		number := 0
		for line := range strings.Lines(string(content)) {
			number++
			if line = strings.TrimRight(line, "\r\n"); conflictMarker.MatchString(line) {
				r.add(number, CodeConflictMarker, file, line, "the line is the mark of a conflict")
			}
		}
	}
}
