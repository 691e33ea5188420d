package patch

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/patch/linediff"
)

// A Draft is a page that is to be in the site.
type Draft struct {
	Section string
	PageID  string
	Path    string // in the site
	Content string
	Title   string // for the link to it
	URL     string // likewise
	Slug    string // likewise; a link to it may be there in other words
}

// An Index is the directory of a section, whose index page links to its pages.
type Index struct {
	Section string
	Dir     string
	// Names are the files that can be the index page, best first; none means
	// _index.md and index.md.
	Names []string
}

// Options say how drafts become patches.
type Options struct {
	Sections    []string // the order of the sections
	Indexes     []Index  // whose pages get links; none means no navigation
	FullRewrite bool     // the ruleset lets existing files be replaced as a whole
	Weights     bool     // pages without a weight get one behind their siblings
	Stamp       bool     // pages get the stamp by which a later launch knows them
}

// Build makes patches of drafts, ordered by section and path, each fit to be
// sealed with the others. New pages are created; existing ones get what they
// lack: sections by their headings, front matter keys, and sections that are new
// to them at the end (9.2). Index pages get links to new pages (9.4).
//
// The issues are about index pages that could not be linked from.
func Build(tree Tree, drafts []Draft, options Options) ([]artifact.Patch, []issue.Issue, error) {
	b := &builder{tree: tree, options: options, there: map[string]*string{}, linked: map[string]string{}}
	if err := b.take(drafts); err != nil {
		return nil, nil, err
	}
	if options.Weights {
		if err := b.weigh(); err != nil {
			return nil, nil, err
		}
	}
	links, issues, err := b.navigation()
	if err != nil {
		return nil, nil, err
	}
	var patches []artifact.Patch
	for _, draft := range b.drafts {
		patches = append(patches, b.patchesOf(draft)...)
	}
	patches = append(patches, links...)
	slices.SortStableFunc(patches, func(x, y artifact.Patch) int {
		return cmp.Or(cmp.Compare(b.place(x.Section), b.place(y.Section)), cmp.Compare(x.Section, y.Section), cmp.Compare(x.Path, y.Path))
	})
	return patches, issues, Number(patches)
}

type builder struct {
	tree    Tree
	options Options
	drafts  []Draft
	there   map[string]*string // what the site has at the paths that were looked at
	linked  map[string]string  // existing index pages with their new links
}

// place is where a section comes in the site.
func (b *builder) place(section string) int {
	if at := slices.Index(b.options.Sections, section); at >= 0 {
		return at
	}
	return len(b.options.Sections)
}

// take sorts the drafts and looks at what is in their places. All paths are
// judged before any file is read.
func (b *builder) take(drafts []Draft) error {
	b.drafts = slices.SortedStableFunc(slices.Values(drafts), func(x, y Draft) int {
		return cmp.Or(cmp.Compare(b.place(x.Section), b.place(y.Section)), cmp.Compare(x.Path, y.Path))
	})
	var refusals []error
	for i := range b.drafts {
		b.drafts[i].Content = normal(b.drafts[i].Content)
		if err := b.tree.Decide(b.drafts[i].Path); err != nil {
			refusals = append(refusals, err)
		}
	}
	if len(refusals) > 0 {
		return errors.Join(refusals...)
	}
	for _, draft := range b.drafts {
		if _, err := b.look(draft.Path); err != nil {
			return err
		}
	}
	return nil
}

// look returns a file of the site, or nil.
func (b *builder) look(path string) (*string, error) {
	if text, known := b.there[path]; known {
		return text, nil
	}
	content, err := b.tree.Read(path, MaxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	b.there[path] = nil
	if err == nil {
		text := string(content)
		b.there[path] = &text
	}
	return b.there[path], nil
}

func (b *builder) patchesOf(draft Draft) []artifact.Patch {
	content := draft.Content
	if b.options.Stamp {
		content = Stamp(content)
	}
	existing := b.there[draft.Path]
	var patches []artifact.Patch
	switch {
	case existing == nil, Stamped(*existing), endless(*existing) && !b.options.FullRewrite:
		// An existing page is ours, or nothing can be added to it safely: then
		// this is the conflict that it should be.
		patches = []artifact.Patch{{Type: CreateFile, NewContent: &content}}
		if existing != nil && *existing != content && Stamped(*existing) {
			patches[0].ExpectedBeforeHash = Hash(*existing)
		}
	case normal(*existing) == draft.Content:
	case b.options.FullRewrite:
		patches = Edit(draft.Path, existing, &draft.Content)
	default:
		patches = supplement(*existing, draft.Content)
	}
	for i := range patches {
		patches[i].Path, patches[i].Section, patches[i].PageID, patches[i].Origin = draft.Path, draft.Section, draft.PageID, OriginDraft
	}
	return patches
}

// Edit makes the patches that turn one content of a file into another; nil is a
// file that does not exist. They have no ids yet. Fixers and the record of manual
// edits use it.
func Edit(path string, before, wanted *string) []artifact.Patch {
	switch {
	case before == nil && wanted == nil || before != nil && wanted != nil && normal(*before) == normal(*wanted):
		return nil
	case before == nil:
		content := normal(*wanted)
		return []artifact.Patch{{Type: CreateFile, Path: path, NewContent: &content}}
	case wanted == nil:
		return []artifact.Patch{{Type: DeleteFile, Path: path, ExpectedBeforeHash: Hash(*before)}}
	}
	a, b := linesOf(normal(*before)), linesOf(normal(*wanted))
	hunks := linediff.Compare(a, b)
	first, last := hunks[0], hunks[len(hunks)-1]
	content := textOf(b[first.B0:last.B1])
	return []artifact.Patch{{
		Type: UpdateFileRange, Path: path, StartLine: first.A0 + 1, EndLine: last.A1,
		NewContent: &content, ExpectedBeforeHash: Hash(textOf(a[first.A0:last.A1])),
	}}
}
