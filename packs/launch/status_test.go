package launch_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch"
	"mcpworks/packs/launch/internal/fixtures"

	"github.com/google/go-cmp/cmp"
)

// work opens a launcher with the real pipeline on the data directory, and
// executes runs until the test ends.
func (w workplace) work(t *testing.T) *house {
	t.Helper()
	l, err := launch.New(t.Context(), launch.Config{DataDir: w.data, ProfilesDir: w.profiles, CallsPerMinute: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- l.Work(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return &house{Launcher: l, dir: w.data, places: []string{w.data}}
}

// S-6, S-7, S-17: how a finished run is, at the top of the answer, and its files
// with the hashes that they really have. Who asks again is told the same.
func TestS6Status(t *testing.T) {
	w := newWorkplace(t, fixtures.Sparse())
	s := w.work(t).open(t)
	run := s.startRun(w.config(nil))
	if state := s.rest(run); state != "READY_FOR_PR" {
		t.Fatalf("the run rests in %s", state)
	}
	var status struct {
		State     string
		Sections  map[string]string          `json:"section_states"`
		Issues    []json.RawMessage          `json:"open_issues"`
		Status    map[string]json.RawMessage `json:"status"`
		Artifacts []struct{ Name, SHA256 string }
	}
	text := s.call("launch_get_status", `{"run_id":"`+run+`"}`).structured(t, &status)
	want := map[string]string{"products": "DONE", "docs": "DONE", "reference": "DONE", "kb": "DONE", "blog": "DONE"}
	if diff := cmp.Diff(want, status.Sections); diff != "" || status.State != "READY_FOR_PR" || status.Issues == nil || len(status.Artifacts) < 10 {
		t.Errorf("%s\n%s", text, diff)
	}
	var flat map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &flat); err != nil {
		t.Fatal(err)
	}
	for name, member := range status.Status { // C-2
		if string(flat[name]) != string(member) {
			t.Errorf("%s is %s, and %s under status", name, flat[name], member)
		}
	}
	for _, listed := range status.Artifacts {
		arguments := `{"run_id":"` + run + `","artifact_name":"` + listed.Name + `"}`
		var got struct {
			Content, SHA256 string
			ContentType     string `json:"content_type"`
		}
		first := s.call("launch_get_artifact", arguments).structured(t, &got)
		file := fileNamed(t, filepath.Join(w.data, "runs", run), listed.Name)
		sum := sha256.Sum256(file)
		if got.Content != string(file) || got.SHA256 != hex.EncodeToString(sum[:]) || got.SHA256 != listed.SHA256 || got.ContentType == "" {
			t.Errorf("S-7: %s has %d bytes, type %q, sha256 %s", listed.Name, len(got.Content), got.ContentType, got.SHA256)
		}
		if again := s.call("launch_get_artifact", arguments).structured(t, nil); again != first {
			t.Errorf("S-17: %s is another the second time", listed.Name)
		}
	}
	for _, tool := range []string{"launch_get_status", "list_runs"} {
		arguments := map[string]string{"launch_get_status": `{"run_id":"` + run + `"}`, "list_runs": "{}"}[tool]
		if first, again := s.call(tool, arguments).structured(t, nil), s.call(tool, arguments).structured(t, nil); first != again {
			t.Errorf("S-17: %s answers %s and then %s", tool, first, again)
		}
	}
}

// fileNamed is the content of the one file below a folder that an artifact's
// name can mean.
func fileNamed(t *testing.T, folder, name string) []byte {
	t.Helper()
	for _, candidate := range []string{filepath.Join(folder, "artifacts", name), filepath.Join(folder, name)} {
		content, err := os.ReadFile(candidate)
		if err == nil {
			return content
		}
		if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	t.Errorf("there is no file for %s", name)
	return nil
}

// S-13: all runs, and those that a filter names.
func TestS13Lists(t *testing.T) {
	h := newHouse(t, launch.Config{}, nil, false)
	s := h.open(t)
	ids := map[string]string{}
	for _, slug := range []string{"acme", "bolt"} {
		ids[slug] = s.startRun(runConfig(map[string]any{"product_slug": slug, "family": slug, "allowed_paths": []string{"content/docs/" + slug + "/en/python/"}}))
	}
	s.call("cancel_run", `{"run_id":"`+ids["bolt"]+`"}`).structured(t, nil)
	for filter, want := range map[string][]string{
		"": {"acme", "bolt"}, `{}`: {"acme", "bolt"},
		`{"product_slug":"acme"}`: {"acme"}, `{"family":"bolt"}`: {"bolt"}, `{"platform":"python"}`: {"acme", "bolt"}, `{"platform":"go"}`: {},
		`{"state":"CREATED"}`: {"acme"}, `{"state":["CANCELLED","DONE"]}`: {"bolt"}, `{"state":"CREATED","family":"bolt"}`: {},
		`{"started_before":"2001-01-01T00:00:00Z"}`: {}, `{"started_after":"2001-01-01T00:00:00Z"}`: {"acme", "bolt"},
	} {
		arguments := "{}"
		if filter != "" {
			arguments = `{"filter":` + filter + `}`
		}
		var list struct {
			Runs []struct {
				RunID   string `json:"run_id"`
				Product string `json:"product_slug"`
				State   string
				Started string `json:"started_at"`
			}
		}
		s.call("launch_list_runs", arguments).structured(t, &list)
		got := []string{}
		for _, row := range list.Runs {
			got = append(got, row.Product)
			if row.RunID != ids[row.Product] || row.State == "" || row.Started == "" {
				t.Errorf("%s: %+v", arguments, row)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" || list.Runs == nil {
			t.Errorf("%s (-want +got):\n%s", arguments, diff)
		}
	}
}

// S-8, S-9, 18.8: a person breaks a link; validation finds it, one call of
// launch_fix_next puts it right with patches that it names, and the run is ready
// again.
func TestS9BrokenLink(t *testing.T) {
	w := newWorkplace(t, fixtures.Sparse())
	s := w.work(t).open(t)
	run := s.startRun(w.config(map[string]any{"allow_manual_edits": true, "fix_mode": "manual"}))
	if state := s.rest(run); state != "READY_FOR_PR" {
		t.Fatalf("the run rests in %s", state)
	}
	page := filepath.Join(w.data, "runs", run, "work", "site", "content", "kb", "acme", "en", "python", "faq.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, append(text, "\nSee [the rest](/kb/acme/nowhere/).\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	type issue struct {
		ID   string `json:"issue_id"`
		Gate string
	}
	var validated struct {
		State  string
		Report struct {
			OK     bool
			Issues []issue
		} `json:"validation_report"`
	}
	answer := s.call("launch_validate", `{"run_id":"`+run+`"}`).structured(t, &validated)
	broken := slices.IndexFunc(validated.Report.Issues, func(i issue) bool { return i.Gate == "internal_links" })
	if validated.Report.OK || validated.State != "VALIDATING" || broken < 0 {
		t.Fatalf("S-8: %s", answer)
	}
	var fixed struct {
		Issue     string   `json:"fixed_issue_id"`
		Patches   []string `json:"applied_patch_ids"`
		Remaining []issue  `json:"remaining_issues"`
		State     string
	}
	answer = s.call("launch_fix_next", `{"run_id":"`+run+`"}`).structured(t, &fixed)
	id := validated.Report.Issues[broken].ID
	if id == "" || fixed.Issue != id || len(fixed.Patches) == 0 || fixed.Remaining == nil || fixed.State != "READY_FOR_PR" || strings.Contains(fmt.Sprint(fixed.Remaining), id) {
		t.Errorf("%s", answer)
	}
	if text, err = os.ReadFile(page); err != nil || strings.Contains(string(text), "nowhere") {
		t.Errorf("the page still leads nowhere: %v", err)
	}
}
