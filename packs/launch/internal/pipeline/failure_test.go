package pipeline_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// 5.1, 8.3, C-22, S-16: why runs fail, and whether they can be resumed.
func TestFailures(t *testing.T) {
	t.Parallel()
	sparse := product(t, "sparse")
	for name, tc := range map[string]struct {
		told      map[string]any
		code      string
		class     string
		resumable bool
	}{
		"empty repository": {settings("empty", product(t, "empty"), nil), "REPO_EMPTY", "FAILED", false},
		"no repository":    {settings("sparse", "file:///nonexistent/repository", nil), "REPO_NOT_FOUND", "FAILED", true},
		"unknown ref":      {settings("sparse", sparse, map[string]any{"github_ref": "nowhere"}), "REPO_SCOUT_CLONE_FAILED", "FAILED", true},
		"foreign site":     {settings("sparse", sparse, map[string]any{"site_repo_url": "https://elsewhere.example/a/b"}), "REPO_URL_POLICY_VIOLATION", "BLOCKED", false},
		"behind the fence": {settings("sparse", sparse, map[string]any{"allowed_paths": []string{"content/docs/sparse/"}}), "LINKER_ALLOWED_PATHS_VIOLATION", "BLOCKED", false},
		"few files":        {settings("sparse", sparse, map[string]any{"budgets": map[string]any{"max_files_changed": 1}}), "POLICY_CHANGE_BUDGET_EXCEEDED", "BLOCKED", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, t.TempDir(), nil)
			id := b.start(tc.told)
			s := b.work(id)
			if s.State != state.Failed || s.Failure == nil {
				t.Fatalf("the run is %s", s.State)
			}
			if f := s.Failure; f.ErrorCode != tc.code || f.Class != tc.class || f.Resumable != tc.resumable {
				t.Errorf("failure %+v, want %s %s, resumable %v", f, tc.class, tc.code, tc.resumable)
			}
			if strings.Contains(b.file(id, "events.ndjson"), b.folder) { // S-39
				t.Error("the log names the data directory")
			}
		})
	}
}

// 5.9, S-34: what fails for reasons that pass is tried three times, with growing
// pauses; then the run fails and can be resumed.
func TestRetries(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ failing, pauses int }{{2, 2}, {100, 2}} {
		var pauses []time.Duration
		failing := tc.failing
		b := newBench(t, t.TempDir(), nil, func(options *pipeline.Options) {
			git, err := gitrepo.New(t.Context(), gitrepo.Options{AllowLocal: true, Admit: func(context.Context, string) error {
				if failing--; failing >= 0 {
					return &gitrepo.Error{Kind: gitrepo.Network, Op: "reach the remote"}
				}
				return nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			options.LocalGit, options.Chance = git, func() float64 { return 0.5 }
			options.Wait = func(_ context.Context, d time.Duration) error { pauses = append(pauses, d); return nil }
		})
		id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"stop_at": "PLAN_READY"}))
		s := b.work(id)
		if want := []time.Duration{time.Second, 2 * time.Second}; !slices.Equal(pauses, want) {
			t.Errorf("pauses %v, want %v", pauses, want)
		}
		if tc.failing == 2 {
			if s.State != state.PlanReady {
				t.Errorf("the run is %s, failure %+v", s.State, s.Failure)
			}
			continue
		}
		if s.State != state.Failed || s.Failure.ErrorCode != "REPO_SCOUT_CLONE_FAILED" || !s.Failure.Resumable {
			t.Fatalf("the run is %s, failure %+v", s.State, s.Failure)
		}
		failing = 0
		if s := b.resume(id, ""); s.State != state.PlanReady {
			t.Errorf("the resumed run is %s, failure %+v", s.State, s.Failure)
		}
	}
}

// 5.1: a run that has used up its time fails; one that is resumed gets it anew.
func TestRuntimeBudget(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	slow := func() time.Time { return noon.Add(time.Duration(asked.Add(1)) * time.Minute) }
	b := newBench(t, t.TempDir(), slow)
	id := b.start(settings("sparse", product(t, "sparse"), map[string]any{"budgets": map[string]any{"max_runtime_s": 60}, "stop_at": "PLAN_READY"}))
	s := b.work(id)
	if s.State != state.Failed || s.Failure.ErrorCode != pipeline.CodeRuntime || !s.Failure.Resumable {
		t.Fatalf("the run is %s, failure %+v", s.State, s.Failure)
	}
	stable := s.StableState
	if s = b.resume(id, ""); !stable.Before(s.StableState) {
		t.Errorf("the resumed run got no further than %s", s.StableState)
	}
}

// 6.6: drafts that the reviewer rejects stop a run in prod, once: whoever resumes
// it has seen them.
func TestReviewRequired(t *testing.T) {
	t.Parallel()
	paragraph := strings.Repeat("word and again ", 60) + "end.\n"
	b := newBench(t, t.TempDir(), nil, adding(t, "kb/faq.md", "\n## More\n\n"+strings.Repeat(paragraph+"\n", 9)))
	url := product(t, "sparse")
	sha := headOf(t, url)
	id := b.start(settings("sparse", url, map[string]any{
		"validation_profile": "prod", "github_ref": sha, "stop_at": "DRAFT_READY", "budgets": map[string]any{"max_runtime_s": 600},
	}))
	s := b.work(id)
	if s.State != state.DraftReady || s.PauseReason != snapshot.ReviewRequired {
		t.Fatalf("the run is %s (%s), failure %+v; %v", s.State, s.PauseReason, s.Failure, b.file(id, "artifacts/review_report.json"))
	}
	if s = b.resume(id, "next_stable"); s.PauseReason == snapshot.ReviewRequired {
		t.Error("the run was stopped twice")
	}
}

// 5.9: a stage that does not come to an end is ended, here by what is left of the
// run's time.
func TestTimeUp(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil, func(options *pipeline.Options) {
		git, err := gitrepo.New(t.Context(), gitrepo.Options{AllowLocal: true, Admit: func(ctx context.Context, _ string) error {
			<-ctx.Done()
			return ctx.Err()
		}})
		if err != nil {
			t.Fatal(err)
		}
		options.LocalGit = git
	})
	s := b.work(b.start(settings("sparse", product(t, "sparse"), map[string]any{"budgets": map[string]any{"max_runtime_s": 1}})))
	if s.State != state.Failed || s.Failure.ErrorCode != pipeline.CodeRuntime || s.Failure.Stage != "W1" || !s.Failure.Resumable {
		t.Errorf("the run is %s, failure %+v", s.State, s.Failure)
	}
}
