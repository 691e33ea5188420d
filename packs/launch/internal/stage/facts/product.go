package facts

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/document"
	"mcpworks/packs/launch/internal/manifest"
	"mcpworks/packs/launch/internal/redact"
	"mcpworks/packs/launch/internal/sourcecode"
)

// facts is product_facts.json.
func (b *builder) facts() artifact.ProductFacts {
	inventory, run := b.in.Inventory, b.in.Config
	f := artifact.ProductFacts{
		SchemaVersion: artifact.Version, ProductName: run.ProductName, ProductSlug: run.ProductSlug, RepoURL: inventory.RepoURL, RepoSHA: inventory.RepoSHA,
		Positioning: b.positioning(), ClaimGroups: b.groups(), SupportedFormats: b.formats(), Workflows: b.workflows(),
		APISurface: b.surface(), Examples: b.examples(), Distribution: b.distribution(), CodeStructure: slices.Clone(inventory.SourceRoots),
		RepositoryHealth: artifact.RepositoryHealth{
			CIPresent: len(inventory.CIPaths) > 0, CIPaths: inventory.CIPaths, TestsPresent: inventory.TestFileCount > 0, TestFileCount: inventory.TestFileCount,
			RecommendedTestCommands: inventory.RepoProfile.RecommendedTestCommands,
		},
	}
	for _, c := range b.claims {
		if b.isKept(c) {
			f.Claims = append(f.Claims, c.artifact())
		}
	}
	f.Limitations = f.ClaimGroups.Limitations
	b.describe(&f)
	return f
}

func (c *claim) artifact() artifact.Claim {
	return artifact.Claim{ID: c.id, Text: c.text, Kind: c.kind, TruthStatus: c.truth(), Confidence: c.confidence(), Audience: c.audience}
}

// describe adds what manifests say; those nearest to the root first.
func (b *builder) describe(f *artifact.ProductFacts) {
	if target := b.in.Config.TargetPlatform; target != "" {
		f.SupportedPlatforms = append(f.SupportedPlatforms, target)
	}
	f.License = b.in.Inventory.Fingerprint.LicenseSPDX
	for _, m := range b.manifests() {
		f.SupportedPlatforms = append(f.SupportedPlatforms, m.Platform)
		if f.Version == "" {
			f.Version = safe(m.Version.Value)
		}
		if f.License == "" {
			f.License = safe(m.License.Value)
		}
		if m.Runtime.Value != "" && safe(m.Runtime.Value) != "" {
			f.RuntimeRequirements = append(f.RuntimeRequirements, m.RuntimeName+" "+m.Runtime.Value)
		}
		for _, dependency := range m.Dependencies {
			if safe(dependency) != "" {
				f.Dependencies = append(f.Dependencies, dependency)
			}
		}
	}
	if f.Version == "" {
		f.Version = safe(strings.TrimPrefix(b.in.Inventory.Fingerprint.LatestReleaseTag, "v"))
	}
	for _, list := range []*[]string{&f.SupportedPlatforms, &f.RuntimeRequirements, &f.Dependencies} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
}

// manifests are those whose package could be installed or has no name, nearest to
// the root first.
func (b *builder) manifests() []manifest.Manifest {
	list := slices.DeleteFunc(slices.Clone(b.sources.manifests), func(m manifest.Manifest) bool {
		_, ok := m.Install()
		return !ok && m.Name.Value != "" && !m.Private
	})
	slices.SortStableFunc(list, func(a, c manifest.Manifest) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Path, "/"), strings.Count(c.Path, "/")), cmp.Compare(a.Path, c.Path))
	})
	return list
}

// inert is what a value of a manifest may consist of to be repeated.
var inert = regexp.MustCompile(`^[\pL\pN@][\pL\pN @/:.,+*~^_()-]{0,99}$|^[<>=!~^|,. *\d]+[\w.,<>=!~^|* -]{0,60}$`)

func safe(value string) string {
	if !inert.MatchString(value) || len(redact.Find(value)) > 0 {
		return ""
	}
	return value
}

