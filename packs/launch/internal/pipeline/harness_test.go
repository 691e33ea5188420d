package pipeline_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"mcpworks/internal/secret"
	"mcpworks/packs/launch/internal/commitsvc"
	"mcpworks/packs/launch/internal/commitsvc/inprocess"
	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/pr"
	"mcpworks/packs/launch/internal/profiles"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/templates"
)

// products are the fixtures that runs are made of, with their names.
var products = map[string]string{"acme-tool": "Acme Tool", "go-cli": "Tidylog", "sparse": "Sparse", "hostile": "Trapdoor", "empty": "Empty"}

// A bench is a data directory with a pipeline on it.
type bench struct {
	t        testing.TB
	folder   string
	store    *run.Store
	pipeline *pipeline.Pipeline
	git      *gitrepo.Git
	clock    func() time.Time
}

// newBench makes a data directory whose profile default allows local
// repositories.
func newBench(t testing.TB, folder string, clock func() time.Time, changes ...func(*pipeline.Options)) *bench {
	t.Helper()
	b := &bench{t: t, folder: folder, clock: clock}
	var err error
	if b.store, err = run.Open(t.Context(), folder, run.Options{Clock: clock, LeaseTTL: 100 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.store.Close() })
	if b.git, err = gitrepo.New(t.Context(), gitrepo.Options{}); err != nil {
		t.Skip("git is needed: ", err)
	}
	local, err := gitrepo.New(t.Context(), gitrepo.Options{AllowLocal: true})
	if err != nil {
		t.Fatal(err)
	}
	options := pipeline.Options{
		Folder: folder, Git: b.git, LocalGit: local, Profiles: localProfiles(t), Version: "test", Clock: clock, Service: b.service(local),
		Wait: func(context.Context, time.Duration) error { return nil },
	}
	for _, change := range changes {
		change(&options)
	}
	if b.pipeline, err = pipeline.New(b.store, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = gitrepo.Remove(filepath.Join(folder, "runs")) }) // some of it is read-only
	return b
}

