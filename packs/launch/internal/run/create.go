package run

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"mcpworks/packs/launch/internal/run/durable"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// ConfigName is the name of the run_config in the folder of a run.
const ConfigName = "run_config.yaml"

// unfinished begins the name of a folder that is no run yet.
const unfinished = ".new-"

// A Request asks for a new run.
type Request struct {
	snapshot.Created        // but for ConfigSHA256 and KeyHash
	Config           []byte // run_config.yaml, redacted
	StopAt           string
	// Key is the idempotency key; Scope says among whose keys it is one.
	Key, Scope string
	// Enqueue asks for the first stage. Nil makes a run that waits.
	Enqueue Enqueue
}

// Create makes a run, its index row and its first job, all of them or nothing.
// With a key that was used before for the same request it returns the run of
// that time, and replay is true.
func (s *Store) Create(ctx context.Context, request Request) (runID string, replay bool, err error) {
	request.ConfigSHA256 = sum(string(request.Config))
	if request.Key != "" {
		request.KeyHash = KeyHash(request.Scope, request.Key)
	}
	err = s.index.Update(ctx, func(tx *sql.Tx) error {
		if request.KeyHash != "" {
			runID, err = index.Claim(ctx, tx, request.KeyHash, request.RequestHash)
			if replay = runID != ""; replay || err != nil {
				return err
			}
		}
		runID, err = s.create(ctx, tx, request)
		return err
	})
	if err != nil && runID != "" && !replay {
		_ = s.root.RemoveAll(runsFolder + "/" + runID) // it was never there
	}
	if err != nil {
		return "", false, fmt.Errorf("create a run: %w", err)
	}
	return runID, replay, nil
}

// create makes the folder under a passing name, gives it its own, and writes
// the rows. The transaction keeps others from taking the same name.
func (s *Store) create(ctx context.Context, tx *sql.Tx, request Request) (runID string, err error) {
	if err := s.keepReserve(); err != nil {
		return "", err
	}
	now := s.options.Clock()
	if runID, err = s.newID(request, now); err != nil {
		return "", err
	}
	passing := runsFolder + "/" + unfinished + runID
	made, err := s.fill(passing, runID, request)
	if err == nil {
		err = s.root.Rename(passing, runsFolder+"/"+runID)
	}
	if err != nil {
		return "", errors.Join(err, s.root.RemoveAll(passing))
	}
	if err := durable.SyncFolder(s.root, runsFolder); err != nil {
		return runID, err
	}
	if err := index.Put(ctx, tx, index.RowOf(made)); err != nil {
		return runID, err
	}
	if request.KeyHash != "" {
		if err := index.Bind(ctx, tx, request.KeyHash, request.RequestHash, runID); err != nil {
			return runID, err
		}
	}
	if request.Enqueue == nil {
		return runID, nil
	}
	return runID, request.Enqueue(ctx, tx, runID, made.LastSeq, time.Time{})
}

// fill makes the folder of a run with its first events.
func (s *Store) fill(folder, runID string, request Request) (made *snapshot.Snapshot, err error) {
	if err := s.root.Mkdir(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of a run: %w", err)
	}
	root, err := s.root.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("open the folder of a run: %w", err)
	}
	if _, err := durable.Write(root, ConfigName, request.Config); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	r := &Run{id: runID, store: s, root: root, snapshot: &snapshot.Snapshot{}}
	if r.log, err = eventlog.Create(root, r.logOptions()); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	drafts := []eventlog.Draft{{Type: snapshot.RunCreated, Payload: request.Created}}
	if request.Enqueue != nil {
		drafts = append(drafts, eventlog.Draft{Type: snapshot.RunQueued, Payload: snapshot.Order{StopAt: request.StopAt}})
	} else {
		drafts = append(drafts, eventlog.Draft{Type: snapshot.RunPaused, Payload: snapshot.Pause{Reason: snapshot.StopAt}})
	}
	err = r.log.Append(eventlog.CurrentFence, func() ([]eventlog.Draft, error) { return drafts, nil }, r.writeSnapshot)
	return r.snapshot, err
}

// KeyHash is what an idempotency key is known by among the keys of a scope. No
// other pair reads the same.
func KeyHash(scope, key string) string {
	return sum(fmt.Sprintf("%d|%s|%s", len(scope), scope, key))
}

var outsideSlug = regexp.MustCompile(`[^a-z0-9-]+`)

// newID is r_<time>_<slug>_<hex8> (3.3), of a run that does not exist.
func (s *Store) newID(request Request, now time.Time) (string, error) {
	nonce := request.Key
	if nonce == "" {
		drawn := make([]byte, 16)
		if _, err := io.ReadFull(s.options.Random, drawn); err != nil {
			return "", fmt.Errorf("draw a run id: %w", err)
		}
		nonce = string(drawn)
	}
	slug := strings.Trim(outsideSlug.ReplaceAllString(strings.ToLower(request.ProductSlug), "-"), "-")
	slug = cmp.Or(slug[:min(20, len(slug))], "run")
	text := request.ConfigSHA256 + "|" + nonce
	for n := 0; ; n++ {
		if n > 0 {
			text = fmt.Sprintf("%s|%s|%d", request.ConfigSHA256, nonce, n)
		}
		id := fmt.Sprintf("r_%s_%s_%s", now.UTC().Format("20060102T150405Z"), slug, sum(text)[:8])
		switch _, err := s.root.Lstat(runsFolder + "/" + id); {
		case errors.Is(err, os.ErrNotExist):
			return id, nil
		case err != nil:
			return "", fmt.Errorf("look for a free run id: %w", err)
		}
	}
}

func sum(text string) string {
	hash := sha256.Sum256([]byte(text))
	return hex.EncodeToString(hash[:])
}
