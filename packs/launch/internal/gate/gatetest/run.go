// Package gatetest has a small run that passes all gates, for tests to break.
package gatetest

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/rulesets"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/stage/facts"
	"mcpworks/packs/launch/internal/templates"
)

// The commits of the run.
var (
	RepoSHA = strings.Repeat("a1", 20)
	SiteSHA = strings.Repeat("b2", 20)

	// SnippetID is the id of the code.
	SnippetID = strings.Repeat("e5", 32)
)

// The pages of the run.
const (
	Overview = "content/products/acme/en/overview.md"
	Index    = "content/docs/acme/en/_index.md"
	Guide    = "content/docs/acme/en/developer-guide.md"
	Old      = "content/docs/other/en/page.md" // was there before, with a fault of each kind
)

// The product and its code.
const (
	Product = "Acme Tool"
	RepoURL = "https://github.com/acme/acme-tool"
	Code    = "import acme\nacme.convert(\"a.csv\")"
)

// Texts are those of the claims, by short names. Spare is on no page.
var Texts = map[string]string{
	"intro": "Acme Tool converts CSV files to JSON.", "feature": "Acme Tool reads files with a header row.", "limit": "FBX files are not supported.",
	"step": "Run the convert command on a file.", "spare": "Acme Tool keeps the order of all 12 columns.",
}

var kinds = map[string]string{"intro": "format", "feature": "feature", "limit": "limitation", "step": "workflow", "spare": "feature"}

// ID is the id of a claim.
func ID(name string) string { return facts.ID(Texts[name], kinds[name], Product) }

// Marker is the marker of a claim.
func Marker(name string) string { return "<!-- claim_id: " + ID(name) + " -->" }

// Line is a claim with its marker.
func Line(name string) string { return Texts[name] + " " + Marker(name) }

// A Run is a run whose parts can be changed before it is looked at.
type Run struct {
	Base, Site map[string]string
	Config     *config.Config
	Profile    *siteprofile.Profile
	Rules      *rulesets.Ruleset
	Templates  *templates.Set
	Inventory  artifact.RepoInventory
	Contract   artifact.FrontmatterContract
	Context    artifact.SiteContext
	Facts      artifact.ProductFacts
	Evidence   artifact.EvidenceMap
	Catalog    artifact.SnippetCatalog
	Plan       artifact.PagePlan
	// Also changes the input after it was made.
	Also []func(*gate.Input)

	t testing.TB
}

const configText = `{"schema_version":"2.0","product_slug":"acme","product_name":"Acme Tool","family":"acme","locale":"en",
	"github_repo_url":"https://github.com/acme/acme-tool","github_ref":"REF","required_sections":["products","docs"],
	"allowed_paths":["content/products/acme/","content/docs/acme/"],"validation_profile":"PROFILE","budgets":{"max_files_changed":10}}`

const rulesText = `
editing: {forbid_deleting_existing_files: true}
hugo: {allow_shortcodes: [note]}
sections:
  products: {min_pages: 1, max_pages: 2, minimal_page: overview, mandatory_pages: [{slug: overview, page_role: landing}]}
  docs: {min_pages: 1, max_pages: 3, minimal_page: developer-guide, mandatory_pages: [{slug: _index, page_role: toc}, {slug: developer-guide, page_role: comprehensive_guide}]}
`

const oldPage = "---\nweight: x\n---\nAcme tool supports __EVERYTHING__ and more.  \n\n# A\n\n#### B\n\n<script>x</script>\n\n[gone](/docs/gone/)\n\n```\nrm -rf\n```\n"

// New makes the run for a validation profile.
func New(t testing.TB, profile string) *Run {
	t.Helper()
	r := &Run{t: t, Base: map[string]string{Old: oldPage}}
	var err error
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	r.Config, err = config.Parse([]byte(strings.NewReplacer("REF", RepoSHA, "PROFILE", profile).Replace(configText)))
	must(err)
	set, err := siteprofile.Load(nil)
	must(err)
	shared, _ := set.Get("default")
	own := *shared
	r.Profile = &own
	r.Rules, err = rulesets.Parse("ruleset.v1", []byte(rulesText))
	must(err)
	r.Templates, err = templates.Open("templates.v1")
	must(err)
	r.documents()
	r.pages()
	return r
}

