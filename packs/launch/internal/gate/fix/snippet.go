package fix

import (
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/page"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/stage/write/body"
)

type evidence = artifact.EvidenceClaim

// snippet restores code of the catalogue or its language; code that is known to
// be wrong is taken away.
func snippet(w *work) error {
	for _, fence := range w.page.Fences {
		code := gate.Normal(fence.Code)
		if !w.about(patch.Hash(code)[:12]) || fence.Start < 1 {
			continue
		}
		switch w.issue.Code {
		case gate.CodeSnippetSyntax:
			w.dropFence(fence)
			return nil
		case gate.CodeSnippetLanguage:
			language := "bash"
			if found := w.view.Catalogued(code); len(found) > 0 && !slices.Contains(w.view.Commands(), code) {
				language = found[0].Language
			}
			return w.setLanguage(fence, language)
		}
		code, language := w.restored(fence)
		if code == "" {
			return ErrUnfixable
		}
		if err := w.setLanguage(fence, language); err != nil {
			return err
		}
		w.setCode(fence, code)
		return nil
	}
	return ErrUnfixable
}

func (w *work) setLanguage(fence page.Fence, language string) error {
	mark := opening.FindString(w.lines[fence.Start-1])
	if mark == "" {
		return ErrUnfixable
	}
	w.lines[fence.Start-1] = mark + language
	return nil
}

func (w *work) setCode(fence page.Fence, code string) {
	end := fence.End
	if fence.Closed {
		end--
	}
	w.lines = slices.Concat(w.lines[:fence.Start], strings.Split(code, "\n"), w.lines[end:])
}

// restored is the code that a block should have: a snippet of the page's plan
// that is like it, or the one that the page lacks; or a command that is like it.
func (w *work) restored(fence page.Fence) (code, language string) {
	best := 0.5
	for _, command := range w.view.Commands() {
		if share := gate.Overlap(fence.Code, command); share > best && !strings.Contains(strings.TrimSpace(fence.Code), "\n") {
			code, language, best = command, "bash", share
		}
	}
	if w.plan == nil {
		return code, language
	}
	var lacking []artifact.Snippet
	for _, id := range w.plan.SnippetIDs {
		snippet, known := w.library().Snippet(id)
		if !known || !body.Usable(snippet) || strings.Contains(w.page.Text, gate.Normal(snippet.Code)) {
			continue
		}
		lacking = append(lacking, snippet)
		if share := gate.Overlap(fence.Code, snippet.Code); share > best {
			code, language, best = gate.Normal(snippet.Code), snippet.Language, share
		}
	}
	if code == "" && len(lacking) == 1 {
		return gate.Normal(lacking[0].Code), lacking[0].Language
	}
	return code, language
}

// dropFence takes code away with the line that says where it is from.
func (w *work) dropFence(fences ...page.Fence) {
	var gone []int
	for _, fence := range fences {
		for n := fence.Start - 1; n < fence.End; n++ {
			gone = append(gone, n)
		}
		for n := fence.End; n < len(w.lines); n++ {
			if strings.HasPrefix(w.lines[n], "Source:") {
				gone = append(gone, n)
			}
			if strings.TrimSpace(w.lines[n]) != "" {
				break
			}
		}
	}
	w.drop(gone...)
}

// distribution puts the product's own command for another one.
func distribution(w *work) error {
	known := w.view.Commands()
	if len(known) == 0 {
		return ErrUnfixable
	}
	changed := false
	for n, line := range w.lines {
		command := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "$ "))
		if !w.code(n) || !gate.Installs.MatchString(command) || !w.about(command) {
			continue
		}
		manager := strings.Fields(command)[0]
		right := known[0]
		for _, other := range known {
			if strings.HasPrefix(other, manager+" ") {
				right = other
				break
			}
		}
		w.lines[n], changed = right, true
	}
	if !changed {
		return ErrUnfixable
	}
	return nil
}
