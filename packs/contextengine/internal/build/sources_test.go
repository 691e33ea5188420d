package build_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/build"
	"mcpworks/packs/contextengine/internal/cache"

	"github.com/google/go-cmp/cmp"
)

func TestBUILD1SourcesMustBeADirectory(t *testing.T) {
	dir := tree{"file.md": "text"}.dir(t)
	must(t, os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	must(t, os.Symlink("file.md", filepath.Join(dir, "link")))
	must(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	for _, name := range []string{"missing", "file.md", "dangling", "link", "loop", "file.md/below"} {
		sources := filepath.Join(dir, name)
		wantRefused(t, build.Options{Sources: sources, Output: filepath.Join(dir, "new", "cache")}, dir, cache.ErrIO, sources)
	}
	wantRefused(t, build.Options{Output: filepath.Join(dir, "new", "cache")}, dir, cache.ErrIO, `""`)
}

func TestBUILD1LinkToADirectoryCounts(t *testing.T) {
	dir := tree{"real/a.md": "a", "real/sub/b.md": "b"}.dir(t)
	must(t, os.Symlink("real", filepath.Join(dir, "link")))
	got, _ := built(t, build.Options{Sources: filepath.Join(dir, "link")})
	if diff := cmp.Diff([]string{"a.md", "sub/b.md"}, ids(t, got)); diff != "" {
		t.Error(diff)
	}
}

func TestSourcesByRelativePath(t *testing.T) {
	dir := tree{"docs/a.md": "a", "docs/sub/b.md": "b"}.dir(t)
	t.Chdir(filepath.Join(dir, "docs"))
	for i, sources := range []string{".", "../docs", "./", "sub/.."} {
		got, _ := built(t, build.Options{Sources: sources, Output: filepath.Join("..", "caches", string(rune('a'+i)))})
		if diff := cmp.Diff([]string{"a.md", "sub/b.md"}, ids(t, got)); diff != "" {
			t.Errorf("%s: %s", sources, diff)
		}
	}
}

func TestBUILD2NamesThatAreIngested(t *testing.T) {
	taken := []string{"a.md", "deep/er/still/b.md", ".hidden.md", ".hidden/c.md", "..md", "x.y.md", "spa ce.md", ".md.md", "été.md", "\u202e.md", "new\nline.md", "x.md/y.md"}
	left := []string{"README.MD", "notes.markdown", ".md", "sub/.md", "a.md.txt", "md", "amd", "x.mD", "a.md ", "a.md~"}
	files := tree{"empty.md/": ""}
	for _, name := range slices.Concat(taken, left) {
		files[name] = "content of " + name
	}
	got := documents(t, builtFrom(t, files))
	want := map[string][2]string{}
	for _, name := range taken {
		want[name] = [2]string{name, files[name]}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What is linked is read under the name of the link, even from outside: the path
// that gives the id is inside (DOC-6).
func TestBUILD3DOC6Links(t *testing.T) {
	outside := tree{"far.md": "far away", "note.txt": "not Markdown by its own name", "second.txt": "two links away", "dir/lost.md": "lost"}.dir(t)
	dir := tree{"near.md": "near", "sub/x.md": "x"}.dir(t)
	for name, to := range map[string]string{
		"far-link.md":     filepath.Join(outside, "far.md"),
		"sub/up.md":       filepath.Join(outside, "note.txt"),
		"second.md":       "first",
		"first":           filepath.Join(outside, "second.txt"),
		"broken.md":       "nowhere",
		"below-file.md":   "near.md/below",
		"loop.md":         "loop.md",
		"ping.md":         "pong.md",
		"pong.md":         "ping.md",
		"too-long.md":     strings.Repeat("x", 300),
		"directory":       filepath.Join(outside, "dir"),
		"directory.md":    filepath.Join(outside, "dir"),
		"parent":          "..",
		"sub/parent.md":   "..",
		"device.md":       os.DevNull,
		"not-markdown.MD": "near.md",
	} {
		must(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	got, _ := built(t, build.Options{Sources: dir})
	want := map[string][2]string{
		"near.md":     {"near.md", "near"},
		"sub/x.md":    {"sub/x.md", "x"},
		"far-link.md": {"far-link.md", "far away"},
		"sub/up.md":   {"sub/up.md", "not Markdown by its own name"},
		"second.md":   {"second.md", "two links away"},
	}
	if diff := cmp.Diff(want, documents(t, got)); diff != "" {
		t.Error(diff)
	}
}

func TestBUILD5InvalidUTF8(t *testing.T) {
	for name, content := range map[string]string{
		"stray byte":      "good\xff",
		"cut at the end":  "good\xe2\x82",
		"overlong":        "good\xc0\xaf",
		"surrogate":       "good\xed\xa0\x80",
		"beyond Unicode":  "good\xf4\x90\x80\x80",
		"UTF-16":          "good\xff\xfeh\x00i\x00",
		"after an U+FFFD": "g\ufffd\xffood",
	} {
		dir := tree{"docs/a.md": "fine", "docs/Bad.md": content, "docs/worse.md": "\xff"}.dir(t)
		o := build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache")}
		t.Run(name, func(t *testing.T) { wantRefused(t, o, dir, nil, `"Bad.md"`, "byte 4") })
	}
}

func TestBUILD6DOC8SourcesOfOneID(t *testing.T) {
	for _, tt := range []struct {
		files tree
		named []string
	}{
		{tree{"docs/a.md": "1", "docs/A.md": "2"}, []string{`"A.md" and "a.md"`, `"a.md"`}},
		{tree{"docs/x/Y.md": "1", "docs/X/y.md": "2"}, []string{`"X/y.md" and "x/Y.md"`, `"x/y.md"`}},
		{tree{"docs/z.md": "1", "docs/Z.md": "2", "docs/b.md": "3", "docs/B.md": "4"}, []string{`"B.md" and "b.md"`}},
		{tree{"docs/é.md": "1", "docs/É.md": "2"}, []string{`"É.md" and "é.md"`}},
		{tree{"docs/k.md": "1", "docs/\u212a.md": "2"}, []string{"\"k.md\" and \"\u212a.md\""}}, // KELVIN SIGN
	} {
		dir := tt.files.dir(t)
		wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "new", "cache")}, dir, cache.ErrInvalid, tt.named...)
	}
}

func TestDOC5BackslashIsASlashInAnID(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such file names")
	}
	files := tree{`a\B.md`: "1", `.\c.md`: "2", `.\.\d.md`: "3"}
	want := map[string][2]string{"a/b.md": {`a\B.md`, "1"}, "c.md": {`.\c.md`, "2"}, "d.md": {`.\.\d.md`, "3"}}
	if diff := cmp.Diff(want, documents(t, builtFrom(t, files))); diff != "" {
		t.Error(diff)
	}
	dir := tree{`docs/a\b.md`: "1", "docs/a/b.md": "2"}.dir(t)
	wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache")}, dir, cache.ErrInvalid, `"a/b.md" and "a\\b.md"`)
}

func TestDOC4DOC5SourceAndID(t *testing.T) {
	files := tree{"Docs/Deployment.md": "1", "Docs/ΟΔΟΣ.md": "2", "İ.md": "3", "日本/語.md": "4"}
	want := map[string][2]string{
		"docs/deployment.md": {"Docs/Deployment.md", "1"}, "docs/οδοσ.md": {"Docs/ΟΔΟΣ.md", "2"},
		"i\u0307.md": {"İ.md", "3"}, "日本/語.md": {"日本/語.md", "4"},
	}
	if diff := cmp.Diff(want, documents(t, builtFrom(t, files))); diff != "" {
		t.Error(diff)
	}
}

func TestDOC7NamesThatAreNotUTF8(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no such file names")
	}
	for path, named := range map[string]string{
		"docs/caf\xe9.md":      `"caf\xe9.md"`,
		"docs/d\xff/in.md":     `"d\xff/in.md"`,
		"docs/\xed\xa0\x80.md": `"\xed\xa0\x80.md"`,
	} {
		dir := tree{path: "text", "docs/z.md": "z"}.dir(t)
		wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache")}, dir, nil, named, "rename")
	}
	// They matter for sources only.
	got := ids(t, builtFrom(t, tree{"caf\xe9.txt": "1", "d\xff/x.txt": "2", "ok.md": "3"}))
	if diff := cmp.Diff([]string{"ok.md"}, got); diff != "" {
		t.Error(diff)
	}
}

// Two contents whose SHA-256 begin with 645ee0a6439d.
const alike1, alike2 = "alike 1904832", "alike 3549685"

func TestBUILD7ContentsThatShareAFile(t *testing.T) {
	for name, tt := range map[string]struct {
		files tree
		named []string
	}{
		"empty files":   {tree{"docs/A.md": "", "docs/b.md": ""}, []string{`"a.md" and "b.md" have the same content`}},
		"same text":     {tree{"docs/x.md": "text", "docs/sub/y.md": "text", "docs/a.md": "other"}, []string{`"sub/y.md" and "x.md"`}},
		"same prefix":   {tree{"docs/x.md": alike1, "docs/y.md": alike2}, []string{`"x.md" and "y.md" have contents whose hashes begin alike`}},
		"first of many": {tree{"docs/a.md": "1", "docs/b.md": "2", "docs/c.md": "2", "docs/d.md": "1", "docs/e.md": "1"}, []string{`"a.md" and "d.md"`, "(2 more sources"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tt.files.dir(t)
			o := build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache")}
			wantRefused(t, o, dir, nil, tt.named...)
		})
	}
}

func TestBUILD8DuplicateIDsComeFirst(t *testing.T) {
	dir := tree{"docs/a.md": "", "docs/b.md": "", "docs/x.md": "1", "docs/X.md": "2", "docs/bad.md": "\xff"}.dir(t)
	wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache")}, dir, cache.ErrInvalid, `"X.md" and "x.md"`)
}

func TestDOC1DOC2ContentIsNeverChanged(t *testing.T) {
	files := tree{
		"empty.md": "", "lf.md": "line\n", "crlf.md": "line\r\n", "bom.md": "\ufeffline", "nul.md": "a\x00b", "spaces.md": "  \t \n\n",
		"front.md": "---\ntitle: x\n---\n", "escapes.md": "a\"\\/\b\f\n\r\t\x01\x1f\x7f<>&\u2028\u2029", "large.md": strings.Repeat("0123456789abcdef", 1<<16),
		"huge.md": strings.Repeat("\x01é", 2<<20), "odd.md": strings.Repeat("x", 4095), "page.md": strings.Repeat("y", 4096),
	}
	want := map[string][2]string{}
	for name, content := range files {
		want[name] = [2]string{name, content}
	}
	if diff := cmp.Diff(want, documents(t, builtFrom(t, files))); diff != "" {
		t.Error(diff)
	}
}

func TestSourceThatIsTooLarge(t *testing.T) {
	dir := tree{"docs/a.md": "a", "docs/b.md": ""}.dir(t)
	must(t, os.Truncate(filepath.Join(dir, "docs", "b.md"), build.MaxSource+1)) // takes no room on disk
	o := build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache"), CreatedAt: createdAt}
	_, err := build.Build(t.Context(), o)
	wantKind(t, err, cache.ErrIO)
	if want := "larger than 256 MiB"; err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `"b.md"`) {
		t.Errorf("%v does not say %s", err, want)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// The first source in the order of ids decides, not the first to be read.
func TestSameFaultIsReportedAlways(t *testing.T) {
	files := tree{"docs/m.md": "fine"}
	for c := 'a'; c <= 'z'; c++ {
		files["docs/x"+string(c)+".md"] = "\xff"
		files["docs/b"+string(c)+".md"] = strings.Repeat("long", 10_000) + string(c)
	}
	dir := files.dir(t)
	for range 20 {
		wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache")}, dir, nil, `"xa.md"`)
	}
}
