package launch

import (
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/commitsvc"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/pipeline"
)

// 14.15: what the command exits with.
func TestExitCodes(t *testing.T) {
	for code, want := range map[string]int{
		"REPO_EMPTY": ExitInvalid, "REPO_NOT_FOUND": ExitExternal, pipeline.CodeConfig: ExitInvalid, "VALIDATOR_TOOL_MISSING": ExitExternal,
		"NETWORK_BLOCKED": ExitPolicy, "WHAT_NOBODY_KNOWS": ExitInternal,
	} {
		if got := ExitCodeOf(code); got != want {
			t.Errorf("%s: %d, want %d", code, got, want)
		}
	}
	if e := classify(&gitrepo.Error{Kind: gitrepo.Empty}); e.ExitCode() != ExitInvalid || e.Code != RepoNotFound {
		t.Errorf("an empty repository: %s, %d", e.Code, e.ExitCode())
	}
	if e := classify(&gitrepo.Error{Kind: gitrepo.Missing}); e.ExitCode() != ExitExternal {
		t.Errorf("no git: %d", e.ExitCode())
	}
}

// 11.2: whoever opens a pull request for a site that has moved on is told how the
// run goes on.
func TestBaseMoved(t *testing.T) {
	e := classify(&commitsvc.Failure{Code: commitsvc.BaseMoved, Status: 409})
	if e.Code != CommitServiceError || !strings.Contains(e.SuggestedFix, `"force_from":"CREATED"`) {
		t.Errorf("%+v", e)
	}
}

// 14.14: what is no host is not taken for one.
func TestHostsOfAllowlist(t *testing.T) {
	for host, good := range map[string]bool{
		"github.com": true, "*.example.org": true, "code.example:8443": true, "localhost": true, "127.0.0.1": true, "[::1]:80": true,
		"bad host/": false, "https://github.com": false, "": false, "*": false, "a..b": false, "-x": false,
	} {
		cfg := Config{DataDir: "data", NetworkAllowlist: []string{host}}
		if err := cfg.Validate(); (err == nil) != good {
			t.Errorf("%q: %v", host, err)
		}
	}
	if err := (&Config{DataDir: "data", SecretEnv: []string{"NO NAME"}}).Validate(); err == nil {
		t.Error("a name with a space passes for one of a variable")
	}
}