func (r *Run) documents() {
	r.Inventory = artifact.RepoInventory{SchemaVersion: artifact.Version, RepoURL: RepoURL, RepoSHA: RepoSHA, SiteSHA: SiteSHA,
		RepoProfile: artifact.RepoProfile{PublicAPIScope: artifact.PublicAPIScope{Policy: "unknown"}}}
	section := artifact.SectionFrontmatter{RequiredKeys: []string{"description", "title"}, OptionalKeys: []string{"weight"},
		KeyTypes: map[string]string{"title": "string", "description": "string", "weight": "integer"}, DefaultValues: map[string]any{}}
	r.Contract = artifact.FrontmatterContract{SchemaVersion: artifact.Version, SiteSHA: SiteSHA,
		Sections: map[string]artifact.SectionFrontmatter{"products": section, "docs": section}}
	r.Context = artifact.SiteContext{SchemaVersion: artifact.Version, Site: artifact.ResolvedRepo{ResolvedSHA: SiteSHA}}
	r.Facts = artifact.ProductFacts{SchemaVersion: artifact.Version, ProductName: Product, ProductSlug: "acme", RepoURL: RepoURL, RepoSHA: RepoSHA,
		Positioning:  artifact.Positioning{ShortDescription: Texts["intro"]},
		ClaimGroups:  artifact.ClaimGroups{KeyFeatures: []string{ID("feature"), ID("spare")}, Limitations: []string{ID("limit")}, WorkflowClaims: []string{ID("step")}},
		Distribution: []artifact.Distribution{{Method: "pip", Identifier: "acme-tool", InstallCommands: []string{"pip install acme-tool"}}},
		APISurface:   artifact.APISurface{Functions: []string{"convert"}},
		Workflows:    []artifact.Workflow{{Tag: "convert", Title: "Convert a file", ClaimIDs: []string{ID("step")}}},
	}
	r.Evidence = artifact.EvidenceMap{SchemaVersion: artifact.Version, RepoURL: RepoURL, RepoSHA: RepoSHA}
	for i, name := range slices.Sorted(maps.Keys(Texts)) {
		claim := artifact.Claim{ID: ID(name), Text: Texts[name], Kind: kinds[name], TruthStatus: "fact", Confidence: "low", Audience: "user_facing"}
		r.Facts.Claims = append(r.Facts.Claims, claim)
		r.Evidence.Claims = append(r.Evidence.Claims, artifact.EvidenceClaim{Claim: claim, SourcePriority: 6,
			Citations: []artifact.Citation{{Path: "README.md", StartLine: i + 1, EndLine: i + 1, SourceType: "readme"}}})
	}
	r.Catalog = artifact.SnippetCatalog{SchemaVersion: artifact.Version, Snippets: []artifact.Snippet{{
		ID: SnippetID, Language: "python", Tags: []string{"convert"}, Code: Code + "\n", Validation: artifact.SnippetValidation{RunnableOK: "unknown"},
		Source: artifact.SnippetSource{Type: "repo_file", Path: "examples/convert.py", StartLine: 1, EndLine: 2},
	}}}
}

// Repo is the product's repository.
func Repo() fs.FS {
	var readme strings.Builder
	for _, name := range slices.Sorted(maps.Keys(Texts)) {
		readme.WriteString(Texts[name] + "\n")
	}
	return fstest.MapFS{"README.md": {Data: []byte(readme.String())}}
}

func (r *Run) pages() {
	const place = "templates.v1/default/"
	names := map[string]string{"PRODUCT_NAME": Product, "SUBJECT": "x"}
	r.Plan = artifact.PagePlan{SchemaVersion: artifact.Version, ProductSlug: "acme", LaunchTier: "standard", Pages: []artifact.Page{
		{ID: "products/overview", Section: "products", Slug: "overview", Locale: "en", OutputPath: Overview, URLPath: "/products/acme/overview/", Title: Product,
			Purpose: "What Acme Tool is.", Role: "landing", TemplatePath: place + "products/overview.md", TokenMappings: names,
			RequiredHeadings: []string{"Key features", "Install", "Limitations", "Learn more"}, RequiredClaimIDs: []string{ID("intro"), ID("feature"), ID("limit")},
			CrossLinks: []artifact.CrossLink{{Title: "Acme Tool documentation", URL: "https://site.example/docs/acme/"}},
			Strategy:   artifact.ContentStrategy{PrimaryFocus: "what it is", ForbiddenTopics: []string{"troubleshooting"}, ClaimQuota: artifact.ClaimQuota{Min: 1, Max: 3}}},
		{ID: "docs/_index", Section: "docs", Slug: "_index", Locale: "en", OutputPath: Index, URLPath: "/docs/acme/", Title: "Acme Tool documentation",
			Purpose: "The pages.", Role: "toc", TemplatePath: place + "docs/_index.md", TokenMappings: names, RequiredHeadings: []string{"Pages"},
			Strategy: artifact.ContentStrategy{PrimaryFocus: "the way", ClaimQuota: artifact.ClaimQuota{Max: 2}, ChildPages: []artifact.ChildPage{
				{Title: "Acme Tool developer guide", URL: "/docs/acme/developer-guide/", Purpose: "Common tasks with Acme Tool."}}}},
		{ID: "docs/developer-guide", Section: "docs", Slug: "developer-guide", Locale: "en", OutputPath: Guide, URLPath: "/docs/acme/developer-guide/",
			Title: "Acme Tool developer guide", Purpose: "Common tasks with Acme Tool.", Role: "comprehensive_guide", TemplatePath: place + "docs/developer-guide.md",
			TokenMappings: names, RequiredHeadings: []string{"Tasks"}, RequiredClaimIDs: []string{ID("step")}, SnippetIDs: []string{SnippetID},
			Strategy: artifact.ContentStrategy{PrimaryFocus: "tasks", ScenarioCoverage: "all", ForbiddenTopics: []string{"installation"}, ClaimQuota: artifact.ClaimQuota{Min: 1, Max: 50}}},
	}}
	head := func(title, description string) string {
		return "---\ntitle: " + title + "\ndescription: " + description + "\n---\n"
	}
	r.Site = map[string]string{
		Old: oldPage,
		Overview: head(Product, "What Acme Tool is.") + Line("intro") + "\n\n## Key features\n\n- " + Line("feature") +
			"\n\n## Install\n\n```bash\npip install acme-tool\n```\n\n## Limitations\n\n- " + Line("limit") +
			"\n\n## Learn more\n\n- [Acme Tool documentation](https://site.example/docs/acme/)\n- [Source code](" + RepoURL + ")\n",
		Index: head("Acme Tool documentation", "The pages.") + "## Pages\n\n- [Acme Tool developer guide](/docs/acme/developer-guide/) - Common tasks with Acme Tool.\n",
		Guide: head("Acme Tool developer guide", "Common tasks with Acme Tool.") + "## Tasks\n\n### Convert a file\n\n- " + Line("step") +
			"\n\n```python\n" + Code + "\n```\n\nSource: [examples/convert.py](" + RepoURL + "/blob/" + RepoSHA + "/examples/convert.py#L1-L2)\n",
	}
}

