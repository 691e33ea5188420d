package facts

import (
	"cmp"
	"math"
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
			f.RuntimeRequirements = append(f.RuntimeRequirements, m.RuntimeName+" "+orNewer(m))
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

var leastVersion = regexp.MustCompile(`^>=\s*([\d.]+)$`)

// orNewer is what a package runs on as people say it, such as 3.10+. A manifest of
// Go names the oldest version.
func orNewer(m manifest.Manifest) string {
	if least := leastVersion.FindStringSubmatch(m.Runtime.Value); least != nil {
		return least[1] + "+"
	}
	if m.Platform == "go" {
		return m.Runtime.Value + "+"
	}
	return m.Runtime.Value
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
		entry := artifact.Distribution{Method: install.Method, Identifier: install.Identifier, InstallCommands: b.commands(m, install)}
		if !slices.ContainsFunc(list, func(d artifact.Distribution) bool {
			return d.Method == entry.Method && d.Identifier == entry.Identifier
		}) {
			list = append(list, entry)
		}
	}
	return list
}

// mostPrograms is how many programs of one module are named.
const mostPrograms = 5

// commands are what to type for a package. A module of Go whose packages are all
// programs is installed and not imported. One that is imported by its own name is
// a library first, and its programs come after it; of others the documents say
// which comes first.
func (b *builder) commands(m manifest.Manifest, install manifest.Install) []string {
	if m.Platform != "go" {
		return []string{install.Command}
	}
	modules, library, root := b.modulesOf("go"), false, false
	var programs []string
	for _, file := range b.sources.code {
		if file.Language != "go" || moduleRoot(file, modules) != path.Dir(m.Path) {
			continue
		}
		library = library || len(file.Symbols) > 0
		root = root || len(file.Symbols) > 0 && path.Dir(file.path) == path.Dir(m.Path)
		name := moduleName(file, modules)
		if file.Program && isProgramFolder(file.path, path.Dir(m.Path)) && !slices.Contains(programs, name) {
			programs = append(programs, name)
		}
	}
	if told := slices.DeleteFunc(slices.Clone(programs), func(name string) bool { return !b.isTold(path.Base(name)) }); library || len(told) > 0 {
		programs = told
	}
	var commands []string
	isProgram := false // the documents say so
	for _, name := range programs[:min(len(programs), mostPrograms)] {
		command := "go install " + name
		commands, isProgram = append(commands, command+"@latest"), isProgram || b.isTyped(command)
	}
	switch {
	case !library && len(commands) > 0:
		return commands
	case isProgram && !root:
		return append(commands, install.Command)
	}
	return append([]string{install.Command}, commands...)
}

// isTyped says that a document for users has a command.
func (b *builder) isTyped(command string) bool {
	return slices.ContainsFunc(b.sources.documents, func(d documentFile) bool {
		return d.origin.audience == "" && strings.Contains(b.sources.text[d.path], command)
	})
}

// isTold says that a document for users names a program.
func (b *builder) isTold(program string) bool {
	named := regexp.MustCompile(`(?:^|[^\w-])` + regexp.QuoteMeta(program) + `(?:$|[^\w-])`)
	return slices.ContainsFunc(b.sources.documents, func(d documentFile) bool {
		return d.origin.audience == "" && named.MatchString(b.sources.text[d.path])
	})
}

var programFolder = regexp.MustCompile(`(?:^|/)cmd/[A-Za-z0-9._-]+/[^/]+$`)

// isProgramFolder: programs for users are at the root of their module, or in
// folders below cmd.
func isProgramFolder(file, root string) bool {
	return path.Dir(file) == root || programFolder.MatchString(file)
}

var madeFor = regexp.MustCompile(`(?i)\b(?:made|built|designed|intended|written|meant|aimed) (?:for|at)\b|\bfor (?:developers|engineers|teams|data scientists|researchers|administrators)\b`)

// positioning is how the README introduces the product; the manifest stands in
// for it (6.2(11)), and then what the source says about the package.
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
	if p.ShortDescription == "" {
		p.ShortDescription = b.packageDoc()
	}
	if p.Tagline == "" {
		p.Tagline = p.ShortDescription
	}
	return p
}

// packageDoc is the first sentence about the package of Go that is nearest to the
// root, or about the top of a package of Python.
func (b *builder) packageDoc() string {
	best, depth := "", math.MaxInt
	for _, file := range b.sources.code {
		isPackage := file.Language == "go" || strings.HasSuffix(file.path, "__init__.py")
		if text := presentable(firstSentence(file.Doc.Text)); isPackage && text != "" && strings.Count(file.path, "/") < depth {
			best, depth = text, strings.Count(file.path, "/")
		}
	}
	return best
}

// opening is a heading below which documents introduce what they are about.
var opening = regexp.MustCompile(`(?i)^(?:intro(?:duction)?|about|overview|what is .*|description|summary)$`)

// introduction is the first paragraph below a line, or below the first heading
// that opens, and the sentence of it that says who the product is for.
func introduction(d document.Document, line int) (text, audience string) {
	end := math.MaxInt
	for _, heading := range d.Headings {
		if heading.Line > line && !opening.MatchString(heading.Text) {
			end = heading.Line
			break
		}
	}
	var sentences []string
	last, follows := 0, false // the sentence before is there
	for _, block := range d.Blocks {
		if block.Start < line || block.Start > end || last > 0 && (block.Start > last+1 || block.Kind != document.Sentence) {
			continue
		}
		said := presentable(block.Text)
		if block.Kind != document.Sentence || said == "" || offTopic(block) != "" || strings.HasSuffix(block.Text, ":") || leans(said) && !follows {
			follows = false
			continue
		}
		sentences, last, follows = append(sentences, said), block.End, true
		if audience == "" && madeFor.MatchString(block.Text) {
			audience = said
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
	modules := map[string]map[string]string{"go": b.modulesOf("go"), "javascript": b.modulesOf("node"), "typescript": b.modulesOf("node")}
	for _, file := range b.sources.code {
		if len(file.Symbols) > 0 || len(file.Exports) > 0 {
			s.Modules = append(s.Modules, moduleName(file, modules[file.Language]))
		}
		for _, symbol := range file.Symbols {
			switch symbol.Kind {
			case sourcecode.Class:
				s.Classes = append(s.Classes, symbol.Name)
			case sourcecode.Function:
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

// modulesOf are the names of the packages of a platform by the folders of their
// manifests.
func (b *builder) modulesOf(platform string) map[string]string {
	modules := map[string]string{}
	for _, m := range b.sources.manifests {
		if _, ok := m.Install(); ok && m.Platform == platform {
			modules[path.Dir(m.Path)] = m.Name.Value
		}
	}
	return modules
}

// moduleRoot is the folder of the module that has a file, or empty.
func moduleRoot(file codeFile, modules map[string]string) string {
	for dir := path.Dir(file.path); ; dir = path.Dir(dir) {
		if _, ok := modules[dir]; ok {
			return dir
		}
		if dir == "." {
			return ""
		}
	}
}

// moduleName is how users import a file.
func moduleName(file codeFile, modules map[string]string) string {
	root := moduleRoot(file, modules)
	switch {
	case root != "" && file.Language != "go":
		return modules[root] // a package of Node
	case root == "":
		return file.Module
	case root == ".":
		return path.Join(modules[root], file.Module)
	}
	return path.Join(modules[root], strings.TrimPrefix(strings.TrimPrefix(file.Module, root), "/"))
}
