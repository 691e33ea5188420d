package operate_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/operate"
)

// card is a taskcard that allows the pages of sparse in two sections.
func card(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "taskcard", "testdata", "TC-12_cells_docs.md"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("cells", "sparse", "depends_on: [TC-3]", "depends_on: []").Replace(string(text))
}

// 13: a run writes only what its card allows as well; and the log says which card
// that is.
func TestCardNarrowsRun(t *testing.T) {
	y := newYard(t)
	fixtures.Write(t, filepath.Join(y.dir, "yard", "taskcards"), map[string]string{"TC-12.md": card(t)})
	l, end := y.work()
	defer end()
	id := y.run(l, map[string]any{"taskcard_id": "TC-12", "allowed_paths": []string{"content/"}, "allow_manual_edits": true})
	if status, err := l.Status(t.Context(), id); err != nil || status.State != "READY_FOR_PR" {
		t.Fatalf("the run is %s, %+v: %v", status.State, status.Failure, err)
	}
	folder := filepath.Join(y.dir, "yard", "runs", id)
	log, err := os.ReadFile(filepath.Join(folder, "events.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	if want := `"allowed_paths":["content/docs/sparse/","content/kb/sparse/"],"status":"In-Progress","taskcard_id":"TC-12"`; strings.Count(string(log), "TASKCARD_VALIDATED") != 1 ||
		!strings.Contains(string(log), want) {
		t.Errorf("the log does not name the card: %s", log)
	}
	fixtures.Write(t, filepath.Join(folder, "work", "site", "content", "docs"), map[string]string{"other.md": "---\ntitle: Other\n---\n"})
	validation, err := l.Validate(t.Context(), operate.Caller{}, id, []string{"write_scope"})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, i := range validation.Report.Issues {
		found = append(found, i.Code+" "+i.Location.Path)
	}
	if !slices.Equal(found, []string{"GATE_WRITE_SCOPE_PATH content/docs/other.md"}) {
		t.Errorf("the gate has found %q", found)
	}
}

// 13, 18.18: a card that is not there, not valid or not active, or that leaves
// nothing to do, authorises no run.
func TestCardsThatAuthoriseNothing(t *testing.T) {
	y := newYard(t)
	l := y.open()
	defer y.close(l)
	for want, text := range map[string]string{
		"is not valid":      "---\nid: TC-12\nstatus: Done\n---\n",
		"is not active":     strings.Replace(card(t), "status: In-Progress", "status: Draft", 1),
		"together allow":    strings.ReplaceAll(card(t), "content/kb/sparse/", "content/blog/sparse/"),
		"is no such thing":  "",
		"allows nothing of": strings.ReplaceAll(strings.ReplaceAll(card(t), "content/kb/sparse", "content/blog/sparse"), "content/docs/sparse", "content/blog/other"),
		"allows too much":   strings.ReplaceAll(card(t), "content/kb/sparse/", "content/**"),
	} {
		folder := filepath.Join(y.dir, "yard", "taskcards")
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		if text == "" {
			want = "there is no taskcard"
		} else {
			fixtures.Write(t, folder, map[string]string{"TC-12.md": text})
		}
		more := map[string]any{
			"product_slug": "sparse", "family": "sparse", "required_sections": []string{"docs", "kb"}, "allowed_paths": []string{"content/docs/sparse/", "content/kb/sparse/"},
			"taskcard_id": "TC-12",
		}
		paths, refused := refusal(t, l, configWith(t, y.repo, more))
		if !slices.Equal(paths, []string{"/taskcard_id"}) || !strings.Contains(refused.Error(), want) {
			t.Errorf("want %q: %v", want, refused)
		}
	}
}

// 18.1: cards may allow whole trees where the profile says so.
func TestBroadPaths(t *testing.T) {
	y := newYard(t)
	profile := filepath.Join(y.dir, "profiles", "default.yaml")
	text, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	fixtures.Write(t, filepath.Dir(profile), map[string]string{"default.yaml": strings.Replace(string(text), "broad_paths: false", "broad_paths: true", 1)})
	fixtures.Write(t, filepath.Join(y.dir, "yard", "taskcards"), map[string]string{"TC-12.md": strings.ReplaceAll(card(t), "content/kb/sparse/", "content/**")})
	l, end := y.work()
	defer end()
	id := y.run(l, map[string]any{"taskcard_id": "TC-12"})
	if status, err := l.Status(t.Context(), id); err != nil || status.State != "READY_FOR_PR" {
		t.Errorf("the run is %s, %+v: %v", status.State, status.Failure, err)
	}
}
