package patch

import (
	"errors"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
)

// 9.1: files of one bundle that cannot stand beside each other are refused when
// it is sealed.
func TestCollisions(t *testing.T) {
	for name, c := range map[string]struct {
		paths   []string
		refused string
	}{
		"neighbours":        {[]string{"content/a.md", "content/a.md.txt", "content/a/b.md"}, ""},
		"letter case":       {[]string{"content/A.md", "content/a.md"}, "content/a.md"},
		"case of a folder":  {[]string{"content/docs/a.md", "content/Docs"}, "content/docs/a.md"},
		"file and folder":   {[]string{"content/x/b.md", "content/x"}, "content/x/b.md"},
		"folder, then file": {[]string{"content/X/b.md", "content/x"}, "content/x"},
		"two folders":       {[]string{"content/Docs/a.md", "content/docs/b.md"}, "content/docs/b.md"},
		"one folder":        {[]string{"content/docs/a.md", "content/docs/b.md"}, ""},
		"kelvin":            {[]string{"content/k.md", "content/\u212a.md"}, "content/\u212a.md"},
	} {
		var patches []artifact.Patch
		for _, path := range c.paths {
			patches = append(patches, artifact.Patch{Type: CreateFile, Path: path, NewContent: text("x\n")})
		}
		_, _, err := Seal(newMemory(t, nil), someSHA, patches, Rules{})
		var conflict *ConflictError
		switch errors.As(err, &conflict); {
		case c.refused == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.refused != "" && (conflict == nil || conflict.Conflicts[0].Path != c.refused || conflict.Conflicts[0].Reason != PathCollision):
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A path that no fence would let through is looked at, and no longer than others.
func TestCollisionsOfStrangePaths(t *testing.T) {
	s := newScratch(newMemory(t, nil))
	for _, path := range []string{"/etc/x", "/", "//", "", "..", "a//b"} {
		s.set(path, "x\n")
	}
	if got := s.collisions(nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// A file that makes room for another does not stand in its way.
func TestCollisionThatIsGone(t *testing.T) {
	site := newMemory(t, map[string]string{"content/x": "x\n"})
	patches := []artifact.Patch{{Type: DeleteFile, Path: "content/x"}, {Type: CreateFile, Path: "content/x/b.md", NewContent: text("x\n")}}
	if _, _, err := Seal(site, someSHA, patches, Rules{AllowDelete: true}); err != nil {
		t.Error(err)
	}
}
