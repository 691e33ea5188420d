package operate_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/profiles"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/siteprofile"
)

// open opens a launcher that executes nothing, with profiles that read a
// repository of this machine.
func open(t *testing.T, files map[string]string) (l *operate.Launcher, repo, dir string) {
	t.Helper()
	dir = t.TempDir()
	repo = "file://" + filepath.Join(dir, "acme-tool")
	if err := os.Mkdir(filepath.Join(dir, "acme-tool"), 0o700); err != nil {
		t.Fatal(err)
	}
	fixtures.Git(t, filepath.Join(dir, "acme-tool"), files)
	changed := map[string]string{}
	for _, name := range []string{"default", "aspose.org"} {
		text, err := profiles.Files.ReadFile(name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		kept := strings.ReplaceAll(string(text), "allow_local_repos: false\n", "")
		changed[name+".yaml"] = kept + "\nallow_local_repos: true\n"
	}
	changed["aspose.org.yaml"] = withoutCatalogue(changed["aspose.org.yaml"]) + "product_repos:\n  - {family: 3d, platform: python, repo: \"" + repo + "\"}\n"
	fixtures.Write(t, filepath.Join(dir, "profiles"), changed)
	l, err := operate.Open(t.Context(), operate.Options{DataDir: filepath.Join(dir, "data"), ProfilesDir: filepath.Join(dir, "profiles")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		_ = gitrepo.Remove(filepath.Join(dir, "data"))
	})
	return l, repo, dir
}

// withoutCatalogue is a profile without its own product_repos.
func withoutCatalogue(text string) string {
	before, after, found := strings.Cut(text, "\nproduct_repos:")
	if !found {
		return text
	}
	lines := strings.Split(after, "\n")[1:]
	for len(lines) > 0 && (strings.HasPrefix(lines[0], " ") || strings.HasPrefix(lines[0], "-")) {
		lines = lines[1:]
	}
	return before + "\n" + strings.Join(lines, "\n")
}

func TestS4ProductURL(t *testing.T) {
	l, repo, _ := open(t, fixtures.AcmeTool())
	started, err := l.StartProduct(t.Context(), operate.Caller{}, "https://products.aspose.org/3d/en/python/", "key")
	if err != nil {
		t.Fatal(err)
	}
	derived := started.DerivedConfig.(operate.ProductConfig)
	if derived.Site != "products.aspose.org" || derived.ProductSlug != "3d" || derived.Platform != "python" || derived.Locale != "en" ||
		derived.GitHubRepoURL != repo || len(derived.GitHubRef) != 40 || len(derived.AllowedPaths) == 0 {
		t.Errorf("derived %+v", derived)
	}
	again, err := l.StartProduct(t.Context(), operate.Caller{}, "https://products.aspose.org/3d/en/python/", "key")
	if err != nil || again.RunID != started.RunID || !again.Replay {
		t.Errorf("again %+v, %v", again, err)
	}
	_, err = l.StartProduct(t.Context(), operate.Caller{}, "https://products.aspose.org/3d/en/python", "key")
	if !errors.Is(err, index.ErrKeyConflict) {
		t.Errorf("the key of another request: %v", err)
	}
}

func TestS5Repository(t *testing.T) {
	l, repo, dir := open(t, fixtures.AcmeTool())
	started, err := l.StartGitHub(t.Context(), operate.Caller{}, repo, operate.Hints{}, "key")
	if err != nil {
		t.Fatal(err)
	}
	derived := started.DerivedConfig.(operate.RepoConfig)
	if derived.Family != "acme-tool" || derived.TargetPlatform != "python" || len(derived.GitHubRef) != 40 || derived.Confidence == nil {
		t.Errorf("derived %+v", derived)
	}
	// The repository is gone: the key still stands for its run (3.3).
	if err := os.RemoveAll(filepath.Join(dir, "acme-tool")); err != nil {
		t.Fatal(err)
	}
	again, err := l.StartGitHub(t.Context(), operate.Caller{}, repo, operate.Hints{}, "key")
	if err != nil || again.RunID != started.RunID {
		t.Errorf("again %+v, %v", again, err)
	}
	if _, err := l.StartGitHub(t.Context(), operate.Caller{}, repo, operate.Hints{}, "other"); gitrepo.KindOf(err) != gitrepo.NotFound {
		t.Errorf("a repository that is gone: %v", err)
	}
	leftovers, err := filepath.Glob(filepath.Join(dir, "data", "cache", "look-*"))
	if err != nil || len(leftovers) > 0 {
		t.Errorf("left behind: %v", leftovers)
	}
}

func TestS5Ambiguous(t *testing.T) {
	l, repo, dir := open(t, map[string]string{"README.md": "# Acme\n", "notes.txt": "nothing\n"})
	_, err := l.StartGitHub(t.Context(), operate.Caller{}, repo, operate.Hints{}, "")
	input := (*siteprofile.InputError)(nil)
	if !errors.As(err, &input) || len(input.Missing) == 0 {
		t.Fatalf("%v", err)
	}
	runs, err := os.ReadDir(filepath.Join(dir, "data", "runs"))
	if err != nil || len(runs) != 0 {
		t.Errorf("there are runs: %v, %v", runs, err)
	}
	if _, err := l.StartGitHub(t.Context(), operate.Caller{}, repo, operate.Hints{TargetPlatform: "python"}, ""); err != nil {
		t.Errorf("with a hint: %v", err)
	}
}

// many starts with one key make one run.
func TestR16OneKeyOneRun(t *testing.T) {
	l, repo, _ := open(t, fixtures.AcmeTool())
	config, err := json.Marshal(map[string]any{
		"schema_version": "2.0", "product_slug": "acme", "product_name": "Acme", "family": "acme", "locale": "en", "github_repo_url": repo, "github_ref": "main",
		"required_sections": []string{"docs"}, "allowed_paths": []string{"content/docs/acme/"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	ids := map[string]int{}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			started, err := l.Start(t.Context(), operate.Caller{}, config, "key")
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			ids[started.RunID]++
		})
	}
	all.Wait()
	if len(ids) != 1 {
		t.Errorf("runs: %v", ids)
	}
}

func TestNetworkAllowlist(t *testing.T) {
	l, err := operate.Open(t.Context(), operate.Options{DataDir: t.TempDir(), NetworkAllowlist: []string{"*.example.org", "code.example:8443"}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, err = l.StartGitHub(t.Context(), operate.Caller{}, "https://github.com/acme/acme", operate.Hints{}, "")
	blocked := (*operate.BlockedError)(nil)
	if !errors.As(err, &blocked) || blocked.Host != "github.com" {
		t.Errorf("%v", err)
	}
	for host, want := range map[string]bool{
		"a.example.org": true, "A.Example.ORG:443": true, "example.org": false, "badexample.org": false, "code.example:8443": true, "code.example": false, "": false,
	} {
		if got := l.Allowed(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}

// 18.4: folders may be called as people call them.
func TestFolderNames(t *testing.T) {
	l, repo, dir := open(t, fixtures.AcmeTool())
	folder := filepath.Join(dir, "Größe & Maß", "acme tool é")
	if err := os.MkdirAll(filepath.Dir(folder), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(strings.TrimPrefix(repo, "file://"), folder); err != nil {
		t.Fatal(err)
	}
	started, err := l.StartGitHub(t.Context(), operate.Caller{}, "file://"+folder, operate.Hints{}, "")
	if err != nil {
		t.Fatal(err)
	}
	if derived := started.DerivedConfig.(operate.RepoConfig); derived.Family != "acme-tool" || derived.GitHubRepoURL != "file://"+folder {
		t.Errorf("derived %+v", derived)
	}
}

// 3.6: whoever asks for a repository that cannot be had is told which, and why.
func TestWhyRepositoryCannotBeHad(t *testing.T) {
	l, repo, dir := open(t, fixtures.AcmeTool())
	plain := filepath.Join(dir, "plain")
	fixtures.Write(t, plain, map[string]string{"README.md": "# Acme\n"})
	for _, tc := range []struct{ url, ref, want string }{
		{"file://" + filepath.Join(dir, "absent"), "", "does not exist"},
		{"file://" + plain, "", "is no git repository"},
		{"file://" + filepath.Join(plain, "README.md"), "", "is no folder"},
		{repo, "no-such-branch", "has no branch, tag or commit no-such-branch"},
	} {
		_, err := l.StartGitHub(t.Context(), operate.Caller{}, tc.url, operate.Hints{TargetPlatform: "python", Ref: tc.ref}, "")
		if err == nil || err.Error() != "the repository of the product, "+tc.url+", "+tc.want {
			t.Errorf("%s: %v", tc.want, err)
		}
	}
}
