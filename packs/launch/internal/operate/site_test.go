package operate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/operate"
)

// 11.4, 18.2: the pull request of a run goes to the site that its profile names,
// whether the profile comes with the program or from the folder of profiles, or to
// the site that the run names itself; the site's own repository is left alone.
func TestSitesOfPullRequests(t *testing.T) {
	for name, inProfile := range map[string]bool{"of a profile": true, "of the run": false} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t)
			site := filepath.Join(t.TempDir(), "site")
			head := fixtures.Git(t, site, map[string]string{"README.md": "# The site\n"})
			more := map[string]any{"stop_at": "DONE", "site_repo_url": "file://" + site}
			if inProfile {
				text, err := os.ReadFile(filepath.Join(y.dir, "profiles", "default.yaml"))
				if err != nil {
					t.Fatal(err)
				}
				own := strings.Replace(string(text), "name: default", "name: acme-site", 1) + "site_repo_url: file://" + site + "\n"
				fixtures.Write(t, filepath.Join(y.dir, "profiles"), map[string]string{"acme-site.yaml": own})
				more = map[string]any{"stop_at": "DONE", "site_profile": "acme-site"}
			}
			l, end := y.work()
			id := y.run(l, more)
			status, err := l.Status(t.Context(), id)
			if err != nil || status.State != "DONE" || status.PR == nil {
				t.Fatalf("the run is %s, failure %+v: %v", status.State, status.Failure, err)
			}
			end()
			again := y.open()
			defer y.close(again)
			if _, err := again.OpenPR(t.Context(), operate.Caller{}, id, false, nil); err != nil {
				t.Errorf("the pull request again: %v", err)
			}
			if now, err := os.ReadFile(filepath.Join(site, ".git", "refs", "heads", "main")); err != nil || strings.TrimSpace(string(now)) != head {
				t.Errorf("the site is at %s: %v", now, err)
			}
			remotes, err := filepath.Glob(filepath.Join(y.dir, "yard", "remotes", "*.git"))
			if err != nil || len(remotes) != 1 || strings.HasSuffix(remotes[0], "acme-site.git") != inProfile {
				t.Errorf("the launcher has %v: %v", remotes, err)
			}
		})
	}
}
