// Package siteprofile knows the sites that pages are made for (8): their
// sections, families, platforms and locales, where pages lie and what their URLs
// are, and which repositories belong to them.
//
// All of it is data: a profile is a YAML file, and the functions here are pure.
// Whoever needs the network passes it in as a function.
package siteprofile

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fence"
)

// A Profile is one site (8.2). Zero values stand for those of the profile
// default, which Parse fills in.
type Profile struct {
	Name             string    `yaml:"name" json:"name"`
	Generator        string    `yaml:"generator" json:"generator"` // hugo, none, command
	GeneratorCommand []string  `yaml:"generator_command" json:"generator_command,omitempty"`
	SiteRepoURL      string    `yaml:"site_repo_url" json:"site_repo_url,omitempty"` // empty: an embedded remote
	WorkflowsRepoURL string    `yaml:"workflows_repo_url" json:"workflows_repo_url,omitempty"`
	BaseURL          string    `yaml:"base_url" json:"base_url"` // of sections without a host
	DefaultLocale    string    `yaml:"default_locale" json:"default_locale"`
	Locales          []string  `yaml:"locales" json:"locales"`
	Sections         Sections  `yaml:"sections" json:"sections"`
	FamilySegment    bool      `yaml:"family_segment" json:"family_segment"` // paths and URLs name the family
	Families         Families  `yaml:"families" json:"families"`
	Platforms        Platforms `yaml:"platforms" json:"platforms"`

	ProductNameTemplate string        `yaml:"product_name_template" json:"product_name_template"`
	RepoPolicy          RepoPolicy    `yaml:"repo_policy" json:"repo_policy"`
	ProductRepos        []ProductRepo `yaml:"product_repos" json:"product_repos,omitempty"`
	RepoCandidates      []string      `yaml:"repo_candidates" json:"repo_candidates,omitempty"`
	URLPatterns         []URLPattern  `yaml:"url_patterns" json:"url_patterns"`
	FormatVocabulary    []string      `yaml:"format_vocabulary" json:"format_vocabulary"`

	AllowLocalRepos  bool `yaml:"allow_local_repos" json:"allow_local_repos"` // see LocalRepos
	RequiresTaskcard bool `yaml:"requires_taskcard" json:"requires_taskcard"`
	BroadPaths       bool `yaml:"broad_paths" json:"broad_paths"` // taskcards may allow whole trees

	localToo bool          // see AllowLocal
	patterns []repoPattern // of RepoPolicy
}

// A Section is a part of the site with pages of one kind.
type Section struct {
	ID           string `yaml:"-" json:"id"`
	Host         string `yaml:"host" json:"host,omitempty"` // empty: that of the base URL
	Root         string `yaml:"root" json:"root"`
	URLPrefix    string `yaml:"url_prefix" json:"url_prefix"`
	Localization string `yaml:"localization" json:"localization"` // dir, filename, none
	PageStyle    string `yaml:"page_style" json:"page_style"`     // flat, bundle
}

// A Family is a line of products.
type Family struct {
	Name    string   `yaml:"-" json:"name"`
	Title   string   `yaml:"title" json:"title"`
	Aliases []string `yaml:"aliases" json:"aliases,omitempty"`
}

// A Platform is what a product is made for.
type Platform struct {
	Name      string   `yaml:"-" json:"name"`
	Adapter   string   `yaml:"adapter" json:"adapter"`
	Title     string   `yaml:"title" json:"title"`
	RepoTitle string   `yaml:"repo_title" json:"repo_title"` // the title in names of repositories
	Aliases   []string `yaml:"aliases" json:"aliases,omitempty"`
}

// A RepoPolicy says which repositories a run may read (8.3).
type RepoPolicy struct {
	Hosts    []string `yaml:"hosts" json:"hosts"`
	Patterns []string `yaml:"patterns" json:"patterns"`
	// PrivateHosts are those that may have addresses of a private network;
	// whoever fetches looks them up.
	PrivateHosts []string `yaml:"private_hosts" json:"private_hosts,omitempty"`
}

// A ProductRepo is where a product is known to be.
type ProductRepo struct {
	Family   string `yaml:"family" json:"family"`
	Platform string `yaml:"platform" json:"platform"`
	Repo     string `yaml:"repo" json:"repo"`
}

// maxProfile bounds a profile file, in bytes.
const maxProfile = 1 << 20

