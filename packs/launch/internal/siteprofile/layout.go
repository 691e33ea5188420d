package siteprofile

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A Layout says whether paths and URLs name the platform (C-19).
type Layout string

// The layouts.
const (
	V1 Layout = "v1" // without the platform
	V2 Layout = "v2" // with it
)

// ChooseLayout settles layout_mode: auto is v2 if a platform was asked for or
// exactly one was found.
func ChooseLayout(mode, targetPlatform string, detected []string) (Layout, error) {
	switch mode {
	case "v1":
		return V1, nil
	case "v2":
		if targetPlatform == "" && len(detected) != 1 {
			return "", errors.New("layout v2 needs a platform")
		}
		return V2, nil
	case "", "auto":
		if targetPlatform != "" || len(detected) == 1 {
			return V2, nil
		}
		return V1, nil
	}
	return "", fmt.Errorf("layout mode %q is not auto, v1 or v2", mode)
}

// A Style says whether a leaf page is a file or a folder with an index.
type Style string

// The styles.
const (
	Flat   Style = "flat"
	Bundle Style = "bundle"
)

// A Product is what the pages of a run are about.
type Product struct {
	Family   string
	Platform string // empty in layout v1
}

// A Page is the place of a page in a site.
type Page struct {
	Product
	Section string
	Locale  string
	Sub     []string // folders below the product's
	Slug    string   // empty for the index of its folder
	Style   Style    // of a leaf; empty means that of the section
}

