package scout

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// codeExtensions are the languages that programs are written in.
var codeExtensions = map[string]string{
	".py": "python", ".pyi": "python", ".go": "go", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
	".ts": "typescript", ".tsx": "typescript", ".mts": "typescript", ".cs": "csharp", ".fs": "fsharp", ".vb": "visualbasic", ".java": "java",
	".kt": "kotlin", ".kts": "kotlin", ".scala": "scala", ".rs": "rust", ".php": "php", ".rb": "ruby", ".swift": "swift", ".c": "c", ".h": "c",
	".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hpp": "cpp", ".hh": "cpp", ".m": "objectivec", ".sh": "shell", ".bash": "shell", ".ps1": "powershell",
	".lua": "lua", ".pl": "perl", ".r": "r", ".jl": "julia", ".dart": "dart", ".ex": "elixir", ".exs": "elixir", ".erl": "erlang", ".hs": "haskell",
	".clj": "clojure", ".groovy": "groovy", ".zig": "zig", ".sql": "sql",
}

// otherExtensions are what documents and configuration are written in.
var otherExtensions = map[string]string{
	".md": "markdown", ".markdown": "markdown", ".mdx": "markdown", ".rst": "rst", ".adoc": "asciidoc", ".txt": "text", ".html": "html", ".htm": "html",
	".css": "css", ".scss": "css", ".json": "json", ".yml": "yaml", ".yaml": "yaml", ".toml": "toml", ".xml": "xml", ".ini": "ini", ".cfg": "ini",
	".csproj": "xml", ".props": "xml", ".gradle": "gradle", ".ipynb": "notebook",
}

// documents are the languages of text for readers.
var documents = []string{"markdown", "rst", "asciidoc", "text"}

// languageOf names the language of a file by its name, or unknown.
func languageOf(name string) string {
	ext := strings.ToLower(path.Ext(name))
	base := strings.ToLower(path.Base(name))
	switch {
	case codeExtensions[ext] != "":
		return codeExtensions[ext]
	case otherExtensions[ext] != "":
		return otherExtensions[ext]
	case strings.HasPrefix(base, "readme"), base == "license", base == "copying", base == "changelog", base == "authors":
		return "text"
	}
	return "unknown"
}

func isCode(f file) bool { return codeExtensions[strings.ToLower(path.Ext(f.Path))] != "" && !f.Binary }

func isDocument(f file) bool { return slices.Contains(documents, f.Language) && !f.Binary }

// Weights of a file for its language. Code of others, which lies in folders such
// as vendor, weighs no more than a document.
const (
	codeWeight  = 3
	otherWeight = 1
)

// primaryLanguages orders the languages that have code by weight, ties by name.
func primaryLanguages(files []file) []string {
	weights, hasCode := map[string]int{}, map[string]bool{}
	for _, f := range files {
		if isCode(f) && !isVendored(f.Path) {
			weights[f.Language] += codeWeight
			hasCode[f.Language] = true
		} else if f.Language != "unknown" {
			weights[f.Language] += otherWeight
		}
	}
	if len(hasCode) == 0 {
		return []string{"unknown"}
	}
	return slices.SortedFunc(maps.Keys(hasCode), func(a, b string) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b))
	})
}