// distribution is how the packages are installed (6.2(7)).
func (b *builder) distribution() []artifact.Distribution {
	var list []artifact.Distribution
	for _, m := range b.manifests() {
		install, ok := m.Install()
		if !ok {
			continue
		}
		entry := artifact.Distribution{Method: install.Method, Identifier: install.Identifier, InstallCommands: []string{install.Command}}
		if !slices.ContainsFunc(list, func(d artifact.Distribution) bool {
			return d.Method == entry.Method && d.Identifier == entry.Identifier
		}) {
			list = append(list, entry)
		}
	}
	return list
}

var madeFor = regexp.MustCompile(`(?i)\b(?:made|built|designed|intended|written|meant|aimed) (?:for|at)\b|\bfor (?:developers|engineers|teams|data scientists|researchers|administrators)\b`)

// positioning is how the README introduces the product; the manifest stands in
// for it (6.2(11)).
func (b *builder) positioning() artifact.Positioning {
	var p artifact.Positioning
	if readme := b.rootReadme(); readme != nil {
		title, line := readme.First()
		p.Tagline = presentable(title)
		p.ShortDescription, p.WhoItIsFor = introduction(readme.Document, line)
	}
	for _, m := range b.manifests() {
		if description := presentable(m.Description.Value); p.ShortDescription == "" {
			p.ShortDescription = description
		}
	}
	if p.Tagline == "" {
		p.Tagline = p.ShortDescription
	}
	return p
}

// introduction is the first paragraph below a line, before the next heading, and
// the sentence of it that says who the product is for.
func introduction(d document.Document, line int) (text, audience string) {
	end := 0
	for _, heading := range d.Headings {
		if heading.Line > line && end == 0 {
			end = heading.Line
		}
	}
	var sentences []string
	last := 0
	for _, block := range d.Blocks {
		if block.Start < line || end > 0 && block.Start > end || last > 0 && (block.Start > last+1 || block.Kind != document.Sentence) {
			continue
		}
		if block.Kind != document.Sentence || presentable(block.Text) == "" {
			continue
		}
		sentences, last = append(sentences, presentable(block.Text)), block.End
		if audience == "" && madeFor.MatchString(block.Text) {
			audience = presentable(block.Text)
		}
	}
	return strings.Join(sentences, " "), audience
}

// presentable is text for a page, or empty if it is not fit for one.
func presentable(text string) string {
	if len(text) > maxClaim {
		return ""
	}
	tidied, suspicious := tidy(text)
	if suspicious || len(redact.Find(text)) > 0 || audienceOf(tidied) != userFacing {
		return ""
	}
	return tidied
}

// surface are the public names, sorted (6.2(8)).
func (b *builder) surface() artifact.APISurface {
	var s artifact.APISurface
	module := map[string]string{} // of Go, by the folder of its go.mod
	for _, m := range b.sources.manifests {
		if _, ok := m.Install(); ok && m.Platform == "go" {
			module[path.Dir(m.Path)] = m.Name.Value
		}
	}
	for _, file := range b.sources.code {
		if len(file.Symbols) > 0 || len(file.Exports) > 0 {
			s.Modules = append(s.Modules, moduleName(file, module))
		}
		for _, symbol := range file.Symbols {
			if symbol.Kind == sourcecode.Class {
				s.Classes = append(s.Classes, symbol.Name)
			} else {
				s.Functions = append(s.Functions, symbol.Name)
			}
		}
	}
	for _, list := range []*[]string{&s.Classes, &s.Functions, &s.Modules} {
		*list = slices.DeleteFunc(*list, func(name string) bool { return name == "" || len(name) > 200 })
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return s
}

// moduleName is how users import a file.
func moduleName(file codeFile, goModules map[string]string) string {
	if file.Language != "go" {
		return file.Module
	}
	for dir := path.Dir(file.path); ; dir = path.Dir(dir) {
		if name, ok := goModules[dir]; ok {
			if dir == "." {
				return path.Join(name, file.Module)
			}
			return path.Join(name, strings.TrimPrefix(strings.TrimPrefix(file.Module, dir), "/"))
		}
		if dir == "." {
			return file.Module
		}
	}
}
