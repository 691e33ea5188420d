package fence

import (
	"path"
	"slices"
	"strings"
)

// gitDir is never writable: what stands in it is executed.
const gitDir = ".git"

// Files that decide how the site is stored, tested, built and published are only
// writable if an entry names the very file, without a pattern.
var (
	gitFiles  = []string{".gitmodules", ".gitattributes", ".gitignore"}
	ciDirs    = []string{".github", ".gitlab", ".circleci", ".gitea", ".forgejo", ".woodpecker", ".buildkite"}
	ciFiles   = []string{".gitlab-ci.yml", ".travis.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml", "appveyor.yml", ".appveyor.yml", ".drone.yml", ".woodpecker.yml", "jenkinsfile"}
	siteDirs  = []string{"config", "configs"}
	siteFiles = []string{
		"hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.toml", "config.yaml", "config.yml", "config.json", "_config.yml",
		"mkdocs.yml", "netlify.toml", "vercel.json", "package.json", "package-lock.json", "go.mod", "go.sum", "makefile", "dockerfile",
	}
)

// Protected says whether an entry has to name a file in full to allow it.
func Protected(name string) bool { return (&Fence{}).protected(name) != "" }

// protected returns why a path must not be written although a pattern may
// match it. Letter case is no difference here, since on some file systems it is
// none.
func (f *Fence) protected(name string) string {
	lower := strings.ToLower(name)
	segments := strings.Split(lower, "/")
	reason := ""
	switch top := segments[0]; {
	case slices.Contains(segments, gitDir):
		return "is part of the repository's own files"
	case slices.Contains(gitFiles, path.Base(lower)):
		reason = "is a setting of git"
	case slices.Contains(ciDirs, top) || len(segments) == 1 && slices.Contains(ciFiles, top):
		reason = "is a CI definition"
	case len(segments) > 1 && slices.Contains(siteDirs, top) || len(segments) == 1 && slices.Contains(siteFiles, top):
		reason = "is a setting of the site"
	}
	if reason == "" || slices.ContainsFunc(f.entries, func(e entry) bool { return e.literal() && e.text == name }) {
		return ""
	}
	return reason + " that no entry names in full"
}
