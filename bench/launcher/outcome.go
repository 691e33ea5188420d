package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// determined are the hashes of all files of a run that depend on its inputs alone.
func (h home) determined(runID string) (map[string]string, error) {
	sums, run := map[string]string{}, filepath.Join(h.data(), "runs", runID)
	for _, folder := range []string{"artifacts", "drafts", "reports", "work/site"} {
		err := filepath.WalkDir(filepath.Join(run, folder), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || entry.Name() == "pr.json" {
				return err
			}
			text, err := os.ReadFile(file)
			sum := sha256.Sum256(text)
			sums[strings.TrimPrefix(file, run)] = hex.EncodeToString(sum[:])
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// difference names the first file in which two runs differ.
func difference(want, got map[string]string) error {
	for name := range want {
		if want[name] != got[name] {
			return fmt.Errorf("%s differs", name)
		}
	}
	for name := range got {
		if want[name] == "" {
			return fmt.Errorf("%s is too much", name)
		}
	}
	return nil
}

// An event is a line of the log, as far as it is looked at.
type event struct {
	Seq  int64  `json:"seq"`
	Type string `json:"type"`
	Time string `json:"ts"`
	Hash string `json:"event_hash"`
	Prev string `json:"prev_hash"`
}

// events reads a log and verifies its chain.
func (h home) events(runID string) (list []event, err error) {
	text, err := os.ReadFile(filepath.Join(h.data(), "runs", runID, "events.ndjson"))
	if err != nil {
		return nil, err
	}
	prev := strings.Repeat("0", 64)
	for line := range bytes.Lines(text) {
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("event %d: %w", len(list)+1, err)
		}
		hash, err := hashOf(line)
		if err != nil {
			return nil, err
		}
		if e.Seq != int64(len(list)+1) || e.Prev != prev || e.Hash != hash {
			return nil, fmt.Errorf("the chain breaks at event %d", len(list)+1)
		}
		prev, list = e.Hash, append(list, e)
	}
	return list, nil
}

// hashOf is the hash of an event: that of its canonical JSON without the hash.
func hashOf(line []byte) (string, error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	members := map[string]any{}
	if err := decoder.Decode(&members); err != nil {
		return "", err
	}
	delete(members, "event_hash")
	var canonical bytes.Buffer
	encoder := json.NewEncoder(&canonical)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(members); err != nil {
		return "", err
	}
	sum := sha256.Sum256(bytes.TrimSuffix(canonical.Bytes(), []byte("\n")))
	return hex.EncodeToString(sum[:]), nil
}

// published demands one branch and one pull request, in a repository that is whole.
func (h home) published(ctx context.Context, site string) error {
	remote := filepath.Join(h.data(), "remotes", site+".git")
	branches, err := gitIn(ctx, remote, "for-each-ref", "--format=%(refname)", "refs/heads/launch/")
	if err != nil {
		return err
	}
	if n := len(strings.Fields(branches)); n != 1 {
		return fmt.Errorf("%d branches", n)
	}
	if _, err := gitIn(ctx, remote, "fsck", "--strict", "--no-dangling"); err != nil {
		return err
	}
	records, err := os.ReadFile(filepath.Join(h.data(), "remotes", site+".prs.ndjson"))
	if n := bytes.Count(records, []byte("\n")); err != nil || n != 1 {
		return fmt.Errorf("%d pull requests, %w", n, err)
	}
	return nil
}

// rubbish are names that no process leaves behind when it is done: files being
// written, folders being made, locks of git, journals of the database.
var rubbish = regexp.MustCompile(`/(?:\.tmp-|\.launch-|launch-index-|look-|tmp_obj_|tmp_pack|tmp_idx)[^/]*$|\.new(?:-[^/]*)?$|-(?:wal|shm|journal)$|\.git/.*\.lock$|/work/[^/]*\.[^/]*$|/runs/\.[^/]*$`)

// tidy demands that nothing is left of what was interrupted.
func (h home) tidy(ctx context.Context) error {
	left, err := os.ReadDir(filepath.Join(h.dir, "tmp"))
	if err != nil || len(left) > 0 {
		return fmt.Errorf("%d files in the temporary folder, such as %v, %w", len(left), left, err)
	}
	err = filepath.WalkDir(h.data(), func(name string, entry fs.DirEntry, err error) error {
		name = strings.TrimPrefix(name, h.data())
		if err == nil && rubbish.MatchString(name) {
			return fmt.Errorf("%s was left behind", name)
		}
		if err == nil && entry.IsDir() && strings.HasPrefix(name, "/runs/") && strings.Contains(name, "/work/") {
			return h.plain(name)
		}
		return err
	})
	if err != nil {
		return err
	}
	var leased int
	err = h.index(ctx, func(db *sql.DB) error {
		return db.QueryRowContext(ctx, "SELECT count(*) FROM leases WHERE expires_at > ?", time.Now().UnixMilli()).Scan(&leased)
	})
	if err == nil && leased > 0 {
		err = fmt.Errorf("%d leases are held", leased)
	}
	return err
}

// plain looks for drafts of files in a folder of a worktree, and leaves the rest of
// it alone.
func (h home) plain(folder string) error {
	drafts, err := filepath.Glob(filepath.Join(h.data(), folder, ".launch-*"))
	if len(drafts) > 0 {
		return errors.New("a draft was left in " + folder)
	}
	return err
}

// endLeases lets the thirty seconds pass for which a dead process keeps others
// out.
func (h home) endLeases(ctx context.Context) error {
	return h.index(ctx, func(db *sql.DB) error {
		_, err := db.ExecContext(ctx, "UPDATE leases SET expires_at = 1 WHERE expires_at > 0")
		return err
	})
}

func (h home) index(ctx context.Context, do func(*sql.DB) error) error {
	file := filepath.Join(h.data(), "index.db")
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, err := sql.Open("sqlite", "file://"+file+"?_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	err = do(db)
	if err != nil && strings.Contains(err.Error(), "no such table") { // it was killed before it made one
		err = nil
	}
	return errors.Join(err, db.Close())
}
