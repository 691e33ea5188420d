// Package rulesets holds the rules that pages are planned and written by (8.7).
package rulesets

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Files has a file <version>.yaml for each ruleset that comes with the program.
//
//go:embed *.yaml
var Files embed.FS

// A Ruleset is one version of the rules.
type Ruleset struct {
	Version string `yaml:"-"`
	Digest  string `yaml:"-"` // of the file, in hexadecimal digits

	Style   Style    `yaml:"style"`
	Truth   Truth    `yaml:"truth"`
	Editing Editing  `yaml:"editing"`
	Hugo    Hugo     `yaml:"hugo"`
	Claims  Claims   `yaml:"claims"`
	Listed  sections `yaml:"sections"` // see Sections
	// FamilyOverrides add to the sections for the products of a family.
	FamilyOverrides map[string]Override `yaml:"family_overrides"`
}

// Style is how text sounds.
type Style struct {
	Tone                string   `yaml:"tone"`
	Audience            string   `yaml:"audience"`
	ForbidSuperlatives  bool     `yaml:"forbid_marketing_superlatives"`
	ForbidEmDash        bool     `yaml:"forbid_em_dash"`
	ForbiddenWeaselWord []string `yaml:"forbid_weasel_words"`
}

// Truth is what may be stated.
type Truth struct {
	NoUncitedFacts        bool `yaml:"no_uncited_facts"`
	ForbidInferredFormats bool `yaml:"forbid_inferred_formats"`
	AllowInference        bool `yaml:"allow_inference"`
}

// Editing is what may be done to existing files.
type Editing struct {
	DiffOnly          bool `yaml:"diff_only"`
	ForbidFullRewrite bool `yaml:"forbid_full_rewrite_existing_files"`
	ForbidDeleting    bool `yaml:"forbid_deleting_existing_files"`
}

// Hugo is what pages may have beside Markdown.
type Hugo struct {
	AllowShortcodes []string `yaml:"allow_shortcodes"`
	ForbidRawHTML   bool     `yaml:"forbid_raw_html_except_claim_markers"`
}

// Claims is how statements are marked.
type Claims struct {
	MarkerStyle     string `yaml:"marker_style"`
	RemoveOnPublish bool   `yaml:"remove_markers_on_publish"`
}

// A Section is what a section of the site has to have.
type Section struct {
	ID       string `yaml:"-"`
	MinPages int    `yaml:"min_pages"`
	MaxPages int    `yaml:"max_pages"`
	// MinimalPage is the one page of the section in the tier minimal.
	MinimalPage string `yaml:"minimal_page"`
	Mandatory   []Page `yaml:"mandatory_pages"`
	// IfEvidence are pages that the section has where there is something to say
	// on them.
	IfEvidence []Page   `yaml:"pages_if_evidence"`
	Optional   []Policy `yaml:"optional_page_policies"`
	Style      Style    `yaml:"style_by_section"`
	Limits     Limits   `yaml:"limits_by_section"`
}

// A Page is one that a section has.
type Page struct {
	Slug string `yaml:"slug"`
	Role string `yaml:"page_role"`
}

// A Policy says what further pages are made of.
type Policy struct {
	Role     string `yaml:"page_role"`
	Source   string `yaml:"source"` // per_feature, per_workflow, per_key_feature, per_api_symbol, per_deep_dive
	Priority int    `yaml:"priority"`
}

// Limits bound a page; 0 is no bound.
type Limits struct {
	MaxWords      int `yaml:"max_words"`
	MaxHeadings   int `yaml:"max_headings"`
	MaxCodeBlocks int `yaml:"max_code_blocks"`
}

// An Override adds pages and policies to sections.
type Override struct {
	Sections map[string]Section `yaml:"sections"`
}

// sections keeps the order in which the file has them.
type sections []Section

func (s *sections) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: sections are not a table", node.Line)
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		var section Section
		if err := strictly(node.Content[i+1], &section); err != nil {
			return err
		}
		section.ID = node.Content[i].Value
		*s = append(*s, section)
	}
	return nil
}

// strictly decodes a node and refuses keys that its type does not have.
func strictly(node *yaml.Node, into any) error {
	text, err := yaml.Marshal(node)
	if err != nil {
		return err
	}
	return decode(text, into)
}

func decode(text []byte, into any) error {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	return decoder.Decode(into)
}

var version = regexp.MustCompile(`^[a-z][a-z0-9]*\.v[0-9]+$`)

// Open reads a ruleset. Dirs are looked at in order; Files comes after them.
func Open(name string, dirs ...fs.FS) (*Ruleset, error) {
	if !version.MatchString(name) {
		return nil, fmt.Errorf("%q is not the name of a ruleset", name)
	}
	for _, dir := range append(slices.Clone(dirs), Files) {
		text, err := fs.ReadFile(dir, name+".yaml")
		if err == nil {
			return Parse(name, text)
		}
	}
	return nil, fmt.Errorf("there is no ruleset %q", name)
}

// Parse reads the text of a ruleset. Keys that no ruleset has are an error.
func Parse(name string, text []byte) (*Ruleset, error) {
	rules := &Ruleset{}
	if err := decode(text, rules); err != nil {
		return nil, fmt.Errorf("ruleset %s: %w", name, err)
	}
	sum := sha256.Sum256(text)
	rules.Version, rules.Digest = name, hex.EncodeToString(sum[:])
	for _, section := range rules.Listed {
		if section.MinPages < 1 || section.MaxPages < section.MinPages || len(section.Mandatory) == 0 {
			return nil, fmt.Errorf("ruleset %s: section %s needs 1 <= min_pages <= max_pages and a mandatory page", name, section.ID)
		}
	}
	return rules, nil
}

// Sections are those of the ruleset with what is added for a family; pages with
// the same slug are one page (6.4(3)).
func (r *Ruleset) Sections(family string) []Section {
	override := r.FamilyOverrides[family]
	merged := make([]Section, 0, len(r.Listed))
	for _, section := range r.Listed {
		more := override.Sections[section.ID]
		section.MinPages, section.MaxPages = max(section.MinPages, more.MinPages), max(section.MaxPages, more.MaxPages)
		section.Mandatory = unique(slices.Concat(section.Mandatory, more.Mandatory))
		section.IfEvidence = unique(slices.Concat(section.IfEvidence, more.IfEvidence))
		section.Optional = slices.Concat(section.Optional, more.Optional)
		merged = append(merged, section)
	}
	return merged
}

func unique(pages []Page) []Page {
	var kept []Page
	for _, page := range pages {
		if !slices.ContainsFunc(kept, func(other Page) bool { return other.Slug == page.Slug }) {
			kept = append(kept, page)
		}
	}
	return kept
}
