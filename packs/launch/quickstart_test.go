package launch_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch"
	"mcpworks/packs/launch/internal/fixtures"
)

var commitForm = regexp.MustCompile(`^[a-f0-9]{40}$`)

// started is what the quickstarts answer.
type started struct {
	RunID   string `json:"run_id"`
	State   string
	Replay  bool `json:"idempotent_replay"`
	Derived struct {
		Site           string
		ProductSlug    string `json:"product_slug"`
		Platform       string
		Locale         string
		TargetPlatform string `json:"target_platform"`
		Family         string
		Ref            string `json:"github_ref"`
		Repo           string `json:"github_repo_url"`
	} `json:"derived_config"`
}

// quickHouse opens a launcher whose catalogue has one product: the repository.
func quickHouse(t *testing.T, repo string) *house {
	t.Helper()
	profiles := filepath.Join(t.TempDir(), "profiles")
	site := strings.Replace(profileText(t, "aspose.org"), "https://github.com/aspose-3d-foss/Aspose.3D-FOSS-for-Python", repo, 1)
	site = strings.Replace(site, "site_repo_url: https://github.com/Aspose/aspose.org\n", "", 1) + "allow_local_repos: true\n"
	plain := strings.Replace(profileText(t, "default"), "allow_local_repos: false", "allow_local_repos: true", 1)
	fixtures.Write(t, profiles, map[string]string{"aspose.org.yaml": site, "default.yaml": plain})
	h := newHouse(t, launch.Config{ProfilesDir: profiles}, nil, false)
	h.places = []string{h.dir} // the address of the repository is what was given (18.4)
	return h
}

// S-4, S-14: a product page becomes a run, and the old name of the tool does the
// same.
func TestS4ProductPage(t *testing.T) {
	repo := localRepo(t, fixtures.AcmeTool())
	h := quickHouse(t, repo)
	s := h.open(t)
	arguments := `{"url":"https://products.aspose.org/3d/en/python/","idempotency_key":"page"}`
	var first, again started
	s.call("launch_start_run_from_product_url", arguments).structured(t, &first)
	d := first.Derived
	if first.RunID == "" || first.State != "CREATED" || d.Site != "products.aspose.org" || d.ProductSlug != "3d" || d.Platform != "python" || d.Locale != "en" ||
		d.Repo != repo || !commitForm.MatchString(d.Ref) {
		t.Errorf("started %+v", first)
	}
	if _, err := os.Stat(filepath.Join(h.dir, "runs", first.RunID, "events.ndjson")); err != nil {
		t.Error(err)
	}
	s.call("launch_start_run_from_url", arguments).structured(t, &again)
	if first.Replay || !again.Replay || again.RunID != first.RunID || again.Derived != first.Derived {
		t.Errorf("S-14: by its old name %+v", again)
	}
}

// S-5: a repository becomes a run; one whose platform cannot be told does not,
// and the error says what is missing and what could stand there.
func TestS5Repository(t *testing.T) {
	h := quickHouse(t, localRepo(t, fixtures.AcmeTool()))
	s := h.open(t)
	ambiguous := localRepo(t, map[string]string{"README.md": "# Acme\n", "notes.txt": "nothing\n"})
	r := s.call("launch_start_run_from_github_repo_url", `{"github_repo_url":"`+ambiguous+`"}`)
	r.wants(t, -32602, "MCP_INVALID_INPUT")
	missing, _ := r.Error.Data.Details["missing_fields"].([]any)
	suggested, _ := r.Error.Data.Details["suggested_values"].(map[string]any)
	if !slices.Contains(missing, any("target_platform")) || suggested["target_platform"] == nil {
		t.Errorf("%v", r.Error.Data.Details)
	}
	if runs, err := os.ReadDir(filepath.Join(h.dir, "runs")); err != nil || len(runs) > 0 {
		t.Errorf("there are runs: %v, %v", runs, err)
	}
	var begun started
	s.call("launch_start_run_from_github_repo_url", `{"github_repo_url":"`+localRepo(t, fixtures.AcmeTool())+`"}`).structured(t, &begun)
	if begun.RunID == "" || begun.Derived.TargetPlatform != "python" || !commitForm.MatchString(begun.Derived.Ref) {
		t.Errorf("started %+v", begun)
	}
}
