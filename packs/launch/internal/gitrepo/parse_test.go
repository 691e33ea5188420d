package gitrepo

import (
	"path/filepath"
	"testing"
)

// What a remote says of its refs is a stranger's word.
func FuzzRefs(f *testing.F) {
	f.Add("ref: refs/heads/main\tHEAD\n1111111111111111111111111111111111111111\tHEAD\n", "main")
	f.Add("1111111111111111111111111111111111111111\trefs/tags/v1.0^{}\n", "v1.0")
	f.Fuzz(func(t *testing.T, text, ref string) {
		refs := parseRefs(text)
		if sha, ok := refs.Resolve(ref); ok != IsSHA(sha) {
			t.Errorf("Resolve(%q) = %q, %v", ref, sha, ok)
		}
		if tag := refs.LatestTag(); tag != "" {
			if _, ok := refs.Resolve("refs/tags/" + tag); !ok {
				t.Errorf("latest tag %q is no tag", tag)
			}
		}
	})
}

// No entry of a tree is let through that could lead out of its folder.
func FuzzEntry(f *testing.F) {
	f.Add("100644 blob 1111111111111111111111111111111111111111      12\ta/b")
	f.Fuzz(func(t *testing.T, line string) {
		e, err := parseEntry(line)
		if err != nil || e.whyNot() != "" {
			return
		}
		if !filepath.IsLocal(e.path) {
			t.Errorf("%q was let through", e.path)
		}
	})
}
