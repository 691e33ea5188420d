package scout

import (
	"cmp"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/redact"
)

const (
	// maxPhantoms is how many phantom paths are listed.
	maxPhantoms = 1000
	// maxPhantomLine is how long a line may be to be looked at.
	maxPhantomLine = 10_000
)

var (
	pathMention = regexp.MustCompile(`(?:examples?|samples?|demos?|docs?|documentation)/[a-zA-Z0-9_/.-]+`)
	linkTarget  = regexp.MustCompile(`\]\(\s*<?([^)\s>]+)>?[^)]*\)`)
)

// phantoms lists paths that documents speak of and that do not exist, by file
// and line.
func (s *scout) phantoms(files []file) []artifact.PhantomPath {
	exists := map[string]bool{}
	for _, name := range s.paths {
		for ; name != "."; name = path.Dir(name) {
			exists[name] = true
		}
	}
	found := []artifact.PhantomPath{}
	for _, f := range files {
		if !isDocument(f) || isVendored(f.Path) {
			continue
		}
		number := 0
		for line := range strings.Lines(s.text(s.in.Repo.Files, f.Path)) {
			number++
			if len(line) > maxPhantomLine {
				continue
			}
			for claimed, pattern := range claims(line) {
				if !isThere(exists, f.Path, claimed, pattern) && len(redact.Find(claimed)) == 0 {
					found = append(found, artifact.PhantomPath{ClaimedPath: claimed, SourceFile: f.Path, SourceLine: number, DetectionPattern: pattern})
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b artifact.PhantomPath) int {
		return cmp.Or(cmp.Compare(a.SourceFile, b.SourceFile), cmp.Compare(a.SourceLine, b.SourceLine), cmp.Compare(a.ClaimedPath, b.ClaimedPath))
	})
	return found[:min(len(found), maxPhantoms)]
}

// How a path was found.
const (
	byLink    = "link_target"
	byMention = "path_mention"
)

// claims are the paths that a line names, with how they were found.
func claims(line string) map[string]string {
	found := map[string]string{}
	for _, at := range pathMention.FindAllStringIndex(line, -1) {
		if at[0] > 0 && strings.ContainsRune("/.-_:@", rune(line[at[0]-1])) || at[0] > 0 && isWordByte(line[at[0]-1]) {
			continue // the middle of an address or of a longer path
		}
		found[strings.TrimRight(line[at[0]:at[1]], "./-")] = byMention
	}
	for _, match := range linkTarget.FindAllStringSubmatch(line, -1) {
		if target := localTarget(match[1]); target != "" {
			found[target] = byLink
		}
	}
	return found
}

func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// localTarget is the path of a link within the repository, or nothing.
func localTarget(target string) string {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "" || u.Host != "" || strings.HasPrefix(target, "//") || strings.ContainsAny(u.Path, "{}<>|`") {
		return ""
	}
	return strings.TrimRight(u.Path, "/")
}

// isThere looks for a path from the root and from the folder of the file. A link
// may leave out the extension, as sites do.
func isThere(exists map[string]bool, from, claimed, pattern string) bool {
	local := path.Join(path.Dir(from), claimed)
	candidates := []string{path.Clean(strings.TrimPrefix(claimed, "/")), local}
	if pattern == byLink && path.Ext(claimed) == "" {
		candidates = append(candidates, local+".md", local+".rst")
	}
	return slices.ContainsFunc(candidates, func(name string) bool { return name == "." || exists[name] })
}
