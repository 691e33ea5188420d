package fix

import (
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/page"
	"mcpworks/packs/launch/internal/stage/write/body"
	"mcpworks/packs/launch/internal/templates"
)

// requiredHeading puts a heading where the plan has it, with what the template
// has below it and the page does not say yet.
func requiredHeading(w *work) error {
	if w.plan == nil {
		return ErrUnfixable
	}
	at := slices.IndexFunc(w.plan.RequiredHeadings, w.about)
	if at < 0 {
		return ErrUnfixable
	}
	return w.addHeading(w.plan.RequiredHeadings[at], w.below(w.plan.RequiredHeadings[at]))
}

// addHeading puts a heading with text before the first of those that come after
// it in the plan.
func (w *work) addHeading(heading string, below []string) error {
	if len(below) == 0 {
		return ErrUnfixable
	}
	place := len(w.lines)
	at := slices.Index(w.plan.RequiredHeadings, heading)
	for _, later := range w.plan.RequiredHeadings[at+1:] {
		if n := w.lineOf(later); n >= 0 {
			place = n
			break
		}
	}
	w.insert(place, slices.Concat([]string{"## " + heading, ""}, below)...)
	return nil
}

// lineOf is the index of a heading's line, or -1.
func (w *work) lineOf(heading string) int {
	for _, title := range w.page.Titles {
		if strings.EqualFold(title.Text, page.Plain(heading)) {
			return title.Line - 1
		}
	}
	return -1
}

// below is what the writer puts below a heading, without claims that the page has
// elsewhere.
func (w *work) below(heading string) []string {
	var lines []string
	there := gate.ClaimsOn(w.page)
	for _, part := range w.parts() {
		if title, err := templates.Fill(part.Heading, w.plan.TokenMappings); err != nil || !strings.EqualFold(title, heading) {
			continue
		}
		template, _ := w.view.Templates.At(w.plan.TemplatePath)
		for _, piece := range w.library().Part(part, *w.plan, template) {
			for _, text := range slices.Concat(piece.Sentences, strings.Split(piece.Text, "\n")) {
				ids := gate.Markers(text)
				if len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return !slices.Contains(there, id) }) {
					continue
				}
				if filled, err := templates.Fill(text, w.plan.TokenMappings); err == nil && !strings.Contains(text, "<!--") {
					text = filled
				}
				lines = append(lines, text)
			}
		}
	}
	return trimmed(lines)
}

func trimmed(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func (w *work) parts() []templates.Part {
	if w.view.Templates == nil || w.plan == nil {
		return nil
	}
	template, known := w.view.Templates.At(w.plan.TemplatePath)
	if !known {
		return nil
	}
	return template.Parts
}

// limitations adds the section that says where the product ends.
func limitations(w *work) error {
	if w.plan == nil {
		return ErrUnfixable
	}
	there := gate.ClaimsOn(w.page)
	library := w.library()
	var lines []string
	for _, id := range w.view.UsableLimitations() {
		claim, known := library.Claim(id)
		if known && slices.Contains(w.plan.RequiredClaimIDs, id) && !slices.Contains(there, id) {
			lines = append(lines, "- "+claim.Statement())
		}
	}
	if len(lines) == 0 {
		return ErrUnfixable
	}
	place := len(w.lines)
	for _, last := range []string{"License", "Next steps", "Learn more"} {
		if n := w.lineOf(last); n >= 0 {
			place = n
			break
		}
	}
	w.insert(place, slices.Concat([]string{"## " + gate.Limitations, ""}, lines)...)
	return nil
}

// coverage adds a planned claim where the template has it.
func coverage(w *work) error {
	if w.plan == nil {
		return ErrUnfixable
	}
	id := w.issue.ClaimID
	claim, known := w.library().Claim(id)
	allowed := slices.ContainsFunc(w.view.Allowed(w.plan), func(c evidence) bool { return c.ID == id })
	if !known || !allowed {
		return ErrUnfixable
	}
	line := "- " + claim.Statement()
	for _, part := range w.parts() {
		title, err := templates.Fill(part.Heading, w.plan.TokenMappings)
		n := w.lineOf(title)
		if err != nil || part.Heading != "" && n < 0 || !w.accepts(part, claim.Category) {
			continue
		}
		if part.Heading == "" {
			w.insert(w.page.BodyLine()-1, claim.Statement())
			return nil
		}
		w.addToSection(n, line)
		return nil
	}
	return ErrUnfixable
}

func (w *work) accepts(part templates.Part, category body.Category) bool {
	return slices.ContainsFunc(part.Pieces, func(p templates.Piece) bool {
		return slices.Contains(body.Accepts(p.Block), category) || p.Block == "TOPIC"
	})
}

// addToSection puts a list item behind the first list of a section, or below its
// heading.
func (w *work) addToSection(heading int, item string) {
	end := w.sectionEnd(heading)
	last := -1
	for n := heading + 1; n < end; n++ {
		if strings.HasPrefix(w.lines[n], "- ") && !w.code(n) {
			last = n
		} else if last >= 0 {
			break
		}
	}
	if last >= 0 {
		w.lines = slices.Insert(w.lines, last+1, item)
		return
	}
	w.insert(heading+1, item)
}

// sectionEnd is the index of the line on which the section of a heading ends.
func (w *work) sectionEnd(heading int) int {
	level := 0
	for _, title := range w.page.Titles {
		switch {
		case title.Line-1 == heading:
			level = title.Level
		case title.Line-1 > heading && title.Level <= level:
			return title.Line - 1
		}
	}
	return len(w.lines)
}
