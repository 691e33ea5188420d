// Package templates holds the outlines of pages (8.7): their headings, their
// connecting sentences, and tokens for everything else.
//
// A token is a word in capitals between two underscores on each side. One that
// begins with BODY_ stands on a line of its own, for a block that is made of
// evidence; the others stand for names. The sentences of a template say nothing
// about a product, so that they need no evidence.
package templates

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Files has a folder for each version that comes with the program.
//
//go:embed all:templates.v1
var Files embed.FS

// Default is the folder of templates that fit every site.
const Default = "default"

// Names are the tokens that stand for names.
var Names = []string{"FAMILY", "LOCALE", "PLATFORM", "PRODUCT_NAME", "PRODUCT_SLUG", "REPO_URL", "SECTION", "SUBJECT", "VERSION"}

// Blocks are the tokens that stand for blocks, without BODY_.
var Blocks = []string{
	"API", "BEFORE", "CHILDREN", "CODE", "DEPENDENCIES", "FEATURES", "FORMATS", "INSTALL", "INTRO", "LICENSE", "LIMITATIONS", "LIMITS", "LINKS", "NEXT",
	"QUESTIONS", "QUICKSTART", "REQUIREMENTS", "SNIPPETS", "STEPS", "SYMBOLS", "TASKS", "TOPIC", "TROUBLE", "WORKFLOWS",
}

// A Set is all templates of one version.
type Set struct {
	Version string
	Digest  string // of all files with their names
	all     []*Template
}

var version = regexp.MustCompile(`^[a-z][a-z0-9]*\.v[0-9]+$`)

// Open reads a version. Dirs are looked at in order; Files comes after them.
func Open(name string, dirs ...fs.FS) (*Set, error) {
	if !version.MatchString(name) {
		return nil, fmt.Errorf("%q is not a version of templates", name)
	}
	for _, dir := range append(slices.Clone(dirs), Files) {
		if info, err := fs.Stat(dir, name); err == nil && info.IsDir() {
			return read(name, dir)
		}
	}
	return nil, fmt.Errorf("there are no templates %q", name)
}

// maxFile bounds a template, in bytes.
const maxFile = 256 << 10

func read(name string, dir fs.FS) (*Set, error) {
	set := &Set{Version: name}
	whole := sha256.New()
	var faults []error
	err := fs.WalkDir(dir, name, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".md" {
			return err
		}
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return err
		}
		template, err := parse(file, text)
		if err != nil {
			faults = append(faults, err)
			return nil
		}
		fmt.Fprintf(whole, "%s|%s\n", file, template.Digest)
		set.all = append(set.all, template)
		return nil
	})
	set.Digest = hex.EncodeToString(whole.Sum(nil))
	return set, errors.Join(append(faults, err)...)
}

// A Query says what a template is wanted for.
type Query struct {
	Family, Profile     string
	Section, Role, Slug string
	Tier                string
}

// Find chooses the template for a page: one of its family before one of its
// profile before a default one, then one for its slug, then one for its tier,
// then by path (6.4(10)).
func (s *Set) Find(q Query) (*Template, bool) {
	places := []string{q.Family, q.Profile, Default}
	fit := slices.DeleteFunc(slices.Clone(s.all), func(t *Template) bool {
		return !slices.Contains(places, t.place) || t.section != q.Section || t.Role != q.Role ||
			t.Slug != "" && t.Slug != q.Slug || t.Variant != "" && t.Variant != q.Tier
	})
	if len(fit) == 0 {
		return nil, false
	}
	empty := func(text string) int { return cmp.Compare(len(text), 1) } // -1 if empty, so that others come first
	return slices.MinFunc(fit, func(a, b *Template) int {
		return cmp.Or(
			cmp.Compare(slices.Index(places, a.place), slices.Index(places, b.place)),
			empty(b.Slug)-empty(a.Slug), empty(b.Variant)-empty(a.Variant), cmp.Compare(a.Path, b.Path),
		)
	}), true
}

// At returns the template of a path, as a plan names it.
func (s *Set) At(path string) (*Template, bool) {
	for _, t := range s.all {
		if t.Path == path {
			return t, true
		}
	}
	return nil, false
}

// Exempt says whether a line of a page is a sentence of a template, and so needs
// no evidence (10.2). Mappings are the names on the page.
func (s *Set) Exempt(line string, mappings map[string]string) bool {
	line = strings.TrimSpace(line)
	for _, t := range s.all {
		for _, sentence := range t.Sentences() {
			if filled, err := Fill(sentence, mappings); err == nil && filled == line {
				return true
			}
		}
	}
	return false
}
