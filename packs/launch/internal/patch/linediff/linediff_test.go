package linediff

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var line = rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "a \n"})

// The hunks turn one text into the other, and are as few lines as a longest
// common sequence allows.
func TestCompareIsRightAndShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.SliceOfN(line, 0, 12).Draw(t, "a"), rapid.SliceOfN(line, 0, 12).Draw(t, "b")
		var made []string
		at, removed := 0, 0
		for _, h := range Compare(a, b) {
			made = append(append(made, a[at:h.A0]...), b[h.B0:h.B1]...)
			if len(made) != h.B1 {
				t.Fatalf("hunk %v does not follow", h)
			}
			at, removed = h.A1, removed+h.A1-h.A0
		}
		if made = append(made, a[at:]...); !slices.Equal(made, b) {
			t.Fatalf("made %q", made)
		}
		if kept := len(a) - removed; kept != common(a, b) {
			t.Fatalf("kept %d lines of %d", kept, common(a, b))
		}
	})
}

// common is the length of a longest common sequence, by its definition.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for i := range a {
		above := slices.Clone(row)
		for j := range b {
			row[j+1] = max(above[j+1], row[j])
			if a[i] == b[j] {
				row[j+1] = above[j] + 1
			}
		}
	}
	return row[len(b)]
}

// Texts that have nothing in common are still compared in bounded work.
func TestCompareFarApart(t *testing.T) {
	a, b := slices.Repeat([]string{"a\n", "x\n"}, 5000), slices.Repeat([]string{"b\n", "y\n"}, 5000)
	if got := Compare(a, b); len(got) != 1 || got[0] != (Hunk{0, 10000, 0, 10000}) {
		t.Errorf("%v", got)
	}
}

// reports/site.patch is a git diff: git makes the second text of the first.
func TestGitAppliesIt(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	long := strings.Repeat("one\ntwo\nthree\nfour\nfive\n", 5)
	for name, c := range map[string]struct{ before, after []byte }{
		"plain.md":            {[]byte(long), []byte(strings.Replace(strings.Replace(long, "two\n", "2\n", 1), "five\n", "", 4) + "end\n")},
		"new/page.md":         {nil, []byte("a\nb\n")},
		"gone.md":             {[]byte("a\nb\n"), nil},
		"empty-new.md":        {nil, []byte{}},
		"no newline.md":       {[]byte("a\nb"), []byte("a\nb\n")},
		"lost newline.md":     {[]byte("a\nb\n"), []byte("a\nc")},
		"größe \"quoted\".md": {[]byte("x\n"), []byte("y\n")},
		"carriage.md":         {[]byte("x\r\ny\r\n"), []byte("x\ny\n")},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if c.before != nil {
			os.WriteFile(file, c.before, 0o644)
		}
		git := exec.Command("git", "apply", "-")
		git.Dir = dir
		git.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_NOSYSTEM=1", "HOME="+dir)
		git.Stdin = strings.NewReader(Unified(name, c.before, c.after))
		if out, err := git.CombinedOutput(); err != nil {
			t.Errorf("%s: %s\n%s", name, out, Unified(name, c.before, c.after))
			continue
		}
		if got, err := os.ReadFile(file); !bytes.Equal(got, c.after) || (err != nil) != (c.after == nil) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestEqualTextsHaveNoDifference(t *testing.T) {
	if got := Unified("a", []byte("x\n"), []byte("x\n")) + Unified("a", nil, nil); got != "" {
		t.Error(got)
	}
}
