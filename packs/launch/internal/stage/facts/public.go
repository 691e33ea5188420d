package facts

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/sourcecode"
)

// keepPublic drops names that a package does not give to its users, where it says
// which it gives: in a list of Python, or in the file of Node that they import.
func (b *builder) keepPublic() {
	exports := map[string]map[string]bool{}
	for _, file := range b.sources.code {
		top, _, _ := strings.Cut(file.Module, ".")
		if exports[top] == nil {
			exports[top] = map[string]bool{}
		}
		for _, name := range file.Exports {
			exports[top][name] = true
		}
	}
	for i := range b.sources.code {
		file := &b.sources.code[i]
		top, _, _ := strings.Cut(file.Module, ".")
		if public := exports[top]; file.Language == "python" && len(public) > 0 {
			keepNames(file, public)
		}
	}
	b.keepEntries()
}

// keepNames drops all other names of a file, and the methods of other types.
func keepNames(file *codeFile, public map[string]bool) {
	file.Symbols = slices.DeleteFunc(file.Symbols, func(s sourcecode.Symbol) bool { return !public[cmp.Or(s.Owner, s.Name)] })
}

func isScript(file codeFile) bool {
	return file.Language == "javascript" || file.Language == "typescript"
}

// exportsAll gives the names of other files away without naming them.
var exportsAll = regexp.MustCompile(`(?m)^export\s*\*|^module\.exports\s*=\s*require\(`)

// keepEntries keeps the names that the entry of a package of Node has, in the
// files that say something about them.
func (b *builder) keepEntries() {
	modules := b.modulesOf("node")
	for _, m := range b.sources.manifests {
		at := slices.IndexFunc(b.sources.code, func(f codeFile) bool {
			name := path.Join(path.Dir(m.Path), m.Entry)
			return m.Entry != "" && (f.path == name || f.path == name+".js" || f.path == path.Join(name, "index.js"))
		})
		if at < 0 || len(b.sources.code[at].Symbols) == 0 || exportsAll.MatchString(b.sources.text[b.sources.code[at].path]) {
			continue
		}
		entry := &b.sources.code[at]
		public := map[string]bool{}
		for _, symbol := range entry.Symbols {
			public[symbol.Name] = public[symbol.Name] || symbol.Owner == ""
		}
		told := map[string]bool{}
		for i := range b.sources.code {
			file := &b.sources.code[i]
			if file == entry || !isScript(*file) || moduleRoot(*file, modules) != path.Dir(m.Path) {
				continue
			}
			keepNames(file, public)
			for _, symbol := range file.Symbols {
				told[symbol.Name] = told[symbol.Name] || symbol.Owner == ""
			}
		}
		entry.Symbols = slices.DeleteFunc(entry.Symbols, func(s sourcecode.Symbol) bool { return s.Doc.Text == "" && told[s.Name] })
	}
}
