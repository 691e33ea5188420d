package gitrepo

import "testing"

// A git that outlives its launcher does not wait for a silent server for ever, and
// so holds up no other run for ever.
func TestGitGivesUpOnSilence(t *testing.T) {
	git, err := New(t.Context(), Options{})
	if err != nil {
		t.Skip("git is needed: ", err)
	}
	for setting, want := range map[string]string{"http.lowSpeedLimit": "1", "http.lowSpeedTime": "120"} {
		if got, err := git.word(t.Context(), process{op: "ask for a setting", args: []string{"config", "--get", setting}}); err != nil || got != want {
			t.Errorf("%s is %q, %v", setting, got, err)
		}
	}
}
