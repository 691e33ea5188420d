package main

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcpworks/internal/cmdline"
)

// Whatever the files of a run are called, the short name of each means that one
// and no other, and so does the whole name.
func TestShortNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		segment := rapid.SampledFrom([]string{"docs", "kb", "drafts", "a", "b", "index.md", "_index.md"})
		name := rapid.Map(rapid.SliceOfN(segment, 1, 5), func(s []string) string { return strings.Join(s, "/") })
		inDrafts := rapid.Map(name, func(s string) string { return drafts + s })
		var files []artifactRef
		for _, name := range rapid.SliceOfNDistinct(rapid.OneOf(name, inDrafts), 0, 8, rapid.ID).Draw(t, "names") {
			files = append(files, artifactRef{Name: name})
		}
		for name, short := range shortNames(files) {
			for _, said := range []string{name, short} {
				if meant := named(files, said); !slices.Equal(meant, []string{name}) {
					t.Errorf("%s means %v and not %s", said, meant, name)
				}
			}
		}
	})
}

func TestAmbiguousName(t *testing.T) {
	c := &call{Arguments: cmdline.Arguments{Operands: []string{"RUN", "overview.md"}}}
	_, err := c.meant(json.RawMessage(`{"artifacts":[{"name":"drafts/docs/a/overview.md"},{"name":"drafts/products/a/overview.md"}]}`))
	f, _ := errors.AsType[*failure](err)
	if f == nil || f.Error() != "overview.md is the end of 2 names" || f.hint != "say which one is meant: docs/overview.md, products/overview.md" {
		t.Errorf("%+v", f)
	}
}