// segment is a name that paths and URLs can have as it is.
var segment = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,99}$`)

func (p *Profile) check(page Page) (Section, error) {
	s, known := p.Section(page.Section)
	if !known {
		return s, fmt.Errorf("section %q is not one of %s", page.Section, strings.Join(p.SectionIDs(), ", "))
	}
	if !slices.Contains(p.Locales, page.Locale) {
		return s, fmt.Errorf("locale %q is not one of %s", page.Locale, strings.Join(p.Locales, ", "))
	}
	names := slices.Concat(page.Sub, []string{page.Family})
	for _, name := range []string{page.Platform, page.Slug} {
		if name != "" {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if !segment.MatchString(name) || strings.HasSuffix(name, ".") {
			return s, fmt.Errorf("%q cannot be part of a path", name)
		}
	}
	return s, nil
}

// Root is the folder of a product in a section, without a slash at its end
// (8.4). The section's name is no part of it, except by its root (C-21).
func (p *Profile) Root(section string, product Product, locale string) (string, error) {
	s, err := p.check(Page{Product: product, Section: section, Locale: locale})
	if err != nil {
		return "", err
	}
	return path.Join(slices.Concat([]string{s.Root}, p.folders(s, product, locale))...), nil
}

func (p *Profile) folders(s Section, product Product, locale string) []string {
	var folders []string
	if p.FamilySegment {
		folders = append(folders, product.Family)
	}
	if s.Localization == "dir" {
		folders = append(folders, locale)
	}
	if product.Platform != "" {
		folders = append(folders, product.Platform)
	}
	return folders
}

// Path is the file of a page.
func (p *Profile) Path(page Page) (string, error) {
	s, err := p.check(page)
	if err != nil {
		return "", err
	}
	ext := ".md"
	if s.Localization == "filename" && page.Locale != p.DefaultLocale {
		ext = "." + page.Locale + ".md"
	}
	parts := slices.Concat([]string{s.Root}, p.folders(s, page.Product, page.Locale), page.Sub)
	style := page.Style
	if style == "" {
		style = Style(s.PageStyle)
	}
	switch {
	case page.Slug == "":
		parts = append(parts, "_index"+ext)
	case style == Bundle:
		parts = append(parts, page.Slug, "index"+ext)
	default:
		parts = append(parts, page.Slug+ext)
	}
	return path.Join(parts...), nil
}

// URLPath is the path of a page's URL. The locale stands in it for languages
// other than the default one, or for all if the site has that in a folder too
// (C-20).
func (p *Profile) URLPath(page Page, defaultInSubdir bool) (string, error) {
	s, err := p.check(page)
	if err != nil {
		return "", err
	}
	var parts []string
	if page.Locale != p.DefaultLocale || defaultInSubdir {
		parts = append(parts, page.Locale)
	}
	parts = append(parts, strings.Trim(s.URLPrefix, "/"))
	if p.FamilySegment {
		parts = append(parts, page.Family)
	}
	parts = append(parts, page.Platform)
	parts = slices.Concat(parts, page.Sub, []string{page.Slug})
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	if len(parts) == 0 {
		return "/", nil
	}
	return "/" + strings.Join(parts, "/") + "/", nil
}

// URL is the whole address of a page, given its path.
func (p *Profile) URL(section, urlPath string) string {
	s, _ := p.Section(section)
	return "https://" + p.Host(s) + urlPath
}

// Locate reads the place of a page from its file. It is the inverse of Path for
// the products of a run: the layout says whether a platform stands in the path.
func (p *Profile) Locate(file string, layout Layout) (Page, error) {
	s, rest, found := p.sectionOf(file)
	if !found {
		return Page{}, fmt.Errorf("%s is in no section of the site", file)
	}
	page := Page{Section: s.ID, Locale: p.DefaultLocale}
	folders := strings.Split(rest, "/")
	name := folders[len(folders)-1]
	folders = folders[:len(folders)-1]
	take := func(into *string) error {
		if len(folders) == 0 {
			return fmt.Errorf("%s is not deep enough for the layout", file)
		}
		*into, folders = folders[0], folders[1:]
		return nil
	}
	var err error
	if p.FamilySegment {
		err = take(&page.Family)
	}
	if s.Localization == "dir" {
		err = errors.Join(err, take(&page.Locale))
	}
	if layout == V2 {
		err = errors.Join(err, take(&page.Platform))
	}
	if err != nil {
		return Page{}, err
	}
	page.Sub = folders
	if err := p.locateName(s, name, &page); err != nil {
		return Page{}, err
	}
	if back, err := p.Path(p.withFamily(page)); err != nil || back != file {
		return Page{}, fmt.Errorf("%s does not fit the layout", file)
	}
	return page, nil
}

// withFamily gives a page of a site without family segments some family, since a
// page must have one.
func (p *Profile) withFamily(page Page) Page {
	if !p.FamilySegment {
		page.Family = "x"
	}
	return page
}

func (p *Profile) sectionOf(file string) (Section, string, bool) {
	var best Section
	rest, found := "", false
	for _, s := range p.Sections {
		if below, is := strings.CutPrefix(file, s.Root+"/"); is && len(s.Root) > len(best.Root) {
			best, rest, found = s, below, true
		}
	}
	return best, rest, found
}

// locateName reads the last part of a path: the slug, the style and, where file
// names have it, the locale.
func (p *Profile) locateName(s Section, name string, page *Page) error {
	base, is := strings.CutSuffix(name, ".md")
	if !is {
		return fmt.Errorf("%s is not a page", name)
	}
	if s.Localization == "filename" {
		if ext := strings.TrimPrefix(path.Ext(base), "."); ext != p.DefaultLocale && slices.Contains(p.Locales, ext) {
			page.Locale, base = ext, strings.TrimSuffix(base, "."+ext)
		}
	}
	switch {
	case base == "_index":
	case base == "index" && len(page.Sub) > 0:
		page.Style, page.Slug = Bundle, page.Sub[len(page.Sub)-1]
		page.Sub = page.Sub[:len(page.Sub)-1]
	default:
		page.Style, page.Slug = Flat, base
	}
	return nil
}

// AllowedPaths are the folders of a product in all its sections and locales, each
// with a slash at its end: what a run may write unless it is told otherwise.
func (p *Profile) AllowedPaths(sections []string, product Product, locales []string) ([]string, error) {
	var paths []string
	for _, section := range sections {
		for _, locale := range locales {
			root, err := p.Root(section, product, locale)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(paths, root+"/") {
				paths = append(paths, root+"/")
			}
		}
	}
	return paths, nil
}

// sampled is how many siblings decide about the style of pages.
const sampled = 50

// DominantStyle is the style of the leaf pages below a folder, given all their
// files: one that 70 % of the first 50 have, else that of the section.
func (s Section) DominantStyle(files []string) Style {
	files = slices.Sorted(slices.Values(files))
	flat, bundle := 0, 0
	for _, file := range files {
		switch name := path.Base(file); {
		case flat+bundle == sampled:
		case !strings.HasSuffix(name, ".md") || strings.HasPrefix(name, "_index."):
		case strings.HasPrefix(name, "index."):
			bundle++
		default:
			flat++
		}
	}
	switch all := flat + bundle; {
	case all > 0 && flat*10 >= all*7:
		return Flat
	case all > 0 && bundle*10 >= all*7:
		return Bundle
	}
	return Style(s.PageStyle)
}

// An Override is what a run says about the layout of a site that the profile
// says otherwise: site_layout of its config (4.1).
type Override struct {
	ContentRoot  string            // instead of the first folder of all roots
	Roots        map[string]string // by section
	Localization map[string]string // by section
}

// With returns the profile with another layout.
func (p *Profile) With(o Override) (*Profile, error) {
	changed := *p
	changed.Sections = slices.Clone(p.Sections)
	for _, sections := range []map[string]string{o.Roots, o.Localization} {
		for _, id := range slices.Sorted(maps.Keys(sections)) {
			if _, known := p.Section(id); !known {
				return nil, fmt.Errorf("site_layout: section %q is not one of %s", id, strings.Join(p.SectionIDs(), ", "))
			}
		}
	}
	for i := range changed.Sections {
		s := &changed.Sections[i]
		if root := strings.Trim(o.Roots[s.ID], "/"); root != "" {
			s.Root = root
		} else if o.ContentRoot != "" {
			_, below, _ := strings.Cut(s.Root, "/")
			s.Root = path.Join(strings.Trim(o.ContentRoot, "/"), below)
		}
		if mode := o.Localization[s.ID]; mode != "" {
			s.Localization = mode
		}
	}
	if err := changed.validate(); err != nil {
		return nil, fmt.Errorf("site_layout: %w", err)
	}
	return &changed, nil
}