func localProfiles(t testing.TB) *siteprofile.Set {
	t.Helper()
	text, err := profiles.Files.ReadFile("default.yaml")
	if err != nil {
		t.Fatal(err)
	}
	allowing := strings.Replace(string(text), "allow_local_repos: false", "allow_local_repos: true", 1)
	set, err := siteprofile.Load(fstest.MapFS{"default.yaml": {Data: []byte(allowing)}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// service is the embedded commit service, in this process.
func (b *bench) service(git *gitrepo.Git) func(*config.Config) (pr.Service, error) {
	token := secret.New("only-for-tests-0123456789")
	server, err := commitsvc.New(commitsvc.Config{
		Dir: filepath.Join(b.folder, "commitsvc"), Git: git, Now: b.clock,
		Verify: commitsvc.Tokens(commitsvc.Token{Secret: token, Grant: commitsvc.Grant{Scopes: []string{commitsvc.ScopeCommit, commitsvc.ScopeOpenPR}}}),
		Sites: func(url string) (commitsvc.Site, bool) {
			return commitsvc.Site{Name: "default", Dir: filepath.Join(b.folder, "remotes", "default.git")}, url == pipeline.EmbeddedURL("default")
		},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { server.Close() })
	return func(*config.Config) (pr.Service, error) {
		return commitsvc.NewClient(commitsvc.ClientConfig{URL: "http://localhost", Token: token, Transport: inprocess.Transport(server)})
	}
}

// product makes a git repository of a fixture and returns its address.
func product(t testing.TB, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var links []fixtures.Link
	if name == "hostile" {
		links = fixtures.HostileLinks()
	}
	fixtures.Git(t, dir, fixtures.All()[name], links...) // empty is not among them
	return "file://" + dir
}

// settings are a run_config for a fixture.
func settings(name, url string, more map[string]any) map[string]any {
	c := map[string]any{
		"schema_version": "2.0", "product_slug": name, "product_name": products[name], "family": name, "locale": "en",
		"github_repo_url": url, "github_ref": "main", "required_sections": []string{"products", "docs", "reference", "kb", "blog"},
		"allowed_paths": []string{
			"content/products/" + name + "/", "content/docs/" + name + "/", "content/reference/" + name + "/", "content/kb/" + name + "/", "content/blog/" + name + "/",
		},
		"validation_profile": "ci",
	}
	for key, value := range more {
		c[key] = value
	}
	return c
}

// start makes a run.
func (b *bench) start(told map[string]any) string {
	b.t.Helper()
	text, err := json.Marshal(told)
	if err != nil {
		b.t.Fatal(err)
	}
	parsed, err := config.Parse(text)
	if err != nil {
		b.t.Fatal(err)
	}
	written, err := parsed.YAML()
	if err != nil {
		b.t.Fatal(err)
	}
	id, _, err := b.store.Create(b.t.Context(), run.Request{
		Created: snapshot.Created{Operation: "start", ProductSlug: parsed.ProductSlug, Family: parsed.Family, SiteProfile: parsed.SiteProfile},
		Config:  written, StopAt: parsed.StopAt, Enqueue: enqueueNothing,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return id
}

func enqueueNothing(context.Context, *sql.Tx, string, int64, time.Time) error { return nil }

var holder = run.Holder{Connection: "test", Request: "1", Operation: "test"}

// hold holds a run until the function that is returned is called.
func (b *bench) hold(id string) (*run.Held, func()) {
	b.t.Helper()
	held, err := b.store.Hold(b.t.Context(), id, holder, run.Place{})
	if err != nil {
		b.t.Fatal(err)
	}
	return held, func() {
		if err := held.Release(context.Background()); err != nil {
			b.t.Error(err)
		}
	}
}

// work executes a run until it rests.
func (b *bench) work(id string) *snapshot.Snapshot {
	b.t.Helper()
	held, release := b.hold(id)
	defer release()
	if err := held.Start(b.t.Context(), b.pipeline.Stages()); err != nil {
		b.t.Fatal(err)
	}
	for again := true; again; {
		var err error
		if again, err = b.pipeline.Execute(b.t.Context(), held); err != nil {
			b.t.Fatal(err)
		}
	}
	return held.Snapshot()
}

// resume lets a run go on.
func (b *bench) resume(id, until string) *snapshot.Snapshot {
	b.t.Helper()
	_, err := b.store.Resume(b.t.Context(), id, holder, run.Resuming{Until: until, Stages: b.pipeline.Stages(), Enqueue: enqueueNothing})
	if err != nil {
		b.t.Fatal(err)
	}
	return b.work(id)
}

// file is a file of a run.
func (b *bench) file(id, name string) string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.folder, "runs", id, filepath.FromSlash(name)))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

func fixedClock(at time.Time) func() time.Time { return func() time.Time { return at } }

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// siteRepository makes a git repository of a site and returns its address.
func siteRepository(t testing.TB, files fstest.MapFS) string {
	t.Helper()
	dir := t.TempDir()
	texts := map[string]string{}
	for name, file := range files {
		texts[name] = string(file.Data)
	}
	fixtures.Git(t, dir, texts)
	return "file://" + dir
}

// headOf is the commit that a repository of this machine is at.
func headOf(t testing.TB, url string) string {
	t.Helper()
	git, err := gitrepo.New(t.Context(), gitrepo.Options{AllowLocal: true})
	if err != nil {
		t.Fatal(err)
	}
	refs, err := git.LsRemote(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	return refs.Head
}

// adding returns a change that adds a text to a template.
func adding(t testing.TB, template, text string) func(*pipeline.Options) {
	t.Helper()
	changed, found := fstest.MapFS{}, false
	err := fs.WalkDir(templates.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := templates.Files.ReadFile(name)
		if strings.HasSuffix(name, template) {
			content, found = append(content, text...), true
		}
		changed[name] = &fstest.MapFile{Data: content}
		return err
	})
	if err != nil || !found {
		t.Fatal("the template was not found: ", err)
	}
	return func(options *pipeline.Options) { options.Templates = []fs.FS{changed} }
}

func containsAll(text string, wanted ...string) bool {
	for _, part := range wanted {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}
