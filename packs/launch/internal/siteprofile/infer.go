package siteprofile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Evidence is what is known of a repository without reading its code (8.6).
type Evidence struct {
	Repo      Repo
	RootFiles []string         // the names of the files in its root
	CodeBytes map[string]int64 // by language
	Readme    string
}

// A Guess is a value with how sure it is, from 0 to 1.
type Guess struct {
	Value      string
	Confidence float64
}

// A Field is what the evidence says about one field, surest first.
type Field struct{ Guesses []Guess }

// Thresholds of a decision.
const (
	sure     = 0.80 // the best value is surer than this
	doubtful = 0.50 // the second is less sure than this
)

// Decided returns the value if the evidence decides.
func (f Field) Decided() (Guess, bool) {
	if len(f.Guesses) == 0 || f.Guesses[0].Confidence <= sure || len(f.Guesses) > 1 && f.Guesses[1].Confidence >= doubtful {
		return Guess{}, false
	}
	return f.Guesses[0], true
}

// Values are all values, surest first.
func (f Field) Values() []string {
	var values []string
	for _, guess := range f.Guesses {
		values = append(values, guess.Value)
	}
	return values
}

// A tally collects evidence for one field.
type tally map[string]float64 // how unsure each value still is

func (t tally) add(value string, confidence float64) {
	if value == "" {
		return
	}
	if _, has := t[value]; !has {
		t[value] = 1
	}
	t[value] *= 1 - confidence
}

func (t tally) field() Field {
	var f Field
	for value, unsure := range t {
		f.Guesses = append(f.Guesses, Guess{value, math.Round((1-unsure)*1e4) / 1e4})
	}
	slices.SortFunc(f.Guesses, func(a, b Guess) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Value, b.Value))
	})
	return f
}

// An Inference is what a repository is about.
type Inference struct{ Family, Platform Field }

// Hints are what the caller says himself; they decide.
type Hints struct{ Family, Platform string }

// CheckHints returns an *InputError if the profile does not know what the caller
// says, with the values that it knows.
func (p *Profile) CheckHints(hints Hints) error {
	e := &InputError{Code: InvalidInput, Suggested: map[string][]string{}}
	var unknown []string
	if _, known := p.Family(hints.Family); hints.Family != "" && !known {
		e.Missing = append(e.Missing, "family")
		if e.Suggested["family"] = p.FamilyNames(); p.Families.Any {
			e.Suggested["family"] = []string{Slug(hints.Family)}
		}
		unknown = append(unknown, fmt.Sprintf("no family %q", hints.Family))
	}
	if _, known := p.Platform(hints.Platform); hints.Platform != "" && !known {
		e.Missing, e.Suggested["target_platform"] = append(e.Missing, "target_platform"), p.PlatformNames()
		unknown = append(unknown, fmt.Sprintf("no platform %q", hints.Platform))
	}
	if unknown == nil {
		return nil
	}
	e.Message = fmt.Sprintf("the site profile %s has %s", p.Name, strings.Join(unknown, " and "))
	return e
}

// Infer weighs the evidence about a repository.
func (p *Profile) Infer(e Evidence, hints Hints) Inference {
	inferred := Inference{p.familyOf(e).field(), p.platformOf(e).field()}
	if family, known := p.Family(hints.Family); known {
		inferred.Family = Field{[]Guess{{family.Name, 1}}}
	}
	if platform, known := p.Platform(hints.Platform); known {
		inferred.Platform = Field{[]Guess{{platform.Name, 1}}}
	}
	return inferred
}

// Ambiguous returns an *InputError that names the fields that are not decided,
// with the values they could have; nil if all are.
func (p *Profile) Ambiguous(inferred Inference) error {
	e := &InputError{Code: InvalidInput, Suggested: map[string][]string{}}
	for _, field := range []struct {
		name  string
		field Field
		all   []string
	}{{"family", inferred.Family, p.FamilyNames()}, {"target_platform", inferred.Platform, p.PlatformNames()}} {
		if _, decided := field.field.Decided(); decided {
			continue
		}
		e.Missing = append(e.Missing, field.name)
		if e.Suggested[field.name] = field.field.Values(); len(field.field.Guesses) == 0 {
			e.Suggested[field.name] = field.all
		}
	}
	if len(e.Missing) == 0 {
		return nil
	}
	e.Message = fmt.Sprintf("the repository does not say clearly enough what it is; give %s", strings.Join(e.Missing, " and "))
	return e
}

func (p *Profile) familyOf(e Evidence) tally {
	t := tally{}
	if p.Families.Any {
		t.add(e.Repo.Family, 1)
		return t
	}
	if e.Repo.ByName && e.Repo.Family != "" && e.Repo.Platform != "" {
		t.add(e.Repo.Family, 0.99)
	}
	inName, inTitle := tokens(e.Repo.Name), tokens(firstHeading(e.Readme))
	for _, f := range p.Families.List {
		names := append([]string{f.Name, f.Title}, f.Aliases...)
		if hasAny(inName, names) {
			t.add(f.Name, 0.85)
		}
		if hasAny(inTitle, names) {
			t.add(f.Name, 0.70)
		}
	}
	return t
}

