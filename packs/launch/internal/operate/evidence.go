package operate

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"mcpworks/internal/bounded"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/siteprofile"
)

// maxReadme is how much of a README is looked at.
const maxReadme = 1 << 20

// lookPattern begins the names of folders for one look.
const lookPattern = "look-"

// look fetches a repository into the cache, where the run will find it again,
// and collects what its files say about it.
func (l *Launcher) look(ctx context.Context, repo siteprofile.Repo, ref string) (evidence siteprofile.Evidence, sha string, err error) {
	git, err := l.gitFor(repo)
	if err != nil {
		return evidence, "", err
	}
	fetched, err := gitrepo.NewCache(git, filepath.Join(l.options.DataDir, "cache", "git")).Fetch(ctx, repo.URL, ref)
	if err != nil {
		return evidence, "", pipeline.Unfetched(repo.URL, ref, err)
	}
	folder, err := os.MkdirTemp(filepath.Join(l.options.DataDir, "cache"), lookPattern)
	if err != nil {
		return evidence, "", err
	}
	defer func() { err = errors.Join(err, gitrepo.Remove(folder)) }()
	tree := filepath.Join(folder, "tree")
	if _, err := fetched.Repo.Checkout(ctx, fetched.SHA, tree, false); err != nil {
		return evidence, "", err
	}
	root, err := os.OpenRoot(tree)
	if err != nil {
		return evidence, "", err
	}
	defer root.Close()
	evidence, err = collect(root.FS())
	evidence.Repo = repo
	return evidence, fetched.SHA, err
}

// gitFor is the git that may read a repository, which its profile has allowed.
func (l *Launcher) gitFor(repo siteprofile.Repo) (*gitrepo.Git, error) {
	switch {
	case l.git == nil:
		return nil, l.gitFault
	case repo.Local:
		return l.local, nil
	}
	return l.git, nil
}

// languages are those of files by their ending, as far as platforms go by them.
var languages = map[string]string{
	".py": "python", ".go": "go", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript", ".ts": "typescript",
	".tsx": "typescript", ".cs": "csharp", ".fs": "fsharp", ".vb": "vb", ".java": "java", ".kt": "kotlin", ".rs": "rust", ".php": "php",
	".rb": "ruby", ".swift": "swift", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hpp": "cpp", ".c": "c", ".h": "c", ".scala": "scala",
	".dart": "dart", ".lua": "lua", ".ex": "elixir", ".hs": "haskell",
}

// collect reads names and sizes, and the README.
func collect(tree fs.FS) (siteprofile.Evidence, error) {
	evidence := siteprofile.Evidence{CodeBytes: map[string]int64{}}
	readme := ""
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		if !strings.Contains(name, "/") {
			evidence.RootFiles = append(evidence.RootFiles, name)
			if lower := strings.ToLower(name); readme == "" && (lower == "readme" || strings.HasPrefix(lower, "readme.")) {
				readme = name
			}
		}
		if language := languages[strings.ToLower(path.Ext(name))]; language != "" {
			info, err := entry.Info()
			if err != nil {
				return err
			}
			evidence.CodeBytes[language] += info.Size()
		}
		return nil
	})
	if err != nil || readme == "" {
		return evidence, err
	}
	file, err := tree.Open(readme)
	if err != nil {
		return evidence, err
	}
	defer file.Close()
	text, _, err := bounded.Read(file, maxReadme)
	evidence.Readme = string(text)
	return evidence, err
}
