package pipeline_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/state"
)

// The child process of TestKilled learns from these what to do.
const (
	childFolder = "PIPELINE_TEST_FOLDER"
	childRun    = "PIPELINE_TEST_RUN"
	childEnd    = "PIPELINE_TEST_END"
	childWay    = "PIPELINE_TEST_WAY"
	// kills is how often a run is killed; R-3 wants 200.
	kills = "PIPELINE_TEST_KILLS"
)

// deadly is a clock that kills its process when it is asked for the time the nth
// time. Every event, every lease and every gate asks, so that death comes between
// any two of them.
func deadly(n int64, asked *atomic.Int64) func() time.Time {
	return func() time.Time {
		if asked.Add(1) == n {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			panic(fmt.Sprint("still alive: ", err))
		}
		return time.Now()
	}
}

// TestChild executes a run until it is killed. It only works for TestKilled.
func TestChild(t *testing.T) {
	id := os.Getenv(childRun)
	if id == "" {
		t.Skip("it is the child of another test")
	}
	end, err := strconv.ParseInt(os.Getenv(childEnd), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, os.Getenv(childFolder), deadly(end, new(atomic.Int64)), templatesOf(t, os.Getenv(childWay)))
	if s := b.work(id); s.State != state.Done {
		t.Errorf("the run is %s", s.State)
	}
}

// The ways that a run can go.
const (
	straight = "straight"
	fixing   = "fixing"     // its templates need a fix
	planning = "replanning" // its templates change after it was drafted
)

// templatesOf are those that a run is executed with.
func templatesOf(t *testing.T, way string) func(*pipeline.Options) {
	switch way {
	case fixing:
		return adding(t, "kb/faq.md", "\n## More\n\nSee [the rest](/kb/nowhere/).\n")
	case planning:
		return adding(t, "kb/faq.md", "\n## More\n\nThere is more to say.\n")
	}
	return func(*pipeline.Options) {}
}

// waiting makes a run that is to go a way to its end, and waits to be executed.
func (b *bench) waiting(told map[string]any, way string) string {
	b.t.Helper()
	if way != planning {
		return b.start(told)
	}
	first := newBench(b.t, b.folder, nil)
	told = maps.Clone(told)
	told["stop_at"] = "DRAFT_READY"
	id := first.start(told)
	first.work(id)
	_, err := b.store.Resume(b.t.Context(), id, holder, run.Resuming{Until: "DONE", Stages: b.pipeline.Stages(), Enqueue: enqueueNothing})
	if err != nil {
		b.t.Fatal(err)
	}
	return id
}

// R-3, S-10, 5.7: a run that is killed anywhere and resumed ends as if nothing had
// happened: with the same files, one branch, one pull request and a whole log.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, way := range []string{straight, fixing, planning} {
		url := product(t, "sparse")
		told := settings("sparse", url, map[string]any{"stop_at": "DONE"})
		var asked atomic.Int64
		whole := newBench(t, t.TempDir(), deadly(0, &asked), templatesOf(t, way))
		id := whole.waiting(told, way)
		asked.Store(0)
		s := whole.work(id)
		if s.State != state.Done || (way == fixing) != (s.FixAttempts > 0) || (way == planning) != strings.Contains(whole.states(id), "FIXING FACTS_READY") {
			t.Fatalf("the run is %s after %d fixes, failure %+v", s.State, s.FixAttempts, s.Failure)
		}
		want := whole.determined(id)
		times, _ := strconv.Atoi(os.Getenv(kills))
		chance, died := rand.New(rand.NewPCG(1, 2)), 0
		for range max(times, 5) {
			end := 8 + chance.Int64N(asked.Load()-8) // the child opens the store first
			t.Run(fmt.Sprint(way, end), func(t *testing.T) {
				if killAndResume(t, told, end, way, want) {
					died++
				}
			})
		}
		if died == 0 {
			t.Error("no run was killed")
		}
	}
}

// killAndResume says whether the run was killed before it had ended.
func killAndResume(t *testing.T, told map[string]any, end int64, way string, want map[string]string) (killed bool) {
	folder := t.TempDir()
	b := newBench(t, folder, nil, templatesOf(t, way))
	id := b.waiting(told, way)
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$")
	child.Env = append(os.Environ(), childFolder+"="+folder, childRun+"="+id, childEnd+"="+strconv.FormatInt(end, 10), childWay+"="+way)
	out, err := child.CombinedOutput()
	if child.ProcessState == nil || child.ProcessState.ExitCode() > 0 {
		t.Fatalf("the child failed by itself: %v\n%s", err, out)
	}
	s, err := b.store.Status(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if killed = s.State != state.Done; killed {
		s = b.resume(id, "DONE")
	}
	if s.State != state.Done {
		t.Fatalf("the run is %s, failure %+v", s.State, s.Failure)
	}
	if diff := cmp.Diff(want, b.determined(id)); diff != "" {
		t.Error(diff)
	}
	b.expectPublished(id)
	expectTidy(t, folder)
	reader, err := b.store.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	defer func(r *run.Run) { r.Close() }(reader)
	if err := reader.Broken(); err != nil {
		t.Error(err)
	}
	return killed
}

// rubbish are names of what is only there while it is being made.
var rubbish = regexp.MustCompile(`/(?:\.tmp-|\.launch-|launch-index-|tmp_obj_|tmp_pack|tmp_idx)[^/]*$|\.new(?:-[^/]*)?$|\.git/.*\.lock$|/work/[^/]*\.[^/]*$|/runs/\.[^/]*$`)

// expectTidy demands that nothing is left of what was interrupted.
func expectTidy(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		if name = filepath.ToSlash(strings.TrimPrefix(name, folder)); rubbish.MatchString(name) {
			t.Errorf("%s was left behind", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
