package link

import (
	"fmt"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/patch/linediff"
)

// Report is reports/diff_report.md: what a bundle changes in the site, for
// people.
func Report(bundle artifact.PatchBundle, result *patch.Result) string {
	var text strings.Builder
	added, removed := 0, 0
	var files strings.Builder
	for _, change := range result.Changes {
		plus, minus := count(change)
		added, removed = added+plus, removed+minus
		fmt.Fprintf(&files, "| `%s` | %s | %d | %d | %s |\n", change.Path, action(change), plus, minus, origins(bundle, change.Path))
	}
	skipped := 0
	for _, outcome := range result.Outcomes {
		if outcome.Skipped {
			skipped++
		}
	}
	fmt.Fprintf(&text, "# Changes to the site\n\n- Base: `%s`\n- Files: %d\n- Lines: %d added, %d removed\n- Patches: %d, of which %d found nothing to do\n",
		bundle.BaseSHA, len(result.Changes), added, removed, len(bundle.Patches), skipped)
	if files.Len() > 0 {
		text.WriteString("\n| File | Change | Added | Removed | Because of |\n| --- | --- | ---: | ---: | --- |\n" + files.String())
	}
	return text.String()
}

func count(change patch.Change) (added, removed int) {
	for _, hunk := range linediff.Compare(linediff.Lines(string(change.Before)), linediff.Lines(string(change.After))) {
		added, removed = added+hunk.B1-hunk.B0, removed+hunk.A1-hunk.A0
	}
	return added, removed
}

func action(change patch.Change) string {
	switch {
	case change.Before == nil:
		return "created"
	case change.After == nil:
		return "deleted"
	}
	return "updated"
}

// origins are where the patches of a file come from, each once, in their order.
func origins(bundle artifact.PatchBundle, file string) string {
	var names []string
	for _, p := range bundle.Patches {
		if p.Path == file && !strings.Contains(strings.Join(names, ","), p.Origin) {
			names = append(names, p.Origin)
		}
	}
	return strings.Join(names, ", ")
}
