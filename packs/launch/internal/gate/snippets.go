package gate

import (
	"context"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate/page"
	"mcpworks/packs/launch/internal/patch"
)

// snippets demands that code on pages is code of the catalogue, or a command that
// the product's manifest gives.
func snippets(ctx context.Context, v *View, r *report) {
	for p := range v.changedPages {
		for _, fence := range p.Fences {
			if ctx.Err() != nil {
				return
			}
			code := Normal(fence.Code)
			if !p.newFence(fence) || code == "" || v.fromTemplate(p, code) {
				continue
			}
			subject := patch.Hash(code)[:12]
			found := v.catalogued(code)
			switch {
			case slices.Contains(v.commands(), code):
				if !slices.Contains(shellNames, fence.Language) {
					r.add(fence.Start, CodeSnippetLanguage, p.Path, subject, "the command is marked as %s", quoted(fence.Language))
				}
			case len(found) == 0:
				r.add(fence.Start, CodeSnippetUnknown, p.Path, subject, "the code is not in the catalogue")
			case !slices.ContainsFunc(found, func(s artifact.Snippet) bool { return s.Language == fence.Language }):
				r.add(fence.Start, CodeSnippetLanguage, p.Path, subject, "the code is marked as %s and not as %s", quoted(fence.Language), quoted(found[0].Language))
			case !slices.ContainsFunc(found, sound):
				r.add(fence.Start, CodeSnippetSyntax, p.Path, subject, "the code is known to have a fault in its syntax")
			}
		}
	}
}

// shellNames are what commands may be marked as.
var shellNames = []string{"bash", "sh", "shell", "console", "text", "xml"}

func sound(s artifact.Snippet) bool { return s.Validation.SyntaxOK == nil || *s.Validation.SyntaxOK }

// newFence says whether any line of a block is new.
func (p sitePage) newFence(fence page.Fence) bool {
	for line := fence.Start; line <= fence.End; line++ {
		if p.New(line) {
			return true
		}
	}
	return false
}

// Normal is code as it is compared: LF, no spaces at the ends of lines.
func Normal(code string) string {
	lines := strings.Split(strings.ReplaceAll(code, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// catalogued are the snippets with this code.
func (v *View) catalogued(code string) []artifact.Snippet {
	var found []artifact.Snippet
	for _, s := range v.Catalog.Snippets {
		if Normal(s.Code) == code {
			found = append(found, s)
		}
	}
	return found
}

// commands are the product's install commands.
func (v *View) commands() []string {
	var all []string
	for _, way := range v.Facts.Distribution {
		for _, command := range way.InstallCommands {
			all = append(all, Normal(command))
		}
	}
	return all
}

// fromTemplate says whether all lines of a block are those of a template.
func (v *View) fromTemplate(p sitePage, code string) bool {
	if p.Plan == nil || v.Templates == nil {
		return false
	}
	for line := range strings.SplitSeq(code, "\n") {
		if !v.Templates.Exempt(line, p.Plan.TokenMappings) {
			return false
		}
	}
	return true
}
