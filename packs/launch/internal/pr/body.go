package pr

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"mcpworks/internal/bounded"
	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/patch/linediff"
)

// Bounds of the lists in a pull request.
const (
	maxPages     = 200
	maxCitations = 10
	maxFiles     = 200
	maxTitle     = 200
)

// body is what a reviewer reads first.
func body(in Inputs, p Proposal) string {
	var b strings.Builder
	for _, part := range []struct {
		heading string
		write   func(*strings.Builder, Inputs)
	}{
		{"Summary", writeSummary}, {"Pages", writePages}, {"Evidence", writeEvidence}, {"Checks", writeChecks}, {"Changes", writeChanges},
	} {
		fmt.Fprintf(&b, "## %s\n\n", part.heading)
		part.write(&b, in)
		b.WriteString("\n")
	}
	b.WriteString("## Rollback\n\n")
	for i, step := range p.Rollback {
		fmt.Fprintf(&b, "%d. %s\n", i+1, step)
	}
	return b.String()
}

func writeSummary(b *strings.Builder, in Inputs) {
	added, removed := 0, 0
	for _, change := range in.Changes {
		more, less := lines(change.Before, change.After)
		added, removed = added+more, removed+less
	}
	sources := "Every statement on them has a source there."
	if edited := editedByHand(in.Bundle); edited > 0 {
		sources = fmt.Sprintf("%s edited by hand: what is said there may have no source in it.", were(edited))
	}
	fmt.Fprintf(b, "Pages about %s, made from its repository. %s\n\n", plain(in.Config.ProductName), sources)
	fmt.Fprintf(b, "- Repository: %s at %s\n", code(told(in.Facts.RepoURL)), code(in.Facts.RepoSHA))
	fmt.Fprintf(b, "- Site: %s at %s\n", code(told(in.SiteRepoURL)), code(in.Bundle.BaseSHA))
	fmt.Fprintf(b, "- Size: %s, %d lines added, %d removed\n", count(len(in.Changes), "file"), added, removed)
	fmt.Fprintf(b, "- Run: %s\n", code(in.RunID))
}

// editedByHand is how many files of a bundle people have edited.
func editedByHand(bundle artifact.PatchBundle) int {
	files := map[string]bool{}
	for _, p := range bundle.Patches {
		if p.Origin == patch.OriginManual {
			files[p.Path] = true
		}
	}
	return len(files)
}

func were(files int) string {
	if files == 1 {
		return "1 file was"
	}
	return fmt.Sprintf("%d files were", files)
}

// writePages lists the pages by section, in the order of the plan.
func writePages(b *strings.Builder, in Inputs) {
	var sections []string
	bySection := map[string][]artifact.Page{}
	for _, page := range in.Plan.Pages {
		if bySection[page.Section] == nil {
			sections = append(sections, page.Section)
		}
		bySection[page.Section] = append(bySection[page.Section], page)
	}
	if len(sections) == 0 {
		b.WriteString("No pages were planned.\n")
	}
	left := maxPages
	for _, section := range sections {
		fmt.Fprintf(b, "- %s\n", plain(section))
		for _, page := range bySection[section] {
			if left--; left < 0 {
				continue
			}
			address := page.URLPath
			if in.PageURL != nil {
				address = in.PageURL(page.Section, page.URLPath)
			}
			fmt.Fprintf(b, "  - %s: %s\n", plain(page.Title), code(address))
		}
	}
	if left < 0 {
		fmt.Fprintf(b, "- and %d more\n", -left)
	}
}

// writeEvidence counts the claims, and shows where the best of them come from.
func writeEvidence(b *strings.Builder, in Inputs) {
	kinds := map[string]int{}
	for _, claim := range in.Evidence.Claims {
		kinds[claim.Kind]++
	}
	if len(kinds) == 0 {
		b.WriteString("No claims.\n")
		return
	}
	b.WriteString("| Kind of claim | Count |\n|---|---|\n")
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(b, "| %s | %d |\n", plain(kind), kinds[kind])
	}
	b.WriteString("\nSources, best first:\n\n")
	for _, citation := range bestCitations(in.Evidence.Claims) {
		fmt.Fprintf(b, "- %s\n", link(in.Facts, citation))
	}
}

