package patch

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fence"
)

// A memory is a site of a test. It fails the test if it is asked for a file that
// the fence does not allow.
type memory struct {
	t     fataler
	fence *fence.Fence
	files map[string]string
	full  string // a path that cannot be written
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func newMemory(t fataler, files map[string]string) *memory {
	f, err := fence.New([]string{"content/"})
	if err != nil {
		t.Fatalf("%v", err)
	}
	m := &memory{t: t, fence: f, files: map[string]string{}}
	maps.Copy(m.files, files)
	return m
}

func (m *memory) Decide(name string) error { return m.fence.Decide(nil, name) }

func (m *memory) inside(name string) {
	m.t.Helper()
	if err := m.Decide(name); err != nil {
		m.t.Fatalf("opened: %v", err)
	}
}

func (m *memory) Read(name string, limit int64) ([]byte, error) {
	m.inside(name)
	text, exists := m.files[name]
	if !exists {
		return nil, fs.ErrNotExist
	}
	return []byte(text[:min(len(text), int(limit)+1)]), nil
}

func (m *memory) Names(dir string) ([]string, error) {
	if !m.fence.Reaches(dir) {
		m.t.Fatalf("listed: %s", dir)
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		if path.Dir(name) == dir {
			names = append(names, path.Base(name))
		}
	}
	return names, nil
}

func (m *memory) Write(name string, content []byte) error {
	m.inside(name)
	if name == m.full {
		return errors.New("no space left on device")
	}
	m.files[name] = string(content)
	return nil
}

func (m *memory) Remove(name string) error {
	m.inside(name)
	delete(m.files, name)
	return nil
}

func text(s string) *string { return &s }

const someSHA = "0123456789012345678901234567890123456789"

// bundleOf numbers patches without sealing them, so that each has to know by
// itself whether it was applied.
func bundleOf(t fataler, patches ...artifact.Patch) artifact.PatchBundle {
	for i := range patches {
		if patches[i].Origin == "" {
			patches[i].Origin = OriginDraft
		}
		if patches[i].Path == "" {
			patches[i].Path = "content/a.md"
		}
	}
	if err := Number(patches); err != nil {
		t.Fatalf("%v", err)
	}
	return artifact.PatchBundle{SchemaVersion: artifact.Version, BaseSHA: someSHA, Patches: patches}
}

const page = "---\ntitle: A # here\n---\n\n# A\n\nIntro.\n\n## Usage\n\nText.\n\n```\n## Notes\n```\n\n### Detail\n\nMore.\n\n## Notes\n\n- one\n\n## Last\n\nEnd.\n"

// 9.3, R-12: what each type does, and that doing it twice changes nothing.
func TestApply(t *testing.T) {
	usage := strings.Replace(page, "More.\n", "More.\n\nAdded *text*.\n", 1)
	for name, c := range map[string]struct {
		before *string
		patch  artifact.Patch
		want   string
	}{
		"create":                          {nil, artifact.Patch{Type: CreateFile, NewContent: text("x\r\ny")}, "x\ny\n"},
		"create what is there":            {text("x\n"), artifact.Patch{Type: CreateFile, NewContent: text("x\n")}, "x\n"},
		"create over an untouched launch": {text(Stamp("---\ntitle: Old\n---\nOld.\n")), artifact.Patch{Type: CreateFile, NewContent: text("New.\n")}, "New.\n"},
		"anchor":                          {text(page), artifact.Patch{Type: UpdateByAnchor, Anchor: "usage", NewContent: text("\nAdded *text*.\n\n")}, usage},
		"anchor in other words":           {text(strings.Replace(page, "## Usage", "## **Usage**  <!-- x --> {#usage}", 1)), artifact.Patch{Type: UpdateByAnchor, Anchor: "## USAGE", NewContent: text("Added *text*.")}, strings.Replace(usage, "## Usage", "## **Usage**  <!-- x --> {#usage}", 1)},
		"anchor after a fence":            {text(page), artifact.Patch{Type: UpdateByAnchor, Anchor: "Notes", NewContent: text("- two\n")}, strings.Replace(page, "- one\n", "- one\n- two\n", 1)},
		"anchor at the end":               {text(page), artifact.Patch{Type: UpdateByAnchor, Anchor: "Last", NewContent: text("Bye.")}, page + "\nBye.\n"},
		"anchor of setext":                {text("Title\n=====\n\nx\n\nSub\n---\n\ny\n"), artifact.Patch{Type: UpdateByAnchor, Anchor: "sub", NewContent: text("z")}, "Title\n=====\n\nx\n\nSub\n---\n\ny\n\nz\n"},
		"anchor with a heading of its own": {text(page), artifact.Patch{Type: UpdateByAnchor, Anchor: "Usage", NewContent: text("## New\n\nNew text.")},
			strings.Replace(page, "More.\n", "More.\n\n## New\n\nNew text.\n", 1)},
		"anchor whose section has it": {text(page), artifact.Patch{Type: UpdateByAnchor, Anchor: "Usage", NewContent: text("More.")}, page},
		"anchor whose section says nearly the same": {text("## A\n\na b c d e f g h i j k l m n o p q r s t\n"), artifact.Patch{Type: UpdateByAnchor, Anchor: "A", NewContent: text("a b c d e f g h i j k l m n o p q r s t u")},
			"## A\n\na b c d e f g h i j k l m n o p q r s t\n"},
		"keys":              {text(page), artifact.Patch{Type: UpdateKeys, FrontmatterUpdates: map[string]any{"title": "B", "weight": 10}}, strings.Replace(page, "title: A # here\n", "title: B # here\nweight: 10\n", 1)},
		"range":             {text("1\n2\n3\n4\n"), artifact.Patch{Type: UpdateFileRange, StartLine: 2, EndLine: 3, NewContent: text("two\n"), ExpectedBeforeHash: Hash("2\n3\n")}, "1\ntwo\n4\n"},
		"range that goes":   {text("1\n2\n3\n"), artifact.Patch{Type: UpdateFileRange, StartLine: 2, EndLine: 3, NewContent: text("2\n"), ExpectedBeforeHash: Hash("2\n3\n")}, "1\n2\n"},
		"range of no lines": {text("1\n2\n"), artifact.Patch{Type: UpdateFileRange, StartLine: 3, EndLine: 2, NewContent: text("3\n"), ExpectedBeforeHash: Hash("")}, "1\n2\n3\n"},
		"range at the top":  {text("1\n"), artifact.Patch{Type: UpdateFileRange, StartLine: 1, EndLine: 0, NewContent: text("0\n"), ExpectedBeforeHash: Hash("")}, "0\n1\n"},
		"line ends":         {text("\ufeff1\r\n2"), artifact.Patch{Type: UpdateFileRange, StartLine: 1, EndLine: 1, NewContent: text("one"), ExpectedBeforeHash: Hash("1\n")}, "one\r\n2\r\n"},
		"untouched bytes":   {text("\ufeff## A\r\n\r\nx"), artifact.Patch{Type: UpdateByAnchor, Anchor: "a", NewContent: text("x")}, "\ufeff## A\r\n\r\nx"},
	} {
		files := map[string]string{}
		if c.before != nil {
			files["content/a.md"] = *c.before
		}
		site := newMemory(t, files)
		bundle := bundleOf(t, c.patch)
		result, err := Apply(site, bundle, Rules{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, site.files["content/a.md"]); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if skipped := c.before != nil && *c.before == c.want; result.Outcomes[0].Skipped != skipped || (len(result.Changes) == 0) != skipped {
			t.Errorf("%s: %+v", name, result)
		}
		again, err := Apply(site, bundle, Rules{})
		if err != nil || len(again.Changes) > 0 || !again.Outcomes[0].Skipped || again.TreeHash != result.TreeHash {
			t.Errorf("%s: the second time: %+v, %v", name, again, err)
		}
	}
}

// 9.3: a patch that does not fit leaves the tree as it is, and says why.
func TestConflicts(t *testing.T) {
	big := strings.Repeat("x\n", MaxFile/2)
	for name, c := range map[string]struct {
		before *string
		patch  artifact.Patch
		want   string
	}{
		"a file that is there":           {text("y\n"), artifact.Patch{Type: CreateFile, NewContent: text("x\n")}, FileExists},
		"a launch that somebody touched": {text(Stamp("---\ntitle: Old\n---\nOld.\n") + "by hand\n"), artifact.Patch{Type: CreateFile, NewContent: text("x\n")}, FileExists},
		"no file":                        {nil, artifact.Patch{Type: UpdateByAnchor, Anchor: "A", NewContent: text("x")}, FileMissing},
		"no heading":                     {text(page), artifact.Patch{Type: UpdateByAnchor, Anchor: "Nothing", NewContent: text("x")}, AnchorMissing},
		"a heading in a fence":           {text("```\n## A\n```\n"), artifact.Patch{Type: UpdateByAnchor, Anchor: "A", NewContent: text("x")}, AnchorMissing},
		"a heading in front matter":      {text("---\n# A\nb: 1\n---\n"), artifact.Patch{Type: UpdateByAnchor, Anchor: "A", NewContent: text("x")}, AnchorMissing},
		"another hash":                   {text(page), artifact.Patch{Type: UpdateByAnchor, Anchor: "Usage", NewContent: text("x"), ExpectedBeforeHash: Hash("other")}, HashMismatch},
		"a range with other lines":       {text("1\n2\n"), artifact.Patch{Type: UpdateFileRange, StartLine: 1, EndLine: 1, NewContent: text("x\n"), ExpectedBeforeHash: Hash("2\n")}, HashMismatch},
		"a range without a hash":         {text("1\n2\n"), artifact.Patch{Type: UpdateFileRange, StartLine: 1, EndLine: 1, NewContent: text("x\n")}, HashMismatch},
		"a range after the end":          {text("1\n2\n"), artifact.Patch{Type: UpdateFileRange, StartLine: 9, EndLine: 9, NewContent: text("x\n"), ExpectedBeforeHash: Hash("2\n")}, RangeOutside},
		"a range that ends too late":     {text("1\n2\n"), artifact.Patch{Type: UpdateFileRange, StartLine: 2, EndLine: 3, NewContent: text("x\n"), ExpectedBeforeHash: Hash("2\n")}, HashMismatch},
		"line 0":                         {text("1\n"), artifact.Patch{Type: UpdateFileRange, EndLine: 1, NewContent: text("x\n"), ExpectedBeforeHash: Hash("1\n")}, RangeOutside},
		"no front matter":                {text("x\n"), artifact.Patch{Type: UpdateKeys, FrontmatterUpdates: map[string]any{"a": 1}}, FrontmatterBad},
		"front matter that is broken":    {text("---\na: [\n---\n"), artifact.Patch{Type: UpdateKeys, FrontmatterUpdates: map[string]any{"a": 1}}, FrontmatterBad},
		"a delete that is not allowed":   {text("x\n"), artifact.Patch{Type: DeleteFile}, DeleteRefused},
		"binary":                         {text("a\x00b"), artifact.Patch{Type: UpdateByAnchor, Anchor: "A", NewContent: text("x")}, BinaryTarget},
		"binary content":                 {nil, artifact.Patch{Type: CreateFile, NewContent: text("a\x00b")}, BinaryTarget},
		"not UTF-8":                      {text("a\xff"), artifact.Patch{Type: UpdateByAnchor, Anchor: "A", NewContent: text("x")}, EncodingError},
		"a file that is too large":       {text(big + "x"), artifact.Patch{Type: UpdateByAnchor, Anchor: "A", NewContent: text("x")}, TooLarge},
		"a file that becomes too large":  {text("## A\n" + big[:MaxFile-10]), artifact.Patch{Type: UpdateByAnchor, Anchor: "A", NewContent: text("a new line")}, TooLarge},
		"a patch that is too large":      {nil, artifact.Patch{Type: CreateFile, NewContent: text(big[:MaxPatch+1])}, TooLarge},
		"no content":                     {nil, artifact.Patch{Type: CreateFile}, InvalidPatch},
		"no type":                        {nil, artifact.Patch{Type: "rename_file", NewContent: text("x")}, InvalidPatch},
	} {
		files := map[string]string{"content/other.md": "o\n"}
		if c.before != nil {
			files["content/a.md"] = *c.before
		}
		site := newMemory(t, files)
		bundle := bundleOf(t, artifact.Patch{Type: CreateFile, Path: "content/new.md", NewContent: text("new\n")}, c.patch)
		_, err := Apply(site, bundle, Rules{})
		var conflict *ConflictError
		if !errors.As(err, &conflict) || len(conflict.Conflicts) != 1 || conflict.Conflicts[0].Reason != c.want || conflict.Conflicts[0].PatchID != bundle.Patches[1].ID {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if document, err := artifact.Encode(conflict.Document()); err != nil {
			t.Error(err)
		} else if faults, err := artifact.Validate(artifact.PatchConflictsName, document); err != nil || len(faults) > 0 {
			t.Errorf("%s: patch_conflicts.json: %v, %v", name, faults, err)
		}
		if !maps.Equal(files, site.files) {
			t.Errorf("%s: the tree is changed", name)
		}
	}
}

// A patch whose content is not what its hash says is refused.
func TestTamperedPatch(t *testing.T) {
	bundle := bundleOf(t, artifact.Patch{Type: CreateFile, NewContent: text("x\n")})
	bundle.Patches[0].NewContent = text("evil\n")
	var conflict *ConflictError
	if _, err := Plan(newMemory(t, nil), bundle, Rules{}); !errors.As(err, &conflict) || conflict.Conflicts[0].Reason != InvalidPatch {
		t.Error(err)
	}
}

func TestDelete(t *testing.T) {
	site := newMemory(t, map[string]string{"content/a.md": "x\n"})
	bundle := bundleOf(t, artifact.Patch{Type: DeleteFile, ExpectedBeforeHash: Hash("x\n")})
	for _, skipped := range []bool{false, true} {
		result, err := Apply(site, bundle, Rules{AllowDelete: true})
		if err != nil || result.Outcomes[0].Skipped != skipped || len(site.files) > 0 {
			t.Errorf("%+v, %v", result, err)
		}
	}
}

// All conflicts are told at once.
func TestAllConflictsAreTold(t *testing.T) {
	site := newMemory(t, map[string]string{"content/a.md": "x\n", "content/b.md": "y\n"})
	_, err := Apply(site, bundleOf(t,
		artifact.Patch{Type: UpdateByAnchor, Anchor: "A", NewContent: text("x")},
		artifact.Patch{Type: CreateFile, Path: "content/new.md", NewContent: text("n\n")},
		artifact.Patch{Type: CreateFile, Path: "content/b.md", NewContent: text("z\n")}), Rules{})
	var conflict *ConflictError
	if !errors.As(err, &conflict) || len(conflict.Conflicts) != 2 {
		t.Error(err)
	}
}

// S-16, 9.1: one path outside the fence, and nothing is applied or even read.
func TestFence(t *testing.T) {
	for _, bad := range []string{"../x", "/etc/passwd", "contents/a.md", "content/.git/config", ".git/config", "Content/a.md", "content/../x", "content//x"} {
		site := newMemory(t, map[string]string{"content/a.md": "x\n"})
		_, err := Apply(site, bundleOf(t,
			artifact.Patch{Type: CreateFile, Path: "content/new.md", NewContent: text("n\n")},
			artifact.Patch{Type: CreateFile, Path: bad, NewContent: text("evil\n")}), Rules{})
		if refusal, refused := fence.Refused(err); !refused || refusal.Path != bad {
			t.Errorf("%s: %v", bad, err)
		}
		if len(site.files) != 1 {
			t.Errorf("%s: %v", bad, site.files)
		}
		if _, _, err := Build(site, []Draft{{Path: bad, Content: "x\n"}}, Options{}); err == nil {
			t.Errorf("a draft for %s is taken", bad)
		}
	}
}

// S-16, R-10: on a real directory a link on the way is found before anything is
// written.
func TestFenceOnDisk(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	os.MkdirAll(filepath.Join(dir, "content"), 0o755)
	if err := os.Symlink(outside, filepath.Join(dir, "content/link")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f, err := fence.New([]string{"content/"})
	if err != nil {
		t.Fatal(err)
	}
	site := fence.NewSite(root, f)
	good := artifact.Patch{Type: CreateFile, Path: "content/docs/new.md", NewContent: text("n\n")}
	_, err = Apply(site, bundleOf(t, good, artifact.Patch{Type: CreateFile, Path: "content/link/x.md", NewContent: text("evil\n")}), Rules{})
	if refusal, refused := fence.Refused(err); !refused || refusal.Code != fence.Escape {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Error("something was written outside")
	}
	if _, err := os.Stat(filepath.Join(dir, "content/docs")); err == nil {
		t.Error("the good patch was written")
	}
	if _, err := Apply(site, bundleOf(t, good), Rules{}); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "content/docs/new.md")); err != nil || string(got) != "n\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// 9.3: budgets are checked before anything is written.
func TestBudgets(t *testing.T) {
	create := func(name string, lines int) artifact.Patch {
		return artifact.Patch{Type: CreateFile, Path: "content/" + name, NewContent: text(strings.Repeat("line\n", lines))}
	}
	reformat := artifact.Patch{Type: UpdateFileRange, StartLine: 1, EndLine: 3, NewContent: text("a  b\n  c\nd\n"), ExpectedBeforeHash: Hash("a b\nc\nd \n")}
	for name, c := range map[string]struct {
		rules   Rules
		patches []artifact.Patch
		code    string
	}{
		"files":           {Rules{MaxFilesChanged: 2}, []artifact.Patch{create("1", 1), create("2", 1), create("3", 1)}, ChangeBudget},
		"files in all":    {Rules{MaxFilesChanged: 2, AlreadyChanged: 1}, []artifact.Patch{create("1", 1), create("2", 1)}, ChangeBudget},
		"just enough":     {Rules{MaxFilesChanged: 2, MaxFileWrites: 2, MaxLinesPerFile: 5}, []artifact.Patch{create("1", 5), create("2", 5)}, ""},
		"lines":           {Rules{MaxLinesPerFile: 5}, []artifact.Patch{create("1", 6)}, ChangeBudget},
		"lines of new":    {Rules{MaxLinesPerFile: 5, SpareNew: true}, []artifact.Patch{create("1", 6)}, ""},
		"lines of old":    {Rules{MaxLinesPerFile: 5, SpareNew: true}, []artifact.Patch{reformat}, ChangeBudget},
		"writes":          {Rules{MaxFileWrites: 10, AlreadyWritten: 9}, []artifact.Patch{create("1", 1), create("2", 1)}, WriteBudget},
		"formatting":      {Rules{}, []artifact.Patch{reformat}, ""},
		"formatting prod": {Rules{RefuseFormatting: true}, []artifact.Patch{reformat}, ChangeBudget},
	} {
		site := newMemory(t, map[string]string{"content/a.md": "a b\nc\nd \n"})
		result, err := Apply(site, bundleOf(t, c.patches...), c.rules)
		var budget *BudgetError
		if errors.As(err, &budget); (c.code == "") != (err == nil) || c.code != "" && budget.Code != c.code {
			t.Errorf("%s: %v", name, err)
		}
		if c.code != "" && (len(site.files) != 1 || site.files["content/a.md"] != "a b\nc\nd \n") {
			t.Errorf("%s: something is written", name)
		}
		if name == "formatting" && !result.MostlyFormatting || name == "just enough" && result.MostlyFormatting {
			t.Errorf("%s: %v", name, result.MostlyFormatting)
		}
	}
}

// 9.3: a full disk in the middle leaves nothing behind.
func TestFullDisk(t *testing.T) {
	files := map[string]string{"content/a.md": "## A\n", "content/c.md": "c\n"}
	site := newMemory(t, files)
	site.full = "content/d.md"
	_, err := Apply(site, bundleOf(t,
		artifact.Patch{Type: UpdateByAnchor, Anchor: "A", NewContent: text("x")},
		artifact.Patch{Type: CreateFile, Path: "content/b.md", NewContent: text("b\n")},
		artifact.Patch{Type: DeleteFile, Path: "content/c.md"},
		artifact.Patch{Type: CreateFile, Path: "content/d.md", NewContent: text("d\n")}), Rules{AllowDelete: true})
	var write *WriteError
	if !errors.As(err, &write) || write.Path != "content/d.md" || !maps.Equal(site.files, files) {
		t.Errorf("%v, %v", err, site.files)
	}
}

func TestEmptyBundleSucceeds(t *testing.T) {
	bundle, result, err := Seal(newMemory(t, nil), someSHA, nil, Rules{})
	if err != nil || len(result.Changes) > 0 || bundle.TreeHashAfter == "" {
		t.Errorf("%+v, %v", result, err)
	}
}

// Patches that build on each other are known as applied by the sealed bundle.
func TestSealedBundleIsAppliedOnce(t *testing.T) {
	site := newMemory(t, nil)
	patches := []artifact.Patch{
		{Type: CreateFile, Path: "content/a.md", Origin: OriginDraft, NewContent: text("---\nt: 1\n---\n## A\n\nx\n")},
		{Type: UpdateKeys, Path: "content/a.md", Origin: OriginFix, FrontmatterUpdates: map[string]any{"t": 2}},
		{Type: UpdateFileRange, Path: "content/a.md", Origin: OriginFix, StartLine: 6, EndLine: 6, NewContent: text(""), ExpectedBeforeHash: Hash("x\n")},
	}
	bundle, planned, err := Seal(site, someSHA, patches, Rules{})
	if err != nil || len(site.files) > 0 {
		t.Fatalf("%v, %v", err, site.files)
	}
	result, err := Apply(site, bundle, Rules{})
	if err != nil || result.TreeHash != bundle.TreeHashAfter || result.Diff() != planned.Diff() || result.Diff() == "" {
		t.Fatalf("%+v, %v", result, err)
	}
	again, err := Apply(site, bundle, Rules{})
	if err != nil || len(again.Changes) > 0 || slices.ContainsFunc(again.Outcomes, func(o Outcome) bool { return !o.Skipped }) || len(again.Outcomes) != 3 {
		t.Errorf("%+v, %v", again, err)
	}
	if err := undo(site, result.Changes); err != nil || len(site.files) > 0 {
		t.Errorf("%v, %v", site.files, err)
	}
	document, err := artifact.Encode(bundle)
	if err != nil {
		t.Fatal(err)
	}
	if faults, err := artifact.Validate(artifact.PatchBundleName, document); err != nil || len(faults) > 0 {
		t.Errorf("patch_bundle.json: %v, %v", faults, err)
	}
	var read artifact.PatchBundle
	if err := artifact.Decode(document, &read); err != nil {
		t.Fatal(err)
	}
	if replayed, err := Apply(site, read, Rules{}); err != nil || replayed.TreeHash != bundle.TreeHashAfter {
		t.Errorf("a bundle that was stored: %v", err)
	}
}

// 9.2: ids do not depend on what comes later, and are different.
func TestNumber(t *testing.T) {
	p := artifact.Patch{Type: CreateFile, Path: "a", NewContent: text("x")}
	two := []artifact.Patch{p, p}
	one := []artifact.Patch{p}
	if err := errors.Join(Number(one), Number(two)); err != nil {
		t.Fatal(err)
	}
	if two[0].ID != one[0].ID || two[0].ID == two[1].ID || one[0].ID != "p_"+Hash("create_file|a|" + Hash("x") + "|0")[:12] {
		t.Errorf("%s %s", two[0].ID, two[1].ID)
	}
}

// 9.3: a stamp holds until somebody else touches the page.
func TestStamp(t *testing.T) {
	for _, plain := range []string{"---\ntitle: A\n---\nx\n", "+++\ntitle = 'A'\n+++\nx\n", "{\n  \"title\": \"A\"\n}\nx\n"} {
		stamped := Stamp(plain)
		if Stamped(plain) || !Stamped(stamped) || Stamp(stamped) != stamped {
			t.Errorf("%q", stamped)
		}
		for _, touched := range []string{stamped + "y\n", strings.Replace(stamped, "A", "B", 1)} {
			if Stamped(touched) {
				t.Errorf("%q", touched)
			}
		}
	}
	if Stamp("no front matter\n") != "no front matter\n" || Stamped("launch_sha256\n") {
		t.Error("a page without front matter")
	}
	for origin, want := range map[string]bool{OriginFix: true, OriginManual: false} {
		site := newMemory(t, map[string]string{"content/a.md": Stamp(page)})
		_, err := Apply(site, bundleOf(t, artifact.Patch{Type: UpdateByAnchor, Origin: origin, Anchor: "Usage", NewContent: text("y")}), Rules{})
		if err != nil || Stamped(site.files["content/a.md"]) != want {
			t.Errorf("%s: %v, %s", origin, err, site.files["content/a.md"])
		}
	}
}

// 9.3: re-anchoring takes the closest heading, three letters away at most.
func TestNearestAnchor(t *testing.T) {
	for anchor, want := range map[string]string{"Usages": "usage", "usag": "usage", "Note": "notes", "Completely else": ""} {
		if got, ok := NearestAnchor(page, anchor); got != want || ok != (want != "") {
			t.Errorf("%s: %q", anchor, got)
		}
	}
}
