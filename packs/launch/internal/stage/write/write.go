// Package write is the fifth stage of a run: it writes the pages of a plan (6.5).
//
// This is the writer that needs no language model. Everything that it says about
// a product is a claim with its marker, a command of the product's manifest, or
// code of the product's repository; the rest is in the templates.
package write

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/stage/write/body"
	"mcpworks/packs/launch/internal/templates"
)

// Stage is the name that issues of this stage carry.
const Stage = "section_writer"

// The codes of issues.
const (
	CodeMissingInput    = "SECTION_WRITER_MISSING_INPUT"
	CodeUnfilledTokens  = "SECTION_WRITER_UNFILLED_TOKENS"
	CodeTemplateMissing = "SECTION_WRITER_TEMPLATE_MISSING"
	CodeClaimMissing    = "SECTION_WRITER_CLAIM_MISSING"
	CodeNotTranslated   = "SECTION_WRITER_NOT_TRANSLATED"
	CodeValueUnknown    = "SECTION_WRITER_FRONTMATTER_VALUE_UNKNOWN"
)

// ErrBlocked is returned with at least one blocker: the drafts must not be used.
var ErrBlocked = errors.New("write: the pages cannot be written")

// Inputs are all that the stage looks at.
type Inputs struct {
	Plan      artifact.PagePlan
	Facts     artifact.ProductFacts
	Evidence  artifact.EvidenceMap
	Snippets  artifact.SnippetCatalog
	Contract  artifact.FrontmatterContract
	Templates *templates.Set
	// AllowInference lets claims be used that no line of the repository proves;
	// it has to be what the planner was told.
	AllowInference bool
	// DefaultLocale is the language that the pages are written in.
	DefaultLocale string
	// Date is the day of the product's commit, such as 2024-01-02, for sites
	// whose pages need one. It may be empty.
	Date string
}

// Outputs are the documents of the stage.
type Outputs struct {
	Manifest artifact.DraftManifest
	// Files are the drafts by their paths in the run's folder.
	Files map[string][]byte
}

// Run writes the pages. It is a pure function of its inputs.
func Run(ctx context.Context, in Inputs) (Outputs, []issue.Issue, error) {
	if missing := in.missing(); missing != "" {
		return Outputs{}, []issue.Issue{issue.New(Stage, issue.Blocker, CodeMissingInput, "", missing, "%s is missing", missing)}, ErrBlocked
	}
	w := &writer{in: in, library: body.NewLibrary(in.Facts, in.Evidence, in.Snippets, in.AllowInference)}
	out := Outputs{Manifest: artifact.DraftManifest{SchemaVersion: artifact.Version, TotalPages: len(in.Plan.Pages)}, Files: map[string][]byte{}}
	var issues []issue.Issue
	for i, page := range in.Plan.Pages {
		if err := ctx.Err(); err != nil {
			return Outputs{}, nil, err
		}
		draft, text, found := w.page(page, i)
		issues = append(issues, found...)
		if text == nil {
			continue
		}
		out.Manifest.Drafts = append(out.Manifest.Drafts, draft)
		out.Files[draft.DraftPath] = text
	}
	issue.Sort(issues, []string{Stage})
	if len(issues) > 0 && issues[0].Severity == issue.Blocker {
		return out, issues, ErrBlocked
	}
	return out, issues, nil
}

func (in Inputs) missing() string {
	switch {
	case in.Templates == nil:
		return "the templates"
	case in.Plan.SchemaVersion == "":
		return artifact.PagePlanName
	case in.Facts.SchemaVersion == "":
		return artifact.ProductFactsName
	case in.Evidence.SchemaVersion == "":
		return artifact.EvidenceMapName
	case in.Snippets.SchemaVersion == "":
		return artifact.SnippetCatalogName
	}
	return ""
}

type writer struct {
	in      Inputs
	library *body.Library
}

// page writes one page; number is its place in the plan. The text is nil if it
// cannot be written.
func (w *writer) page(page artifact.Page, number int) (artifact.Draft, []byte, []issue.Issue) {
	template, ok := w.in.Templates.At(page.TemplatePath)
	if !ok {
		return artifact.Draft{}, nil, []issue.Issue{issue.New(Stage, issue.Blocker, CodeTemplateMissing, page.OutputPath, page.TemplatePath, "there is no template %s", page.TemplatePath)}
	}
	text, issues := w.body(page, template)
	head, found := w.frontMatter(page, number)
	issues = append(issues, found...)
	if page.Locale != w.in.DefaultLocale && w.in.DefaultLocale != "" {
		issues = append(issues, issue.New(Stage, issue.Info, CodeNotTranslated, page.OutputPath, page.ID, "the page is not translated to %s: it has the text of %s", page.Locale, w.in.DefaultLocale))
	}
	whole := []byte(head + "\n" + text)
	sum := sha256.Sum256(whole)
	draft := artifact.Draft{
		PageID: page.ID, Section: page.Section, Slug: page.Slug, OutputPath: page.OutputPath, DraftPath: path.Join("drafts", page.Section, page.OutputPath),
		SHA256: hex.EncodeToString(sum[:]), Title: page.Title, WordCount: countWords(text), ClaimIDs: markers(text), SnippetIDs: w.shown(page, text), Writer: "offline",
	}
	for _, id := range page.RequiredClaimIDs {
		if !slices.Contains(draft.ClaimIDs, id) {
			lost := issue.New(Stage, issue.Warn, CodeClaimMissing, page.OutputPath, id, "the page has no place for a claim of its plan")
			lost.ClaimID = id
			issues = append(issues, lost)
		}
	}
	return draft, whole, issues
}
