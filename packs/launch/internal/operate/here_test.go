package operate_test

import (
	"errors"
	"testing"

	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// 5.7, 14.13: a process without the settings that a run needs neither ends it for
// good nor lets it go on; one that has them does.
func TestRunOfOtherSettings(t *testing.T) {
	y := newYard(t)
	local := func(o *operate.Options) { o.ProfilesDir, o.AllowLocal = "", true }
	strict := func(o *operate.Options) { o.ProfilesDir = "" }
	l := y.open(local)
	id := y.begin(l, nil)
	y.close(l)

	l = y.open(strict)
	refused := new(operate.RefusedError)
	if _, err := l.Resume(t.Context(), operate.Caller{}, id, "", ""); !errors.As(err, &refused) || refused.Faults[0].Policy != "REPO_URL_INVALID_PROTOCOL" {
		t.Errorf("resume: %v", err)
	}
	if status, err := l.Status(t.Context(), id); err != nil || status.Activity != snapshot.Queued {
		t.Errorf("the run is %s, %s: %v", status.State, status.Activity, err)
	}
	y.close(l)

	l, end := y.work(strict)
	status := y.rest(l, id)
	if status.State != "FAILED" || !status.Failure.Resumable || status.Failure.Class != "BLOCKED" {
		t.Errorf("the run is %s: %+v", status.State, status.Failure)
	}
	end()

	l, end = y.work(local)
	defer end()
	if _, err := l.Resume(t.Context(), operate.Caller{}, id, "", ""); err != nil {
		t.Fatal(err)
	}
	if status := y.rest(l, id); status.State != "READY_FOR_PR" {
		t.Errorf("the run is %s: %+v", status.State, status.Failure)
	}
}
