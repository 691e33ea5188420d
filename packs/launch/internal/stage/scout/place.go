package scout

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	testDirs    = []string{"tests", "test", "__tests__", "spec"}
	exampleDirs = []string{"examples", "example", "samples", "sample", "demo", "demos"}
	docDirs     = []string{"docs", "doc", "documentation", "site"}
	vendorDirs  = []string{"vendor", "node_modules", "third_party", "thirdparty", "dist", "target", ".venv", "venv"}
)

// dirNamed returns the outermost folder above a file that has one of the names,
// or nothing.
func dirNamed(names []string, file string) string {
	segments := strings.Split(path.Dir(file), "/")
	at := slices.IndexFunc(segments, func(segment string) bool { return slices.Contains(names, strings.ToLower(segment)) })
	if at < 0 {
		return ""
	}
	return strings.Join(segments[:at+1], "/")
}

func isVendored(file string) bool { return dirNamed(vendorDirs, file) != "" }

// testName is how files of tests are called where they lie beside the code.
var testName = regexp.MustCompile(`(?:_test\.go|^test_[^/]*\.py|_test\.py|\.(?:test|spec)\.[cm]?[jt]sx?|Tests?\.(?:java|cs|kt|php)|_spec\.rb|_test\.rs)$`)

func isTest(f file) bool {
	return isCode(f) && (dirNamed(testDirs, f.Path) != "" || testName.MatchString(path.Base(f.Path)))
}

// exampleRoot is the folder of examples that a file lies in, or nothing.
func (s *scout) exampleRoot(file string) string {
	for _, dir := range slices.Concat(s.in.Config.ExampleRoots, s.in.Config.ExampleDirectories) {
		if dir = path.Clean(strings.Trim(dir, "/")); dir != "." && below([]string{dir}, file) {
			return dir
		}
	}
	if isVendored(file) {
		return ""
	}
	return dirNamed(exampleDirs, file)
}

// docRoot is the folder of documents that a file lies in, or nothing. Those that
// are not named by the configuration are at the root.
func (s *scout) docRoot(file string) string {
	for _, dir := range s.in.Config.DocRoots {
		if dir = path.Clean(strings.Trim(dir, "/")); dir != "." && below([]string{dir}, file) {
			return dir
		}
	}
	if top, _, nested := strings.Cut(file, "/"); nested && slices.Contains(docDirs, strings.ToLower(top)) {
		return top
	}
	return ""
}

func isCI(file string) bool {
	switch {
	case path.Dir(file) == ".github/workflows":
		return path.Ext(file) == ".yml" || path.Ext(file) == ".yaml"
	case strings.HasPrefix(file, ".circleci/"):
		return true
	}
	return slices.Contains([]string{".gitlab-ci.yml", ".travis.yml", "azure-pipelines.yml"}, file)
}

// isSource says whether a file is code of the product itself.
func (s *scout) isSource(f file) bool {
	return isCode(f) && !isTest(f) && !isVendored(f.Path) && s.exampleRoot(f.Path) == "" && s.docRoot(f.Path) == ""
}
