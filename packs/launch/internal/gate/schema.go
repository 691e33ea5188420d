package gate

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/patch/frontmatter"
)

// required are the documents that every run has by the time it is validated.
var required = []string{
	artifact.RepoInventoryName, artifact.FrontmatterContractName, artifact.SiteContextName, artifact.HugoFactsName, artifact.ProductFactsName,
	artifact.EvidenceMapName, artifact.TruthLockReportName, artifact.SnippetCatalogName, artifact.PagePlanName, artifact.DraftManifestName, artifact.PatchBundleName,
}

// mostViolations is how many faults of one document are told.
const mostViolations = 20

// schema holds every document against its schema, and makes sure that all
// changed pages can be read, since no other gate sees those that cannot.
func schema(ctx context.Context, v *View, r *report) {
	for _, name := range artifact.Names() {
		if ctx.Err() != nil {
			return
		}
		text, given := v.Documents[name]
		if !given {
			if slices.Contains(required, name) {
				r.add(0, CodeSchema, name, "missing", "%s is missing", name)
			}
			continue
		}
		violations, err := artifact.Validate(name, text)
		if err != nil {
			r.add(0, CodeSchema, name, "form", "%s is not JSON that can be read", name)
		}
		for _, violation := range violations[:min(len(violations), mostViolations)] {
			r.add(0, CodeSchema, name, violation.Path+" "+violation.Message, "%s at %s: %s", name, quoted(violation.Path), violation.Message)
		}
		if err == nil && len(violations) == 0 && decoded(name) && !v.have[name] {
			r.add(0, CodeSchema, name, "decode", "%s has a member that nobody knows", name)
		}
	}
	for _, file := range v.Changed {
		if !isPage(file) || ctx.Err() != nil {
			continue
		}
		p, err := v.Page(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			r.add(0, CodeSchema, file, "page", "the page cannot be read: %v", err)
		case p.FrontErr != nil && !errors.Is(p.FrontErr, frontmatter.ErrMissing):
			r.add(1, CodeSchema, file, "front matter", "the front matter cannot be read")
		}
	}
}

// decoded says whether views have a document by its type.
func decoded(name string) bool {
	return !slices.Contains([]string{artifact.TruthLockReportName, artifact.DraftManifestName, artifact.ReviewReportName, artifact.ValidationReportName}, name)
}
