package pipeline_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/queue"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// S-3: a run that is enqueued is executed to the end of its order without further
// calls, by the real queue.
func TestQueued(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	store, err := run.Open(t.Context(), folder, run.Options{Migrate: queue.Migrate})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close(); _ = gitrepo.Remove(folder + "/runs") })
	git, err := gitrepo.New(t.Context(), gitrepo.Options{AllowLocal: true})
	if err != nil {
		t.Skip("git is needed: ", err)
	}
	p, err := pipeline.New(store, pipeline.Options{Folder: folder, Git: git, LocalGit: git, Profiles: localProfiles(t), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{}, 1)
	execute := func(ctx context.Context, held *run.Held) (bool, error) {
		again, err := p.Execute(ctx, held)
		if !again || err != nil {
			ended <- struct{}{}
		}
		return again, err
	}
	q, err := queue.New(store, p.Stages(), execute, queue.Options{Poll: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(settings("sparse", product(t, "sparse"), nil))
	if err != nil {
		t.Fatal(err)
	}
	told, err := config.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	written, err := told.YAML()
	if err != nil {
		t.Fatal(err)
	}
	id, _, err := store.Create(t.Context(), run.Request{
		Created: snapshot.Created{Operation: "start", ProductSlug: "sparse", SiteProfile: "default"}, Config: written, StopAt: told.StopAt,
		Enqueue: func(ctx context.Context, tx *sql.Tx, id string, seq int64, at time.Time) error {
			return q.Enqueue(ctx, tx, id, seq, at)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	working, stop := context.WithCancel(t.Context())
	worked := make(chan error, 1)
	go func() { worked <- q.Work(working) }()
	select {
	case <-ended:
	case err := <-worked:
		t.Fatal("the queue has stopped: ", err)
	}
	stop()
	if err := <-worked; err != nil {
		t.Error(err)
	}
	s, err := store.Status(t.Context(), id)
	if err != nil || s.State != state.ReadyForPR || s.Activity != snapshot.Paused {
		t.Errorf("the run is %s, %s, failure %+v: %v", s.State, s.Activity, s.Failure, err)
	}
}
