// Package facts is the second stage of a run: it finds out what may be said
// about a product (6.2).
//
// Every statement is a claim that cites lines of the product's repository, and
// code checks that the lines say it. Statements that contradict each other are
// settled or withheld. Nothing is made up and nothing is executed.
package facts

import (
	"context"
	"errors"
	"io/fs"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/issue"
)

// Stage is the name that issues of this stage carry.
const Stage = "facts_builder"

// Inputs are all that the stage looks at.
type Inputs struct {
	// Repo is the checked-out product repository; it is only read.
	Repo      fs.FS
	Inventory artifact.RepoInventory
	Config    config.Config
	// Formats is the vocabulary of the site's profile, such as csv and json.
	Formats []string
}

// Outputs are the documents of the stage. The pages of the report are empty: a
// later stage knows them.
type Outputs struct {
	Facts     artifact.ProductFacts
	Evidence  artifact.EvidenceMap
	TruthLock artifact.TruthLockReport
}

// ErrInput is returned with a blocker that says which input is missing or wrong.
var ErrInput = errors.New("facts: an input is missing or invalid")

// Run finds the facts. It is a pure function of its inputs.
func Run(ctx context.Context, in Inputs) (Outputs, []issue.Issue, error) {
	if found := checkInputs(in); found != nil {
		return Outputs{}, []issue.Issue{*found}, ErrInput
	}
	b := &builder{in: in, vocabulary: newVocabulary(in.Formats)}
	if err := b.read(ctx); err != nil {
		return Outputs{}, nil, err
	}
	b.findScopes()
	b.judgeCandidates()
	if err := b.mergeClaims(ctx); err != nil {
		return Outputs{}, nil, err
	}
	if err := b.settle(ctx); err != nil {
		return Outputs{}, nil, err
	}
	if err := b.support(ctx); err != nil {
		return Outputs{}, nil, err
	}
	b.count()
	out := Outputs{Facts: b.facts(), Evidence: b.evidence(), TruthLock: b.truthLock()}
	issue.Sort(b.issues, []string{Stage})
	return out, b.issues, nil
}

func checkInputs(in Inputs) *issue.Issue {
	blocker := func(code, what string) *issue.Issue {
		found := issue.New(Stage, issue.Blocker, code, "", what, "%s", what)
		return &found
	}
	switch {
	case in.Repo == nil:
		return blocker("FACTS_BUILDER_MISSING_INPUT", "the product repository is missing")
	case in.Inventory.SchemaVersion == "":
		return blocker("FACTS_BUILDER_MISSING_INPUT", "repo_inventory.json is missing")
	case in.Inventory.SchemaVersion != artifact.Version:
		return blocker("FACTS_BUILDER_INVALID_INPUT", "repo_inventory.json has another schema_version")
	case in.Config.ProductName == "":
		return blocker("FACTS_BUILDER_INVALID_INPUT", "run_config has no product_name")
	}
	return nil
}

// A builder holds what is known so far.
type builder struct {
	in         Inputs
	vocabulary vocabulary
	sources    sources
	candidates []*candidate
	claims     []*claim // by id
	byID       map[string]*claim
	fights     []artifact.Contradiction
	issues     []issue.Issue
	symbols    map[string]bool     // public names, once asked for
	secrets    map[string]bool     // files that hold some, by path
	scopes     map[string]string   // folders that documents speak for, by path
	splits     map[string][]string // lines of files, by path
}

func (b *builder) report(severity issue.Severity, code, path, subject, format string, args ...any) {
	b.issues = append(b.issues, issue.New(Stage, severity, code, path, subject, format, args...))
}

// severity is the one for the validation profile of the run.
func (b *builder) severity(local, ci, prod issue.Severity) issue.Severity {
	switch b.in.Config.ValidationProfile {
	case "prod":
		return prod
	case "ci":
		return ci
	}
	return local
}
