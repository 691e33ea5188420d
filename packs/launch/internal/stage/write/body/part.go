package body

import (
	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/templates"
)

// A Filled is a piece of a template with its block.
type Filled struct {
	Sentences []string
	Text      string
}

// Part fills the blocks below a heading. Blocks without anything to say are left
// out with the sentences that lead to them.
func (l *Library) Part(part templates.Part, page artifact.Page, outline Outline) []Filled {
	var filled []Filled
	for _, piece := range part.Pieces {
		text := ""
		if piece.Block != "" {
			if text, _ = l.Block(piece.Block, page, outline); text == "" {
				continue
			}
		}
		filled = append(filled, Filled{piece.Sentences, text})
	}
	return filled
}

// Fills says whether there is something to say below a heading.
func (l *Library) Fills(part templates.Part, page artifact.Page, outline Outline) bool {
	return len(l.Part(part, page, outline)) > 0
}
