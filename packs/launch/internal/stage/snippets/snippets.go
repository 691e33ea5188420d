// Package snippets is the third stage of a run: it collects the code that pages
// may show (6.3).
//
// Code comes from the product's examples, documents, tests and doc strings, as
// it is written there. It is checked for syntax and never run. Files that look
// as if they held secrets give no code.
package snippets

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/sourcecode"
)

// Stage is the name that issues of this stage carry.
const Stage = "snippet_curator"

// Inputs are all that the stage looks at.
type Inputs struct {
	// Repo is the checked-out product repository; it is only read.
	Repo      fs.FS
	Inventory artifact.RepoInventory
	Config    config.Config
	Facts     artifact.ProductFacts
	Evidence  artifact.EvidenceMap
}

// Outputs are the documents of the stage.
type Outputs struct {
	Catalog artifact.SnippetCatalog
}

// ErrInput is returned with a blocker that says which input is missing or wrong.
var ErrInput = errors.New("snippets: an input is missing or invalid")

// Run collects the snippets. It is a pure function of its inputs.
func Run(ctx context.Context, in Inputs) (Outputs, []issue.Issue, error) {
	if found := checkInputs(in); found != nil {
		return Outputs{}, []issue.Issue{*found}, ErrInput
	}
	c := newCurator(in)
	if err := c.read(ctx); err != nil {
		return Outputs{}, nil, err
	}
	if in.Config.AllowGeneratedSnippets {
		c.generate()
	}
	issue.Sort(c.issues, []string{Stage})
	return Outputs{artifact.SnippetCatalog{SchemaVersion: artifact.Version, Snippets: c.catalog()}}, c.issues, nil
}

func checkInputs(in Inputs) *issue.Issue {
	blocker := func(code, what string) *issue.Issue {
		found := issue.New(Stage, issue.Blocker, code, "", what, "%s", what)
		return &found
	}
	switch {
	case in.Repo == nil:
		return blocker("SNIPPET_CURATOR_MISSING_INPUT", "the product repository is missing")
	case in.Inventory.SchemaVersion == "":
		return blocker("SNIPPET_CURATOR_MISSING_INPUT", "repo_inventory.json is missing")
	case in.Facts.SchemaVersion == "":
		return blocker("SNIPPET_CURATOR_MISSING_INPUT", "product_facts.json is missing")
	case in.Evidence.SchemaVersion == "":
		return blocker("SNIPPET_CURATOR_MISSING_INPUT", "evidence_map.json is missing")
	case in.Inventory.SchemaVersion != artifact.Version || in.Facts.SchemaVersion != artifact.Version || in.Evidence.SchemaVersion != artifact.Version:
		return blocker("SNIPPET_CURATOR_INVALID_INPUT", "an input has another schema_version")
	}
	return nil
}

// A curator holds the snippets found so far.
type curator struct {
	in     Inputs
	cited  map[string]bool     // files that claims cite
	flows  map[string][]string // tags of workflows, by the ids of their snippets
	tags   map[string]bool     // tags of workflows
	found  map[string]*find    // by id
	issues []issue.Issue
	total  int // bytes read
}

// A find is one piece of code with all places that have it.
type find struct {
	piece  sourcecode.Piece
	tags   []string
	places []foundAt
}

type foundAt struct {
	source    artifact.SnippetSource
	relevance int
}

func newCurator(in Inputs) *curator {
	c := &curator{in: in, cited: map[string]bool{}, flows: map[string][]string{}, tags: map[string]bool{}, found: map[string]*find{}}
	for _, claim := range in.Evidence.Claims {
		for _, citation := range claim.Citations {
			c.cited[citation.Path] = true
		}
	}
	for _, workflow := range in.Facts.Workflows {
		c.tags[workflow.Tag] = true
		for _, step := range workflow.Steps {
			if step.SnippetID != "" {
				c.flows[step.SnippetID] = append(c.flows[step.SnippetID], workflow.Tag)
			}
		}
	}
	return c
}

// add keeps a piece of code with where it was found and what it is about.
func (c *curator) add(piece sourcecode.Piece, path string, relevance int, heading string) {
	if c.cited[path] {
		relevance += 10
	}
	id := piece.ID()
	f := c.found[id]
	if f == nil {
		f = &find{piece: piece}
		c.found[id] = f
	}
	f.tags = append(f.tags, sourcecode.Tags(path, heading, piece.Name)...)
	f.tags = append(f.tags, c.flows[id]...)
	if tag := sourcecode.Slug(heading); c.tags[tag] {
		f.tags = append(f.tags, tag)
	}
	source := artifact.SnippetSource{Type: "repo_file", Path: path, StartLine: piece.Start, EndLine: piece.End}
	if path == "" {
		source = artifact.SnippetSource{Type: "generated"}
	}
	f.places = append(f.places, foundAt{source, relevance})
}

// catalog is everything found, sorted by language, first tag and id (6).
func (c *curator) catalog() []artifact.Snippet {
	var list []artifact.Snippet
	for _, id := range slices.Sorted(maps.Keys(c.found)) {
		f := c.found[id]
		slices.SortStableFunc(f.places, func(a, b foundAt) int {
			return cmp.Or(cmp.Compare(b.relevance, a.relevance), cmp.Compare(a.source.Path, b.source.Path), cmp.Compare(a.source.StartLine, b.source.StartLine))
		})
		slices.Sort(f.tags)
		snippet := artifact.Snippet{
			ID: id, Language: f.piece.Language, Tags: slices.Compact(f.tags), Code: f.piece.Code, Source: f.places[0].source, Relevance: f.places[0].relevance,
			Requirements: artifact.SnippetNeeds{Dependencies: c.needs(f.piece)},
			Validation:   artifact.SnippetValidation{SyntaxOK: syntax(f.piece.Language, f.piece.Code), RunnableOK: "unknown"},
		}
		for _, place := range f.places {
			snippet.Sources = append(snippet.Sources, place.source)
		}
		list = append(list, snippet)
	}
	slices.SortStableFunc(list, func(a, b artifact.Snippet) int {
		return cmp.Or(cmp.Compare(a.Language, b.Language), cmp.Compare(a.Tags[0], b.Tags[0]), cmp.Compare(a.ID, b.ID))
	})
	return list
}
