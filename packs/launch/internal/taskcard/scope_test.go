package taskcard_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/taskcard"
)

// 13: the paths of a run are narrowed to those of its card.
func TestWithin(t *testing.T) {
	for _, tc := range []struct{ run, card, want string }{
		{"content/docs/", "content/docs/acme/", "content/docs/acme/"},
		{"content/docs/acme/", "content/**", "content/docs/acme/"},
		{"content/docs/", "content/blog/", ""},
		{"content/docs", "content/docs/", "content/docs/"},
		{"content/*/acme/", "content/docs/**", "content/docs/acme/"},
		{"content/**/index.md", "content/docs/", "content/index.md/docs/ content/docs/index.md content/docs/**/index.md"},
		{"a/b.md c/", "a/ c/d.md", "a/b.md c/d.md"},
		{"a*/x", "*b/x", ""},
		{".github/", ".github/ci.yml", ""},
		{".github/ci.yml", ".github/*.yml", ""},
		{".github/ci.yml", ".github/ci.yml", ".github/ci.yml"},
	} {
		got := taskcard.Card{AllowedPaths: strings.Fields(tc.card)}.Within(strings.Fields(tc.run))
		want, have := fenceOf(t, strings.Fields(tc.want)), fenceOf(t, got)
		for _, name := range []string{"content/docs/a.md", "content/docs/acme/a.md", "content/blog/a.md", "content/docs", "content/docs/x/index.md", "a/b.md", "a/c.md", "c/d.md", "ab/x", ".github/ci.yml"} {
			if (want.Decide(nil, name) == nil) != (have.Decide(nil, name) == nil) {
				t.Errorf("%q and %q make %q, of which %s is wrong", tc.run, tc.card, got, name)
			}
		}
	}
}

func fenceOf(t interface{ Fatal(...any) }, entries []string) *fence.Fence {
	if len(entries) == 0 {
		return &fence.Fence{}
	}
	f, err := fence.New(entries)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// 13: nothing is allowed that one of the two does not allow, and without * in
// segments nothing is lost.
func TestWithinIsNeverWider(t *testing.T) {
	segment := rapid.SampledFrom([]string{"a", "b", "c.md", ".gitignore", "**"})
	top := rapid.SampledFrom([]string{"s/", "config/"}) // what is below config is protected
	entry := rapid.Custom(func(t *rapid.T) string {
		return top.Draw(t, "top") + strings.Join(rapid.SliceOfN(segment, 1, 4).Draw(t, "segments"), "/") + rapid.SampledFrom([]string{"", "/"}).Draw(t, "end")
	})
	rapid.Check(t, func(t *rapid.T) {
		run, card := rapid.SliceOfN(entry, 1, 3).Draw(t, "run"), rapid.SliceOfN(entry, 1, 3).Draw(t, "card")
		name := top.Draw(t, "top") + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c.md", ".gitignore"}), 1, 6).Draw(t, "name"), "/")
		got := taskcard.Card{AllowedPaths: card}.Within(run)
		both := fenceOf(t, run).Decide(nil, name) == nil && fenceOf(t, card).Decide(nil, name) == nil
		if allowed := fenceOf(t, got).Decide(nil, name) == nil; allowed != both {
			t.Fatalf("%q within %q is %q: %s is allowed: %v, should be: %v", run, card, got, name, allowed, both)
		}
	})
}

// 13: entries that have very many things in common do not take for ever.
func TestWithinIsBounded(t *testing.T) {
	deep := strings.Repeat("**/a/", 100)
	if got := (taskcard.Card{AllowedPaths: []string{deep + "b"}}).Within([]string{deep + "c"}); len(got) > 10_000 {
		t.Errorf("%d entries", len(got))
	}
}
