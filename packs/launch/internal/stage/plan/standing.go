package plan

import (
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// How well code stands on its own.
const (
	declares = iota // types and imports: nothing happens
	acts            // something is called
	uses            // something of the product is
	whole           // and the code says where that comes from
)

var (
	declaring = regexp.MustCompile(`^\s*(?:(?:export\s+)?(?:type|func|class|def|interface|struct|fn|pub|public|import|from|package|use|using|const|var)\b|//|#|\*|/\*|@)`)
	calling   = regexp.MustCompile(`[A-Za-z_]\w*[!?]?\(`)
	bringing  = regexp.MustCompile(`(?m)^\s*(?:import|from|use|using|package|#include)\b|\brequire\(|\bimport\(`)
	codeWord  = regexp.MustCompile(`[A-Za-z_]\w*`)
)

// standing says how well a snippet stands on its own, by looking at its words.
func (p *planner) standing(s artifact.Snippet) int {
	if known, ok := p.stands[s.ID]; ok {
		return known
	}
	p.stands[s.ID] = p.judge(s)
	return p.stands[s.ID]
}

func (p *planner) judge(s artifact.Snippet) int {
	isCall := func(line string) bool { return calling.MatchString(line) && !declaring.MatchString(line) }
	if slices.Contains(commands, s.Language) {
		return acts
	}
	if !slices.ContainsFunc(strings.Split(s.Code, "\n"), isCall) {
		return declares
	}
	words := codeWord.FindAllString(s.Code, -1)
	surface := p.in.Facts.APISurface
	named := slices.ContainsFunc(words, func(word string) bool {
		return isListed(surface.Classes, word) || isListed(surface.Functions, word)
	})
	brought := len(s.Requirements.Dependencies) > 0 && bringing.MatchString(s.Code)
	switch {
	case brought:
		return whole
	case named:
		return uses
	}
	return acts
}

// isListed looks a name up in a sorted list.
func isListed(names []string, name string) bool {
	_, found := slices.BinarySearch(names, name)
	return found
}

// longCode is how many lines a first example has at most.
const longCode = 60

func isLong(s artifact.Snippet) bool { return strings.Count(s.Code, "\n") >= longCode }
