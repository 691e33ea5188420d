package gate

import (
	"context"
	"regexp"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
)

// The codes of pinned_refs.
const (
	CodeNotPinned   = "GATE_PINNED_REFS_NOT_PINNED"
	CodeRefMismatch = "GATE_PINNED_REFS_MISMATCH"
)

var commitSHA = regexp.MustCompile(`^[0-9a-f]{40}$`)

func isSHA(ref string) bool { return commitSHA.MatchString(ref) && strings.Trim(ref, "0") != "" }

// pinnedRefs demands that everything was read at known commits, and at the same
// ones by all stages. A branch that was resolved is no error before prod (18.12).
func pinnedRefs(_ context.Context, v *View, r *report) {
	repo, site := v.Inventory.RepoSHA, v.Context.Site.ResolvedSHA
	for _, place := range []struct{ what, asked, got string }{
		{"github_ref", v.Config.GitHubRef, repo}, {"site_ref", v.Config.SiteRef, site}, {"workflows_ref", v.Config.WorkflowsRef, workflowsSHA(v)},
	} {
		switch {
		case place.what == "workflows_ref" && v.Context.Workflows == nil:
		case !isSHA(place.got):
			r.add(0, CodeNotPinned, "", place.what, "%s was not resolved to a commit", place.what)
		case isSHA(place.asked) && place.asked != place.got:
			r.add(0, CodeRefMismatch, "", place.what, "%s asks for commit %s, but %s was read", place.what, place.asked, place.got)
		case place.asked != "" && !isSHA(place.asked):
			r.addAs(r.choose(issue.Info, issue.Warn, issue.Error), 0, CodeNotPinned, "", place.what+" by name", "%s is a name and not a commit", place.what)
		}
	}
	for _, record := range []struct{ document, what, got, want string }{
		{artifact.ProductFactsName, "repo_sha", v.Facts.RepoSHA, repo}, {artifact.EvidenceMapName, "repo_sha", v.Evidence.RepoSHA, repo},
		{artifact.RepoInventoryName, "site_sha", v.Inventory.SiteSHA, site}, {artifact.FrontmatterContractName, "site_sha", v.Contract.SiteSHA, site},
		{artifact.PatchBundleName, "base_sha", v.Bundle.BaseSHA, site},
	} {
		if v.have[record.document] && record.got != record.want {
			r.add(0, CodeRefMismatch, "", record.document+" "+record.what, "%s has %s %s instead of %s", record.document, record.what, quoted(record.got), quoted(record.want))
		}
	}
}

func workflowsSHA(v *View) string {
	if v.Context.Workflows == nil {
		return ""
	}
	return v.Context.Workflows.ResolvedSHA
}
