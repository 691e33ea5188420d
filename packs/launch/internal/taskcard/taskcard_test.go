package taskcard_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/taskcard"
)

const fileName = "TC-12_cells_docs.md"

func validCard(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", fileName))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func rules() taskcard.Rules {
	return taskcard.Rules{FileName: fileName, Others: map[string]taskcard.Card{
		"TC-3": {ID: "TC-3", DependsOn: []string{"TC-4"}}, "TC-4": {ID: "TC-4"}, "TC-12": {ID: "TC-12"}, "TC-7": {ID: "TC-7", DependsOn: []string{"TC-8"}},
		"TC-8": {ID: "TC-8", DependsOn: []string{"TC-12", "TC-7"}},
	}, Evidence: func(path string) (int64, error) {
		return map[string]int64{"reports/tc-12.md": 100, "reports/short.md": 99}[path], map[bool]error{true: os.ErrNotExist}[path == "reports/absent.md"]
	}}
}

// one valid card.
func TestValidCard(t *testing.T) {
	got := taskcard.Validate([]byte(validCard(t)), rules())
	want := taskcard.Report{Card: taskcard.Card{
		ID: "TC-12", Title: "Launch the docs of cells", Status: "In-Progress", Owner: "docs-team", Updated: "2026-01-31", DependsOn: []string{"TC-3"},
		AllowedPaths: []string{"content/docs/cells/**", "content/kb/cells/"}, EvidenceRequired: []string{"reports/tc-12.md"}, SpecRef: "0123abc",
		RulesetVersion: "ruleset.v1", TemplatesVersion: "templates.v1", Tags: []string{"docs", "cells"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !got.Valid() || !got.Card.Active() {
		t.Error("the card is not valid or not active")
	}
	for name, variant := range map[string]string{
		"CRLF": strings.ReplaceAll(validCard(t), "\n", "\r\n"), "mark": "\ufeff" + validCard(t), "done": strings.Replace(validCard(t), "In-Progress", "Done", 1),
	} {
		if report := taskcard.Validate([]byte(variant), rules()); !report.Valid() {
			t.Errorf("%s: %v", name, report.Errors)
		}
	}
}

// failing cards for each code, with the line where one can be named.
func TestInvalidCards(t *testing.T) {
	for _, tc := range []struct {
		old, new string // "" for old: all of it
		code     string
		line     int
	}{
		{"---\nid", "id", taskcard.ParseFailed, 1},
		{"---\n# Launch", "# Launch", taskcard.ParseFailed, 1},
		{"id: TC-12", "id: [", taskcard.ParseFailed, 3},
		{"owner: docs-team", "owner: \xff", taskcard.ParseFailed, 5},
		{"owner: docs-team", "owner: a\nowner: b", taskcard.ParseFailed, 6},
		{"", "---\n- a\n---\n", taskcard.ParseFailed, 1},
		{"", strings.Repeat("x", taskcard.MaxBytes+1), taskcard.ParseFailed, 0},
		{"owner: docs-team\n", "", taskcard.MissingKey, 0},
		{"owner: docs-team\n", "owner:\n", taskcard.MissingKey, 5},
		{"evidence_required:\n  - reports/tc-12.md\n", "", taskcard.MissingKey, 0},
		{"spec_ref: 0123abc\n", "", taskcard.MissingVersionLock, 0},
		{"ruleset_version: ruleset.v1\n", "ruleset_version: ''\n", taskcard.MissingVersionLock, 14},
		{"status: In-Progress", "status: Finished", taskcard.BadValue, 4},
		{"updated: 2026-01-31", "updated: 2026-02-31", taskcard.BadValue, 6},
		{"spec_ref: 0123abc", "spec_ref: HEAD", taskcard.BadValue, 13},
		{"title: Launch the docs of cells", "title: {a: b}", taskcard.BadValue, 3},
		{"title: Launch the docs of cells", "title: [a]", taskcard.BadValue, 3},
		{"depends_on: [TC-3]", "depends_on: TC-3", taskcard.BadValue, 7},
		{"depends_on: [TC-3]", "depends_on: [three]", taskcard.BadValue, 7},
		{"depends_on: [TC-3]", "depends_on: [TC-12]", taskcard.BadValue, 7},
		{"depends_on: [TC-3]", "depends_on: [TC-7]", taskcard.BadValue, 7},
		{"evidence_required:\n  - reports/tc-12.md", "evidence_required: []", taskcard.BadValue, 11},
		{"  - reports/tc-12.md", "  - ../secret", taskcard.BadValue, 12},
		{"  - content/kb/cells/", "  - /content/kb/cells/", taskcard.BadValue, 10},
		{"Upstream", "Before it", taskcard.BadValue, 77},
		{"id: TC-12", "id: TC-13", taskcard.IDMismatch, 2},
		{"## Inputs", "## Input", taskcard.SectionMissing, 0},
		{"## Inputs", "```\n## Inputs\n```", taskcard.SectionMissing, 0},
		{"### Out of scope", "Out of scope", taskcard.SectionMissing, 26},
		{"- content/kb/cells/\n\n##", "\n##", taskcard.PathsMismatch, 38},
		{"- content/kb/cells/\n\n##", "- content/kb/cells/\n- content/blog/\n\n##", taskcard.PathsMismatch, 41},
		{"  - content/kb/cells/", "  - content/**", taskcard.PathTooBroad, 10},
		{"  - content/kb/cells/", "  - '**'", taskcard.PathTooBroad, 10},
		{"  - content/kb/cells/", "  - src/", taskcard.PathTooBroad, 10},
		{"### The site moved", "The site moved", taskcard.TooFewItems, 45},
		{"6. Budgets", "Budgets", taskcard.TooFewItems, 53},
		{"The artifact", "Then run E2E: the artifact", taskcard.VagueE2E, 75},
		{"foss-launcher-mcp validate", "# TODO", taskcard.VagueE2E, 73},
		{"```sh\nfoss-launcher-mcp validate\n```", "", taskcard.VagueE2E, 71},
		{"The artifact", "The file", taskcard.VagueE2E, 71},
		{"depends_on: [TC-3]", "depends_on: [TC-99]", taskcard.DependencyUnknown, 7},
	} {
		text := strings.Replace(validCard(t), tc.old, tc.new, 1)
		if tc.old == "" {
			text = tc.new
		}
		wantProblem(t, tc.old+" → "+tc.new, taskcard.Validate([]byte(text), rules()), tc.code, tc.line)
	}
}

// R-17, 13: a card that says it is done has to prove it.
func TestEvidence(t *testing.T) {
	done := strings.Replace(validCard(t), "In-Progress", "Done", 1)
	for _, tc := range []struct {
		old, new string
		line     int
	}{
		{"  - reports/tc-12.md", "  - reports/absent.md", 12},
		{"  - reports/tc-12.md", "  - reports/short.md", 12},
		{"- [x] The branch exists", "- [ ] The branch exists", 66},
		{"- [x] The branch exists", "- [x] The branch exists (pending)", 66},
		{"- [x] All gates pass\n- [x] The branch exists", "All good", 64},
	} {
		text := []byte(strings.Replace(done, tc.old, tc.new, 1))
		wantProblem(t, tc.new, taskcard.Validate(text, rules()), taskcard.EvidenceMissing, tc.line)
		unchecked := rules()
		unchecked.Evidence = nil
		if report := taskcard.Validate(text, unchecked); !report.Valid() {
			t.Errorf("%s, unchecked: %v", tc.new, report.Errors)
		}
	}
}

func wantProblem(t *testing.T, what string, report taskcard.Report, code string, line int) {
	t.Helper()
	for _, problem := range report.Errors {
		if problem.Code == code && problem.Line == line && problem.Message != "" {
			return
		}
	}
	t.Errorf("%s: no %s in line %d among %+v", what, code, line, report.Errors)
}

// All errors are returned, not only the first.
func TestAllErrors(t *testing.T) {
	report := taskcard.Validate([]byte("---\nid: x\n---\n"), taskcard.Rules{})
	counts := map[string]int{}
	for _, problem := range report.Errors {
		counts[problem.Code]++
	}
	want := map[string]int{taskcard.BadValue: 1, taskcard.MissingKey: 7, taskcard.MissingVersionLock: 3, taskcard.SectionMissing: 14}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Error(diff)
	}
}

func TestWarnings(t *testing.T) {
	text := strings.Replace(validCard(t), "owner:", "colour: red\nowner:", 1) + "\n## Inputs\nAgain.\n"
	text = strings.Replace(text, "Publish the pages.", "", 1)
	report := taskcard.Validate([]byte(text), rules())
	var codes []string
	for _, warning := range report.Warnings {
		codes = append(codes, warning.Code)
	}
	if diff := cmp.Diff([]string{taskcard.UnknownKey, taskcard.EmptySection, taskcard.DuplicateSection}, codes); diff != "" || !report.Valid() {
		t.Error(diff, report.Errors)
	}
}

func TestBroadPaths(t *testing.T) {
	text := strings.ReplaceAll(validCard(t), "content/kb/cells/", "content/**")
	if report := taskcard.Validate([]byte(text), rules()); report.Valid() {
		t.Error("content/** is let through")
	}
	broad := rules()
	broad.BroadPaths = true
	if report := taskcard.Validate([]byte(text), broad); !report.Valid() {
		t.Error(report.Errors)
	}
}

// 13: listing, also of what cannot be read; 18.18: unknown ids.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	card := validCard(t)
	other := strings.NewReplacer("TC-12", "TC-3", "In-Progress", "Draft", "depends_on: [TC-3]", "depends_on: []", "tags: [docs, cells]", "tags: []").Replace(card)
	outside := filepath.Join(t.TempDir(), "outside.md")
	for name, text := range map[string]string{
		filepath.Join(dir, fileName): card, filepath.Join(dir, "TC-3.md"): other, filepath.Join(dir, "TC-100.md"): "broken", filepath.Join(dir, "README.md"): "no card",
		outside: card,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink(outside, filepath.Join(dir, "TC-5.md")), os.Mkdir(filepath.Join(dir, "TC-6.md"), 0o700)); err != nil {
		t.Fatal(err)
	}
	folder := taskcard.Folder{Dir: dir}
	list := func(filter taskcard.Filter) (found string) {
		entries, err := folder.List(filter)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			found += entry.ID + map[bool]string{true: "+", false: "-"}[entry.Valid] + " "
		}
		return found
	}
	yes, no := true, false
	for _, tc := range []struct {
		filter taskcard.Filter
		want   string
	}{
		{taskcard.Filter{}, "TC-3+ TC-5- TC-6- TC-12+ TC-100- "}, {taskcard.Filter{Status: "Draft"}, "TC-3+ "}, {taskcard.Filter{Tag: "cells"}, "TC-12+ "},
		{taskcard.Filter{Active: &yes}, "TC-12+ "}, {taskcard.Filter{Active: &no}, "TC-3+ TC-5- TC-6- TC-100- "},
	} {
		if got := list(tc.filter); got != tc.want {
			t.Errorf("List(%+v) = %s, want %s", tc.filter, got, tc.want)
		}
	}
	if report, err := folder.Get("TC-12", false); err != nil || !report.Valid() {
		t.Errorf("Get: %v, %v", report.Errors, err)
	}
	if report, err := folder.GetFile("TC-100.md", false); err != nil || report.Valid() {
		t.Errorf("GetFile: %v, %v", report.Errors, err)
	}
	for _, name := range []string{"../outside.md", "TC-5.md/../TC-3.md", "/etc/passwd", "TC-9.md"} {
		if _, err := folder.GetFile(name, false); !errors.Is(err, taskcard.ErrUnknown) {
			t.Errorf("GetFile(%q): %v", name, err)
		}
	}
	if _, err := folder.Get("TC-9", false); !errors.Is(err, taskcard.ErrUnknown) {
		t.Errorf("Get: %v", err)
	}
	if report, err := folder.GetText([]byte(strings.Replace(card, "[TC-3]", "[TC-77]", 1)), false); err != nil || report.Valid() {
		t.Errorf("GetText: %v, %v", report.Errors, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "TC-3_twin.md"), []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := list(taskcard.Filter{Status: "Draft"}); got != "TC-3- TC-3- " {
		t.Errorf("twins: %s", got)
	}
	if entries, err := (taskcard.Folder{Dir: filepath.Join(dir, "absent")}).List(taskcard.Filter{}); err != nil || len(entries) != 0 {
		t.Errorf("absent folder: %v, %v", entries, err)
	}
}

// Evidence is looked for below its folder and nowhere else.
func TestFolderEvidence(t *testing.T) {
	dir := t.TempDir()
	card := strings.NewReplacer("In-Progress", "Done", "depends_on: [TC-3]", "depends_on: []").Replace(validCard(t))
	if err := errors.Join(os.WriteFile(filepath.Join(dir, fileName), []byte(card), 0o600), os.Mkdir(filepath.Join(dir, "reports"), 0o700)); err != nil {
		t.Fatal(err)
	}
	folder := taskcard.Folder{Dir: dir}
	report, err := folder.Get("TC-12", true)
	if err != nil {
		t.Fatal(err)
	}
	wantProblem(t, "no evidence", report, taskcard.EvidenceMissing, 12)
	if err := os.WriteFile(filepath.Join(dir, "reports", "tc-12.md"), make([]byte, 100), 0o600); err != nil {
		t.Fatal(err)
	}
	if report, err := folder.Get("TC-12", true); err != nil || !report.Valid() {
		t.Errorf("Get: %v, %v", report.Errors, err)
	}
}

func FuzzValidate(f *testing.F) {
	f.Add([]byte(validCard(f)))
	f.Add([]byte("---\na: &a [*a]\n---\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		report := taskcard.Validate(text, rules())
		for _, problem := range append(report.Errors, report.Warnings...) {
			if problem.Line < 0 || problem.Line > strings.Count(string(text), "\n")+2 {
				t.Errorf("%+v is in no line of the card", problem)
			}
		}
	})
}
