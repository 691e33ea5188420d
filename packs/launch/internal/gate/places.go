package gate

import (
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/siteprofile"
)

// places are the addresses that a site has.
type places struct {
	pages     map[string]string // file by host and path
	addresses map[string]string // the other way round
	hosts     []string
}

// mostPages bounds how many pages of a site are looked at.
const mostPages = 200_000

// index finds the addresses of all pages, planned ones included.
func (v *View) index() *places {
	if v.places != nil {
		return v.places
	}
	v.places = &places{pages: map[string]string{}, addresses: map[string]string{}}
	for _, s := range v.Profile.Sections {
		v.places.hosts = append(v.places.hosts, v.Profile.Host(s))
		_ = fs.WalkDir(v.Site, s.Root, func(file string, entry fs.DirEntry, err error) error {
			if len(v.places.pages) >= mostPages {
				return fs.SkipAll
			}
			if err == nil && entry.Type().IsRegular() && isPage(file) {
				v.addPlace(file)
			}
			return nil // what cannot be read has no address
		})
	}
	for _, plan := range v.Plan.Pages {
		v.places.put(v.hostOf(plan.Section)+clean(plan.URLPath), plan.OutputPath)
	}
	return v.places
}

func (p *places) put(address, file string) { p.pages[address], p.addresses[file] = file, address }

// addPlace finds the address of a file: that of layout v1, since a platform's
// folder stands in the address wherever it stands in the path.
func (v *View) addPlace(file string) {
	place, err := v.Profile.Locate(file, siteprofile.V1)
	if !v.Profile.FamilySegment {
		place.Family = v.Product.Family
	}
	at := ""
	if err == nil {
		at, err = v.Profile.URLPath(place, v.Hugo.DefaultLanguageInSubdir)
	}
	if err == nil {
		v.places.put(v.hostOf(place.Section)+clean(at), file)
	} else if address, known := v.plainAddress(file); known {
		v.places.put(address, file)
	}
}

// plainAddress is that of a file which lies outside of the layout: its path below
// the root of its section.
func (v *View) plainAddress(file string) (string, bool) {
	section := v.sectionOf(sitePage{Path: file})
	s, known := v.Profile.Section(section)
	if !known {
		return "", false
	}
	below := strings.TrimSuffix(strings.TrimPrefix(file, s.Root+"/"), ".md")
	if base := path.Base(below); base == "_index" || base == "index" {
		below = path.Dir(below)
	}
	return v.hostOf(section) + clean(path.Join("/", s.URLPrefix, below)), true
}

func clean(address string) string { return path.Clean("/" + address) }

// A target is what a link leads to.
type target struct {
	outside bool   // not this site
	file    string // a page of it; empty if there is none
	found   bool   // a page or another file
	anchor  string
	kind    string // the code if it is broken
}

// resolve says where a link of a page leads.
func (v *View) resolve(from, link string) target {
	parsed, err := url.Parse(strings.TrimSpace(link))
	if err != nil {
		return target{kind: CodeLinkInternal}
	}
	t := target{anchor: parsed.Fragment, kind: CodeLinkRelative}
	at := v.index()
	section := v.sectionOf(sitePage{Path: from, Plan: v.planned[from]})
	host := v.hostOf(section)
	switch {
	case parsed.Host != "":
		if !slices.Contains(at.hosts, strings.ToLower(parsed.Host)) || parsed.Scheme != "" && parsed.Scheme != "https" && parsed.Scheme != "http" {
			return target{outside: true}
		}
		host, t.kind = strings.ToLower(parsed.Host), CodeLinkInternal
	case parsed.Scheme != "":
		return target{outside: true}
	case parsed.Path == "":
		t.file, t.found = from, true
		return t
	case strings.HasPrefix(parsed.Path, "/"):
		t.kind = CodeLinkInternal
	default:
		return v.resolveRelative(t, from, host, parsed.Path)
	}
	t.file = at.pages[host+clean(parsed.Path)]
	t.found = t.file != "" || v.isAsset(parsed.Path)
	return t
}

// resolveRelative tries what a browser sees and what an editor sees.
func (v *View) resolveRelative(t target, from, host, link string) target {
	at := v.index()
	if own, known := at.addresses[from]; known {
		if t.file = at.pages[host+clean(path.Join(strings.TrimPrefix(own, host), link))]; t.file != "" {
			t.found = true
			return t
		}
	}
	for _, file := range []string{path.Join(path.Dir(from), link), path.Join(path.Dir(from), link+".md"), path.Join(path.Dir(from), link, "_index.md"), path.Join(path.Dir(from), link, "index.md")} {
		if !strings.HasPrefix(file, "../") && exists(v.Site, file) {
			t.found = true
			if isPage(file) {
				t.file = file
			}
			return t
		}
	}
	return t
}

// isAsset says whether an absolute path is a file that is served as it is.
func (v *View) isAsset(address string) bool {
	name := strings.TrimPrefix(clean(address), "/")
	return name != "" && name != "." && !strings.HasSuffix(address, "/") && (exists(v.Site, "static/"+name) || exists(v.Site, "content/"+name))
}

// hasAnchor says whether a page has a heading or a mark of a name.
func (v *View) hasAnchor(file, anchor string) bool {
	p, err := v.Page(file)
	if err != nil {
		return false
	}
	for _, title := range p.Titles {
		if title.ID == anchor {
			return true
		}
	}
	bare := p.Bare()
	return anchor == "top" || strings.Contains(bare, `id="`+anchor+`"`) || strings.Contains(bare, `name="`+anchor+`"`)
}