// Parse reads a profile. Keys that it does not have are those of base, which may
// be nil; keys that no profile has are an error. All faults are told.
func Parse(text []byte, base *Profile) (*Profile, error) {
	if len(text) > maxProfile {
		return nil, errors.New("profile is too large")
	}
	p := &Profile{}
	if base != nil {
		*p = *base
		p.Name, p.Sections, p.patterns = "", nil, nil
		p.URLPatterns = nil // those of the base are for its sections
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(p); err != nil {
		return nil, fmt.Errorf("read profile: %w", plainFault(err))
	}
	if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, errors.New("read profile: there is more than one document")
	}
	p.complete()
	if err := p.validate(); err != nil {
		return nil, fmt.Errorf("profile %q: %w", p.Name, err)
	}
	return p, nil
}

// complete fills in what follows from other keys.
func (p *Profile) complete() {
	for i := range p.Sections {
		s := &p.Sections[i]
		s.Host = strings.ToLower(s.Host)
		s.Root = strings.Trim(s.Root, "/")
		s.URLPrefix = cmp.Or(s.URLPrefix, "/")
		s.Localization = cmp.Or(s.Localization, "dir")
		s.PageStyle = cmp.Or(s.PageStyle, "flat")
	}
	if p.URLPatterns == nil {
		for _, s := range p.Sections {
			p.URLPatterns = append(p.URLPatterns, URLPattern{Section: s.ID})
		}
	}
	for i := range p.URLPatterns {
		u := &p.URLPatterns[i]
		if s, known := p.Section(u.Section); known && u.Path == "" {
			u.Path = usualPath(s)
		}
	}
	for i := range p.Platforms {
		f := &p.Platforms[i]
		f.Title = cmp.Or(f.Title, titled(f.Name))
		f.RepoTitle = cmp.Or(f.RepoTitle, f.Title)
	}
	for i := range p.Families.List {
		f := &p.Families.List[i]
		f.Title = cmp.Or(f.Title, titled(f.Name))
	}
}

func titled(name string) string {
	return strings.ToUpper(name[:min(1, len(name))]) + name[min(1, len(name)):]
}