func (p *Profile) platformOf(e Evidence) tally {
	t := tally{}
	if e.Repo.ByName && e.Repo.Family != "" && e.Repo.Platform != "" {
		t.add(e.Repo.Platform, 0.99)
	}
	inName := tokens(e.Repo.Name)
	for _, f := range p.Platforms {
		if hasAny(inName, append([]string{f.Name, f.Title, f.RepoTitle}, f.Aliases...)) {
			t.add(f.Name, 0.85)
		}
		if saysFor(e.Readme, f.Title) {
			t.add(f.Name, 0.60)
		}
	}
	t.add(p.byManifest(e.RootFiles), 0.90)
	t.add(p.byLanguage(e.CodeBytes), 0.80)
	return t
}

// manifests name the adapters whose packages they describe.
var manifests = map[string]string{
	"pyproject.toml": "python", "setup.py": "python", "setup.cfg": "python", "package.json": "node", "go.mod": "go", "Cargo.toml": "rust",
	"pom.xml": "java", "build.gradle": "java", "build.gradle.kts": "java", "composer.json": "php", "Gemfile": "ruby", "Package.swift": "swift", "CMakeLists.txt": "cpp",
}

// byManifest is the platform of the manifests in the root, if they agree on one.
func (p *Profile) byManifest(files []string) string {
	var adapters []string
	for _, file := range files {
		adapter := manifests[file]
		if strings.HasSuffix(file, ".csproj") || strings.HasSuffix(file, ".sln") || strings.HasSuffix(file, ".fsproj") {
			adapter = "dotnet"
		} else if strings.HasSuffix(file, ".gemspec") {
			adapter = "ruby"
		}
		if adapter != "" && !slices.Contains(adapters, adapter) {
			adapters = append(adapters, adapter)
		}
	}
	if len(adapters) != 1 {
		return ""
	}
	if typescript, known := p.Platform("typescript"); known && adapters[0] == typescript.Adapter && slices.Contains(files, "tsconfig.json") {
		return typescript.Name
	}
	at := slices.IndexFunc(p.Platforms, func(f Platform) bool { return f.Adapter == adapters[0] })
	if at < 0 {
		return ""
	}
	return p.Platforms[at].Name
}

// languages are those that no platform is called after.
var languages = map[string]string{"csharp": "dotnet", "c#": "dotnet", "fsharp": "dotnet", "f#": "dotnet", "vb": "dotnet", "c++": "cpp", "jsx": "javascript", "tsx": "typescript"}

// byLanguage is the platform that has 70 % of the code.
func (p *Profile) byLanguage(code map[string]int64) string {
	all, of := int64(0), map[string]int64{}
	for language, size := range code {
		all += size
		name := strings.ToLower(language)
		platform, known := p.Platform(name)
		if !known {
			platform, known = p.Platform(languages[name])
		}
		if known {
			of[platform.Name] += size
		}
	}
	for platform, size := range of {
		if size > 0 && float64(size) >= 0.7*float64(all) {
			return platform
		}
	}
	return ""
}

// tokens are the words of a name or a title, in lower case. Signs that are part of
// names, as in C++, stay.
func tokens(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '+' && r != '#'
	})
}

func hasAny(words, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		wanted := tokens(name)
		return len(wanted) == 1 && slices.Contains(words, wanted[0])
	})
}

// maxReadme is how much of a README is looked at, in bytes.
const maxReadme = 64 << 10

// firstHeading is the title of a README.
func firstHeading(readme string) string {
	for line := range strings.Lines(readme[:min(len(readme), maxReadme)]) {
		if title, is := strings.CutPrefix(line, "# "); is {
			return title
		}
	}
	return ""
}

// saysFor looks for the phrase "for <Platform>", spelled as the title is: "go" is
// also a verb.
func saysFor(readme, title string) bool {
	rest := readme[:min(len(readme), maxReadme)]
	for {
		_, after, found := strings.Cut(rest, "for "+title)
		if !found {
			return false
		}
		next := strings.IndexFunc(after, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '+' && r != '#' })
		if next == 0 || after == "" {
			return true
		}
		rest = after
	}
}

// ForRepo chooses the profile for a repository that comes without one: the first
// whose patterns know it by name, else default (18.5).
func (s *Set) ForRepo(raw string) (*Profile, Repo, error) {
	for _, p := range s.all {
		if repo, err := p.Repo(raw); err == nil && repo.ByName {
			return p, repo, nil
		}
	}
	p, _ := s.Get(DefaultName)
	repo, err := p.Repo(raw)
	return p, repo, err
}
