package operate

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"mcpworks/internal/rawjson"
	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// The operations that begin runs, as RUN_CREATED and request hashes name them.
const (
	startConfig  = "start"
	startProduct = "start_from_product_url"
	startGitHub  = "start_from_github_repo_url"
)

// Started says which run an operation has begun. DerivedConfig is what a
// quickstart found out.
type Started struct {
	OK            bool        `json:"ok"`
	RunID         string      `json:"run_id"`
	State         state.State `json:"state"`
	Replay        bool        `json:"idempotent_replay,omitempty"`
	DerivedConfig any         `json:"derived_config,omitempty"`
}

// Start begins a run from a whole run_config.
func (l *Launcher) Start(ctx context.Context, by Caller, runConfig json.RawMessage, key string) (Started, error) {
	value, err := rawjson.Decode(runConfig)
	if err != nil {
		return Started{}, err
	}
	b, err := l.begin(by, startConfig, key, map[string]any{"run_config": value})
	if err != nil {
		return Started{}, err
	}
	if answer, again, err := b.replay(ctx); again || err != nil {
		return answer, err
	}
	cfg, err := config.Parse(runConfig)
	if err != nil {
		return Started{}, err
	}
	return b.create(ctx, cfg)
}

// A beginning is the start of a run on its way.
type beginning struct {
	*Launcher
	by             Caller
	operation, key string
	requestHash    string
}

// begin prepares a start. Arguments are what the caller said, without the key:
// with the operation they are what makes two requests the same (3.3).
func (l *Launcher) begin(by Caller, operation, key string, arguments map[string]any) (*beginning, error) {
	hash, err := hashOf(map[string]any{"operation": operation, "arguments": arguments})
	return &beginning{l, by, operation, key, hash}, err
}

// replay looks for the run that the key stands for already. It comes before all
// else: neither a repository that has moved on nor one that is gone changes the
// answer.
func (b *beginning) replay(ctx context.Context) (answer Started, again bool, err error) {
	if b.key == "" {
		return Started{}, false, nil
	}
	var runID string
	err = b.store.Index().Update(ctx, func(tx *sql.Tx) error {
		runID, err = index.Claim(ctx, tx, run.KeyHash(b.by.Identity, b.key), b.requestHash)
		return err
	})
	if err != nil || runID == "" {
		return Started{}, false, err
	}
	return b.replayed(ctx, runID)
}

func (b *beginning) replayed(ctx context.Context, runID string) (Started, bool, error) {
	current, err := b.store.Status(ctx, runID)
	if err != nil {
		return Started{}, false, err
	}
	return Started{OK: true, RunID: runID, State: current.State, Replay: true}, true, nil
}

// create makes the run, unless the config cannot be used.
func (b *beginning) create(ctx context.Context, cfg *config.Config) (Started, error) {
	if err := errors.Join(b.executable(), b.check(cfg)); err != nil {
		return Started{}, err
	}
	text, err := cfg.YAML()
	if err != nil {
		return Started{}, err
	}
	runID, replay, err := b.store.Create(ctx, run.Request{
		Created: snapshot.Created{
			Operation: b.operation, ProductSlug: cfg.ProductSlug, Family: cfg.Family, Platform: cfg.TargetPlatform,
			SiteProfile: cfg.SiteProfile, Owner: b.by.Identity, RequestHash: b.requestHash,
		},
		Config: text, StopAt: cfg.StopAt, Key: b.key, Scope: b.by.Identity, Enqueue: b.queue.Enqueue,
	})
	if err != nil {
		return Started{}, &CreationError{err}
	}
	if replay { // another call was faster
		answer, _, err := b.replayed(ctx, runID)
		return answer, err
	}
	b.note(runID)
	return Started{OK: true, RunID: runID, State: state.Created}, nil
}

// A CreationError says that a run could not be made.
type CreationError struct{ Err error }

func (e *CreationError) Error() string { return e.Err.Error() }
func (e *CreationError) Unwrap() error { return e.Err }

// maxConfig bounds the text of a config that is read back.
const maxConfig = 16 << 20

// configOf is the config of a run.
func (l *Launcher) configOf(ctx context.Context, runID string) (*config.Config, error) {
	chunk, err := l.store.Read(ctx, runID, run.ConfigName, 0, maxConfig)
	if err != nil {
		return nil, err
	}
	return config.FromYAML(chunk.Data)
}

func hashOf(value any) (string, error) {
	text, err := artifact.Canonical(value)
	if err != nil {
		return "", fmt.Errorf("hash a request: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// decoded is a value as JSON says it.
func decoded(value any) (any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return rawjson.Decode(text)
}