// Forms of names in profiles.
var (
	profileName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{0,62}$`)
	simpleName  = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)
	familyName  = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,62}$`)
	localeName  = regexp.MustCompile(`^[a-z]{2,3}(-[a-zA-Z0-9]{2,8})*$`)
	hostName    = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$`)
)

func (p *Profile) validate() error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if !profileName.MatchString(p.Name) {
		fault("name must match %s", profileName)
	}
	if !slices.Contains([]string{"hugo", "none", "command"}, p.Generator) {
		fault("generator must be hugo, none or command")
	}
	if (p.Generator == "command") != (len(p.GeneratorCommand) > 0) {
		fault("generator_command belongs to the generator command, and it needs one")
	}
	if base, err := url.Parse(p.BaseURL); err != nil || base.Scheme != "https" || base.Host == "" || strings.Trim(base.Path, "/") != "" || base.RawQuery != "" || base.User != nil {
		fault("base_url must be https and a host")
	}
	if !slices.Contains(p.Locales, p.DefaultLocale) {
		fault("default_locale must be one of locales")
	}
	for _, locale := range p.Locales {
		if !localeName.MatchString(locale) {
			fault("locale %q must match %s", locale, localeName)
		}
	}
	faults = append(faults, p.sectionFaults()...)
	faults = append(faults, p.nameFaults()...)
	faults = append(faults, p.repoFaults()...)
	faults = append(faults, p.urlFaults()...)
	return errors.Join(faults...)
}

func (p *Profile) sectionFaults() (faults []error) {
	if len(p.Sections) == 0 {
		return []error{errors.New("sections must not be empty")}
	}
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	places, roots := map[string]string{}, map[string]string{}
	for _, s := range p.Sections {
		if !simpleName.MatchString(s.ID) {
			fault("section %q must match %s", s.ID, simpleName)
		}
		if s.Host != "" && !hostName.MatchString(s.Host) {
			fault("section %s: host %q is not valid", s.ID, s.Host)
		}
		if _, err := fence.New([]string{s.Root + "/"}); err != nil || strings.Contains(s.Root, "*") {
			fault("section %s: root %q is not a folder of the site", s.ID, s.Root)
		}
		if !strings.HasPrefix(s.URLPrefix, "/") || !strings.HasSuffix(s.URLPrefix, "/") || s.URLPrefix != "/" && path.Clean(s.URLPrefix)+"/" != s.URLPrefix {
			fault("section %s: url_prefix must begin and end with /", s.ID)
		}
		if !slices.Contains([]string{"dir", "filename", "none"}, s.Localization) {
			fault("section %s: localization must be dir, filename or none", s.ID)
		}
		if s.PageStyle != "flat" && s.PageStyle != "bundle" {
			fault("section %s: page_style must be flat or bundle", s.ID)
		}
		place := p.Host(s) + s.URLPrefix
		if other, taken := places[place]; taken {
			fault("sections %s and %s have the same URLs", other, s.ID)
		}
		if other, taken := roots[s.Root]; taken {
			fault("sections %s and %s have the same root", other, s.ID)
		}
		places[place], roots[s.Root] = s.ID, s.ID
	}
	return faults
}

func (p *Profile) nameFaults() (faults []error) {
	taken := map[string]string{}
	claim := func(kind, name string, aliases ...string) {
		for _, word := range append([]string{name}, aliases...) {
			key := kind + " " + strings.ToLower(word)
			if other, has := taken[key]; has {
				faults = append(faults, fmt.Errorf("%s %q stands for both %s and %s", kind, word, other, name))
			}
			taken[key] = name
		}
		if !familyName.MatchString(name) {
			faults = append(faults, fmt.Errorf("%s %q must match %s", kind, name, familyName))
		}
	}
	if !p.Families.Any && len(p.Families.List) == 0 {
		faults = append(faults, errors.New("families must be any or a list"))
	}
	for _, f := range p.Families.List {
		claim("family", f.Name, f.Aliases...)
	}
	for _, f := range p.Platforms {
		claim("platform", f.Name, f.Aliases...)
		if f.Adapter == "" {
			faults = append(faults, fmt.Errorf("platform %s has no adapter", f.Name))
		}
	}
	return faults
}

// Digest is the hash of all that the profile says, for inputs_hash (4.2).
func (p *Profile) Digest() string {
	text, err := artifact.Canonical(p)
	if err != nil {
		panic(err) // a profile is plain data
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Section returns a section by its id.
func (p *Profile) Section(id string) (Section, bool) {
	at := slices.IndexFunc(p.Sections, func(s Section) bool { return s.ID == id })
	if at < 0 {
		return Section{}, false
	}
	return p.Sections[at], true
}

// SectionIDs are the sections in their order.
func (p *Profile) SectionIDs() []string {
	ids := make([]string, len(p.Sections))
	for i, s := range p.Sections {
		ids[i] = s.ID
	}
	return ids
}

// Host is the host of a section.
func (p *Profile) Host(s Section) string {
	if s.Host != "" {
		return s.Host
	}
	base, err := url.Parse(p.BaseURL)
	if err != nil {
		return ""
	}
	return strings.ToLower(base.Host)
}

// Family finds a family by name, alias or title, in any letter case. With
// families any, every well-formed slug is one.
func (p *Profile) Family(word string) (Family, bool) {
	for _, f := range p.Families.List {
		if means(word, append([]string{f.Name, f.Title}, f.Aliases...)) {
			return f, true
		}
	}
	if p.Families.Any && familyName.MatchString(word) {
		return Family{Name: word, Title: titled(word)}, true
	}
	return Family{}, false
}

// Platform finds a platform by name, alias or title, in any letter case.
func (p *Profile) Platform(word string) (Platform, bool) {
	for _, f := range p.Platforms {
		if means(word, append([]string{f.Name, f.Title, f.RepoTitle}, f.Aliases...)) {
			return f, true
		}
	}
	return Platform{}, false
}

func means(word string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, word) })
}

// PlatformNames are the platforms in their order.
func (p *Profile) PlatformNames() []string {
	var names []string
	for _, f := range p.Platforms {
		names = append(names, f.Name)
	}
	return names
}

// FamilyNames are the families in their order; none with families any.
func (p *Profile) FamilyNames() []string {
	var names []string
	for _, f := range p.Families.List {
		names = append(names, f.Name)
	}
	return names
}

// ProductName fills in the template of product names. Words that it has no value
// for are left out, with the space before them.
func (p *Profile) ProductName(family, platform string) string {
	f, _ := p.Family(family)
	name := fill(p.ProductNameTemplate, f, p.platformOrNone(platform), false)
	return strings.Join(strings.Fields(name), " ")
}

func (p *Profile) platformOrNone(word string) Platform {
	f, _ := p.Platform(word)
	return f
}

// fill puts names into a template. In repositories a platform goes by the title
// that names of repositories can have.
func fill(template string, f Family, of Platform, inRepo bool) string {
	title := of.Title
	if inRepo {
		title = of.RepoTitle
	}
	return strings.NewReplacer("{family}", f.Name, "{Family}", f.Title, "{platform}", of.Name, "{Platform}", title).Replace(template)
}