// Replace changes a page.
func (r *Run) Replace(file, old, with string) {
	r.t.Helper()
	if !strings.Contains(r.Site[file], old) {
		r.t.Fatalf("%s does not have %q", file, old)
	}
	r.Site[file] = strings.ReplaceAll(r.Site[file], old, with)
}

// Page is the plan of a page.
func (r *Run) Page(file string) *artifact.Page {
	return &r.Plan.Pages[slices.IndexFunc(r.Plan.Pages, func(p artifact.Page) bool { return p.OutputPath == file })]
}

// Claim is the evidence for a claim.
func (r *Run) Claim(name string) *artifact.EvidenceClaim {
	return &r.Evidence.Claims[slices.IndexFunc(r.Evidence.Claims, func(c artifact.EvidenceClaim) bool { return c.ID == ID(name) })]
}

// Input is the run as gates see it.
func (r *Run) Input() gate.Input {
	r.t.Helper()
	in := gate.Input{
		Base: Tree(r.Base), Site: Tree(r.Site), Repo: Repo(), Config: r.Config, Profile: r.Profile, Product: siteprofile.Product{Family: "acme"},
		Rules: r.Rules, Templates: r.Templates, Documents: map[string][]byte{}, InputsHash: strings.Repeat("c", 64), TreeHash: strings.Repeat("d", 64),
	}
	bundle := artifact.PatchBundle{SchemaVersion: artifact.Version, BaseSHA: SiteSHA}
	for _, file := range slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(slices.Collect(maps.Keys(r.Site)), maps.Keys(r.Base))))) {
		before, now := text(r.Base, file), text(r.Site, file)
		if before != nil && now != nil && *before == *now {
			continue
		}
		in.Changed = append(in.Changed, file)
		for _, p := range patch.Edit(file, before, now) {
			p.Origin = patch.OriginDraft
			bundle.Patches = append(bundle.Patches, p)
		}
	}
	if err := patch.Number(bundle.Patches); err != nil {
		r.t.Fatal(err)
	}
	for name, document := range map[string]any{
		artifact.RepoInventoryName: r.Inventory, artifact.FrontmatterContractName: r.Contract, artifact.SiteContextName: r.Context,
		artifact.HugoFactsName:    artifact.HugoFacts{SchemaVersion: artifact.Version, DefaultLanguage: "en"},
		artifact.ProductFactsName: r.Facts, artifact.EvidenceMapName: r.Evidence, artifact.SnippetCatalogName: r.Catalog, artifact.PagePlanName: r.Plan,
		artifact.TruthLockReportName: artifact.TruthLockReport{SchemaVersion: artifact.Version}, artifact.PatchBundleName: bundle,
		artifact.DraftManifestName: artifact.DraftManifest{SchemaVersion: artifact.Version},
	} {
		Put(r.t, &in, name, document)
	}
	for _, also := range r.Also {
		also(&in)
	}
	return in
}

// text is a file, or nil.
func text(files map[string]string, name string) *string {
	if content, has := files[name]; has {
		return &content
	}
	return nil
}

// Put encodes a document into an input.
func Put(t testing.TB, in *gate.Input, name string, document any) {
	t.Helper()
	text, err := artifact.Encode(document)
	if err != nil {
		t.Fatal(err)
	}
	in.Documents[name] = text
}

// Tree makes a tree of texts.
func Tree(files map[string]string) fstest.MapFS {
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return tree
}
