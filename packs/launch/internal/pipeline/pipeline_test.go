package pipeline_test

import (
	"testing"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// S-3: an offline run reaches READY_FOR_PR in profile ci without any
// fix, also one of a hostile repository (18.20).
func TestReadyForPR(t *testing.T) {
	for _, name := range []string{"acme-tool", "go-cli", "sparse", "hostile"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, t.TempDir(), nil)
			id := b.start(settings(name, product(t, name), nil))
			s := b.work(id)
			expectReady(t, b, s)
		})
	}
}

func expectReady(t *testing.T, b *bench, s *snapshot.Snapshot) {
	t.Helper()
	if s.State != state.ReadyForPR || s.Activity != snapshot.Paused || s.PauseReason != snapshot.StopAt || s.FixAttempts != 0 {
		t.Errorf("the run is %s, %s (%s) after %d fixes; failure %+v", s.State, s.Activity, s.PauseReason, s.FixAttempts, s.Failure)
		for _, i := range s.Issues {
			if i.Severity != issue.Info {
				t.Errorf("%s %s %s %v: %s", i.Status, i.Severity, i.Code, i.Location, i.Message)
			}
		}
	}
	for section, at := range s.Sections {
		if at != state.SectionDone {
			t.Errorf("section %s is %s", section, at)
		}
	}
	for _, name := range []string{
		artifact.RepoInventoryName, artifact.ProductFactsName, artifact.SnippetCatalogName, artifact.PagePlanName, artifact.DraftManifestName,
		artifact.ReviewReportName, artifact.PatchBundleName, artifact.ValidationReportName, "reports/diff_report.md", "reports/site.patch",
	} {
		if _, written := s.Artifacts[name]; !written {
			t.Errorf("%s was not written", name)
		}
	}
}
