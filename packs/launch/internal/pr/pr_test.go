package pr_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/internal/secret"
	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/commitsvc"
	"mcpworks/packs/launch/internal/commitsvc/inprocess"
	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/pr"
)

var update = flag.Bool("update", false, "write the expected text anew")

const (
	runID  = "r_20260101T000000Z_acme_0123abcd"
	branch = "launch/acme/fedcba9/0123abcd"
	sha    = "fedcba9876543210fedcba9876543210fedcba98"
	site   = "urn:launcher:site:default"
	token  = "tok-0123456789abcdef0123456789abcdef"
)

// A service is a real commit service on a bare repository.
type service struct {
	*commitsvc.Client
	dir, base string
	lost      int // so many answers to OpenPR do not arrive
}

func (s *service) OpenPR(ctx context.Context, r commitsvc.OpenPRRequest) (commitsvc.OpenPRResponse, error) {
	answer, err := s.Client.OpenPR(ctx, r)
	if s.lost > 0 {
		s.lost--
		return commitsvc.OpenPRResponse{}, &commitsvc.Failure{Message: "the answer is lost"}
	}
	return answer, err
}

func newService(t *testing.T) *service {
	t.Helper()
	git, err := gitrepo.New(t.Context(), gitrepo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &service{dir: filepath.Join(t.TempDir(), "default.git")}
	repo, err := git.Embedded(t.Context(), s.dir)
	if err != nil {
		t.Fatal(err)
	}
	if s.base, _, err = repo.Resolve(t.Context(), "refs/heads/main"); err != nil {
		t.Fatal(err)
	}
	server, err := commitsvc.New(commitsvc.Config{
		Dir: t.TempDir(), Git: git, Sites: func(url string) (commitsvc.Site, bool) {
			return commitsvc.Site{Name: "default", Dir: s.dir}, url == site
		},
		Verify: commitsvc.Tokens(commitsvc.Token{Secret: secret.New(token), Grant: commitsvc.Grant{Scopes: []string{commitsvc.ScopeCommit, commitsvc.ScopeOpenPR}}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	s.Client, err = commitsvc.NewClient(commitsvc.ClientConfig{URL: "https://commit.invalid", Token: secret.New(token), Transport: inprocess.Transport(server)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *service) git(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.Command("git", append([]string{"--git-dir=" + s.dir}, args...)...)
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// A journal is a run's event log in short.
type journal struct {
	intent *pr.Intent
	said   []string
}

func (j *journal) Intent(_ context.Context, intent pr.Intent) (pr.Intent, error) {
	j.said = append(j.said, "intent "+intent.CommitKey)
	if j.intent == nil {
		j.intent = &intent
		j.intent.OpenPRKey = "[redacted]" // as a log does with what looks like a secret
	}
	return *j.intent, nil
}

func (j *journal) Committed(_ context.Context, branch, sha string) error {
	j.said = append(j.said, "committed "+branch)
	return nil
}

func (j *journal) Opened(_ context.Context, url string, _ int) error {
	j.said = append(j.said, "opened "+url)
	return nil
}

type noTree struct{}

func (noTree) Decide(string) error                { return nil }
func (noTree) Read(string, int64) ([]byte, error) { return nil, os.ErrNotExist }
func (noTree) Names(string) ([]string, error)     { return nil, nil }

func inputs(t *testing.T, base string) pr.Inputs {
	t.Helper()
	page := "# Start\n\nhere\n"
	patches := []artifact.Patch{{Type: patch.CreateFile, Path: "content/docs/start.md", Origin: patch.OriginDraft, NewContent: &page}}
	bundle, result, err := patch.Seal(noTree{}, base, patches, patch.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	claim := func(id, kind string, priority int, path string, line int) artifact.EvidenceClaim {
		return artifact.EvidenceClaim{
			Claim: artifact.Claim{ID: strings.Repeat(id, 64), Kind: kind, Confidence: "high"}, SourcePriority: priority,
			Citations: []artifact.Citation{{Path: path, StartLine: line, EndLine: line + 1, SourceType: "doc"}},
		}
	}
	return pr.Inputs{
		RunID: runID, SiteRepoURL: site,
		Config: &config.Config{
			ProductSlug: "acme", ProductName: "Acme <b>@you</b>", GitHubRepoURL: "https://github.com/acme/tool", AllowedPaths: []string{"content/docs/"}, ValidationProfile: "ci",
		},
		Facts: artifact.ProductFacts{RepoURL: "https://github.com/acme/tool.git", RepoSHA: sha},
		Evidence: artifact.EvidenceMap{Claims: []artifact.EvidenceClaim{
			claim("a", "feature", 3, "docs/a (1).md", 7), claim("b", "install", 1, "pyproject.toml", 2), claim("c", "feature", 3, "docs/a (1).md", 7),
		}},
		Plan: artifact.PagePlan{Pages: []artifact.Page{{Section: "docs", Title: "Start [here](https://evil.example)", URLPath: "/docs/acme/start/"}}},
		Report: artifact.ValidationReport{OK: true, Profile: "ci", Gates: []artifact.GateResult{
			{Name: "schema", OK: true, Status: "pass"}, {Name: "hugo_build", OK: true, Status: "skipped", Reason: "no hugo"},
			{Name: "links", OK: true, Status: "pass", Issues: 2},
		}},
		Bundle: bundle, Changes: result.Changes,
		PageURL: func(section, path string) string { return "https://" + section + ".example" + path },
	}
}

// S-12, 11.3: branch, commit, pull request and pr.json.
func TestOpen(t *testing.T) {
	s, j := newService(t), &journal{}
	in := inputs(t, s.base)
	done, err := pr.Open(t.Context(), in, s, j, pr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.git(t, "diff", "--name-only", s.base, branch); got != strings.Join(done.Diff, "\n") || got != "content/docs/start.md" {
		t.Errorf("changed: %s", got)
	}
	if got := s.git(t, "log", "-1", "--format=%H %s", branch); got != done.CommitSHA+" Launch: acme" {
		t.Errorf("commit: %s", got)
	}
	text, err := artifact.Encode(done.Document)
	if err != nil {
		t.Fatal(err)
	}
	if violations, err := artifact.Validate(artifact.PullRequestName, text); len(violations) > 0 || err != nil {
		t.Errorf("pr.json: %v, %v", violations, err)
	}
	if d := done.Document; d.URL != "urn:launcher:pr:default:1" || d.Number != 1 || d.BranchName != branch || d.BaseRef != s.base || len(d.RollbackSteps) == 0 || d.ValidationSummary.GatesPassed != 2 {
		t.Errorf("%+v", d)
	}
	for name, paths := range map[string][]string{"pass": done.Diff, "fail": {"content/other.md"}} { // C-42
		view := gate.NewView(gate.Input{Config: in.Config, Changed: paths, Documents: map[string][]byte{artifact.PullRequestName: text}})
		if report, err := gate.Only(t.Context(), view, gate.Rollback); err != nil || len(report.Gates) != 1 || (report.Gates[0].Issues == 0) != (name == "pass") {
			t.Errorf("rollback: %+v, %v", report, err)
		}
	}
	want := []string{"intent " + commitsvc.Key(commitsvc.ForCommit, runID, in.Bundle.TreeHashAfter), "committed " + branch, "opened urn:launcher:pr:default:1"}
	if diff := cmp.Diff(want, j.said); diff != "" {
		t.Error(diff)
	}
}

// C-29, 5.7: a run that stopped between commit and pull request asks for the same
// again, in the same words even if its caller says otherwise.
func TestOpenAgain(t *testing.T) {
	s, j := newService(t), &journal{}
	s.lost = 1
	in := inputs(t, s.base)
	var failed *commitsvc.Failure
	if _, err := pr.Open(t.Context(), in, s, j, pr.Options{Draft: true}); !errors.As(err, &failed) {
		t.Fatal(err)
	}
	for range 2 {
		done, err := pr.Open(t.Context(), in, s, j, pr.Options{})
		if err != nil || done.Document.Number != 1 {
			t.Fatalf("%+v, %v", done, err)
		}
	}
	if got := s.git(t, "rev-list", "--count", s.base+".."+branch); got != "1" {
		t.Errorf("%s commits", got)
	}
	records, err := commitsvc.Site{Dir: s.dir}.PullRequests()
	if err != nil || len(records) != 1 || !records[0].Draft {
		t.Errorf("%+v, %v", records, err)
	}
}

// 11.3: nothing to change is no pull request, and a report that is not ok none
// either.
func TestNoPullRequest(t *testing.T) {
	s, j := newService(t), &journal{}
	in := inputs(t, s.base)
	in.Changes = nil
	if done, err := pr.Open(t.Context(), in, s, j, pr.Options{}); !done.NoChanges || err != nil {
		t.Errorf("%+v, %v", done, err)
	}
	in = inputs(t, s.base)
	in.Report.OK = false
	if _, err := pr.Open(t.Context(), in, s, j, pr.Options{}); !errors.Is(err, pr.ErrNotReady) {
		t.Error(err)
	}
	in = inputs(t, s.base)
	in.Config.ValidationProfile, in.Config.CommitService.EndpointURL, in.SiteRepoURL = "prod", pr.Embedded, "https://github.com/acme/site"
	if _, err := pr.Open(t.Context(), in, s, j, pr.Options{Approval: &commitsvc.Approval{Approved: true}}); !errors.Is(err, pr.ErrRemoteSite) { // 11.1
		t.Error(err)
	}
	if len(j.said) > 0 {
		t.Errorf("said %v", j.said)
	}
}

// 11.3: when a person has to agree.
func TestApproval(t *testing.T) {
	yes, no := true, false
	agreed, denied := &commitsvc.Approval{Approved: true}, &commitsvc.Approval{}
	for name, test := range map[string]struct {
		profile  string
		demanded *bool
		approval *commitsvc.Approval
		code     string
	}{
		"local":           {"local", nil, nil, ""},
		"demanded":        {"local", &yes, nil, commitsvc.ApprovalRequired},
		"given":           {"local", &yes, agreed, ""},
		"denied":          {"local", nil, denied, commitsvc.ApprovalDenied},
		"prod":            {"prod", nil, nil, commitsvc.ApprovalRequired},
		"prod given":      {"prod", nil, agreed, ""},
		"prod not wanted": {"prod", &no, nil, ""},
	} {
		s := newService(t)
		in := inputs(t, s.base)
		in.Config.ValidationProfile, in.Config.CommitService.RequireApproval = test.profile, test.demanded
		_, err := pr.Open(t.Context(), in, s, &journal{}, pr.Options{Approval: test.approval})
		code := ""
		if failed, ok := errors.AsType[*commitsvc.Failure](err); ok && failed.Blocked() {
			code = failed.ErrorCode()
		}
		if code != test.code || (err != nil) != (test.code != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// 11.3: the texts are the same for the same run, name only what they should,
// and make nothing of what strangers wrote.
func TestPropose(t *testing.T) {
	in := inputs(t, sha)
	in.Config.CommitService.CommitMessageTemplate = "docs: {product_slug}\n{run_id} {unknown}"
	in.Config.CommitService.CommitBodyTemplate = "{github_repo_url}@{github_ref} {site_repo_url}@{site_ref}"
	p := pr.Propose(in)
	if p.CommitMessage != "docs: acme "+runID+" {unknown}" || p.CommitBody != "https://github.com/acme/tool@"+sha+" "+site+"@"+sha {
		t.Errorf("%q, %q", p.CommitMessage, p.CommitBody)
	}
	if p.Title != "Launch: Acme <b>@you</b>" {
		t.Error(p.Title)
	}
	golden := filepath.Join("testdata", "body.md")
	if *update {
		if err := os.WriteFile(golden, []byte(p.Body), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), p.Body); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(p, pr.Propose(in)); diff != "" {
		t.Error(diff)
	}
	in.Facts.RepoURL = "file:///srv/acme.git"
	if local := pr.Propose(in); strings.Contains(local.Body, "/blob/") {
		t.Error("a local repository was linked to")
	}
	in.Bundle.Patches = append(slices.Clone(in.Bundle.Patches), artifact.Patch{Path: "content/a.md", Origin: patch.OriginManual}, artifact.Patch{Path: "content/a.md", Origin: patch.OriginManual})
	if edited := pr.Propose(in).Body; strings.Contains(edited, "Every statement") || !strings.Contains(edited, "1 file was edited by hand") {
		t.Error("the edit of a person is not told of")
	}
}

// C-30: the branch of a run.
func TestBranch(t *testing.T) {
	if got := pr.Branch("acme", sha, runID); got != branch {
		t.Error(got)
	}
	if got := pr.Branch("acme", sha, "somebody-elses-id"); len(got) != len(branch) {
		t.Error(got)
	}
}