// bestCitations are the first places of the claims from the best sources, each
// place once.
func bestCitations(claims []artifact.EvidenceClaim) []artifact.Citation {
	sure := []string{"high", "medium", "low"}
	ordered := slices.SortedFunc(slices.Values(claims), func(x, y artifact.EvidenceClaim) int {
		return cmp.Or(
			cmp.Compare(x.SourcePriority, y.SourcePriority), cmp.Compare(slices.Index(sure, x.Confidence), slices.Index(sure, y.Confidence)),
			cmp.Compare(x.ID, y.ID),
		)
	})
	var best []artifact.Citation
	seen := map[artifact.Citation]bool{}
	for _, claim := range ordered {
		if len(best) == maxCitations || len(claim.Citations) == 0 {
			continue
		}
		place := claim.Citations[0]
		place.SourceType = ""
		if !seen[place] {
			seen[place] = true
			best = append(best, place)
		}
	}
	return best
}

// link leads to the lines of a citation. There is no way to link into a local
// repository (18.4).
func link(facts artifact.ProductFacts, c artifact.Citation) string {
	text := fmt.Sprintf("%s, lines %d–%d", code(c.Path), c.StartLine, c.EndLine)
	repo := strings.TrimSuffix(strings.TrimSuffix(facts.RepoURL, "/"), ".git")
	at, err := url.Parse(repo)
	if err != nil || at.Scheme != "https" || at.User != nil {
		return text
	}
	segments := strings.Split(c.Path, "/")
	for i, segment := range segments {
		segments[i] = strings.NewReplacer("(", "%28", ")", "%29").Replace(url.PathEscape(segment))
	}
	return fmt.Sprintf("[%s](%s/blob/%s/%s#L%d-L%d)", text, at, facts.RepoSHA, strings.Join(segments, "/"), c.StartLine, c.EndLine)
}

func writeChecks(b *strings.Builder, in Inputs) {
	fmt.Fprintf(b, "Validation profile: %s.\n\n", plain(in.Report.Profile))
	for _, gate := range in.Report.Gates {
		switch {
		case gate.Status == "skipped":
			fmt.Fprintf(b, "- [ ] %s (skipped%s)\n", plain(gate.Name), because(gate.Reason))
		case gate.OK && gate.Issues > 0:
			fmt.Fprintf(b, "- [x] %s (%s)\n", plain(gate.Name), count(gate.Issues, "remark"))
		case gate.OK:
			fmt.Fprintf(b, "- [x] %s\n", plain(gate.Name))
		default:
			fmt.Fprintf(b, "- [ ] %s (%s)\n", plain(gate.Name), plain(gate.Status))
		}
	}
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + plain(reason)
}

func writeChanges(b *strings.Builder, in Inputs) {
	b.WriteString("| File | Added | Removed |\n|---|---|---|\n")
	for i, change := range in.Changes {
		if i == maxFiles {
			fmt.Fprintf(b, "\nand %s more\n", count(len(in.Changes)-maxFiles, "file"))
			break
		}
		added, removed := lines(change.Before, change.After)
		fmt.Fprintf(b, "| %s | %d | %d |\n", strings.ReplaceAll(code(change.Path), "|", `\|`), added, removed)
	}
}

func lines(before, after []byte) (added, removed int) {
	for _, hunk := range linediff.Compare(linediff.Lines(string(before)), linediff.Lines(string(after))) {
		added, removed = added+hunk.B1-hunk.B0, removed+hunk.A1-hunk.A0
	}
	return added, removed
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// special are the characters that mean something in Markdown or in HTML.
const special = "\\`*_{}[]<>()#+!|~&$"

// plain makes text of strangers read as it is: no markup, no links, and nobody
// is called by name.
func plain(text string) string {
	var b strings.Builder
	for _, r := range bounded.Runes(oneLine(text), maxTitle) {
		switch {
		case strings.ContainsRune(special, r):
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '@':
			b.WriteString("@\u200b")
		case r == ':': // no address becomes a link by itself
			b.WriteString(":\u200b")
		default:
			b.WriteRune(r)
		}
	}
	return strings.ReplaceAll(b.String(), ":\u200b ", ": ")
}

// code shows text letter by letter.
func code(text string) string {
	text = oneLine(bounded.Runes(text, 1024))
	if text == "" {
		return "–"
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}
