package commitsvc

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"mcpworks/packs/launch/internal/run/durable"
)

const (
	repliesFolder = "idempotency"
	// replyLife is how long an answer is given again.
	replyLife = 24 * time.Hour
)

// replies are the answers that were given, one file for each, so that they are
// given again also after a restart and by other processes.
type replies struct {
	root *os.Root
	now  func() time.Time

	mu    sync.Mutex
	swept map[string]time.Time // by folder
}

// A reply is an answer with the request that it belongs to.
type reply struct {
	RequestHash string          `json:"request_hash"`
	CreatedAt   time.Time       `json:"created_at"`
	Body        json.RawMessage `json:"body"`
}

// replyName is the file of a reply: the key is meant within one repository and
// one kind of request. Each site has its folder, which is written to by whoever
// has the site's lock.
func replyName(site, endpoint, repoURL, key string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{endpoint, repoURL, key}, "\x00")))
	return path.Join(repliesFolder, site, hex.EncodeToString(sum[:])+".json")
}

// find returns the earlier answer to a request, or nil. Another request with the
// same key is a fault. An empty file, which a machine that lost its power can
// leave, is no answer: the request is done again, and finds what it has made.
func (r *replies) find(name, requestHash string) (json.RawMessage, error) {
	text, err := r.root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a reply: %w", err)
	}
	var known reply
	if err := json.Unmarshal(text, &known); err != nil {
		return nil, fmt.Errorf("read a reply: %w", err)
	}
	switch {
	case r.now().Sub(known.CreatedAt) >= replyLife:
		return nil, nil
	case known.RequestHash != requestHash:
		return nil, refuse(IdempotencyMismatch, "the key was used for another request")
	}
	return known.Body, nil
}

// keep writes down an answer before it is given. The site's lock is held.
func (r *replies) keep(name, requestHash string, body json.RawMessage) error {
	text, err := json.Marshal(reply{requestHash, r.now().UTC(), body})
	if err != nil {
		return err
	}
	folder := path.Dir(name)
	left, _ := fs.Glob(r.root.FS(), folder+"/"+durable.TempPrefix+"*") // by a process that was killed
	for _, name := range left {
		_ = r.root.Remove(name)
	}
	if _, err := durable.Write(r.root, name, text); err != nil {
		return fmt.Errorf("keep a reply: %w", err)
	}
	r.sweep(folder)
	return nil
}

// sweep removes answers to a site that are too old, once in a while. What it
// cannot remove does no harm.
func (r *replies) sweep(folder string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if now.Sub(r.swept[folder]) < replyLife/24 {
		return
	}
	r.swept[folder] = now
	entries, _ := fs.ReadDir(r.root.FS(), folder)
	for _, entry := range entries {
		name := path.Join(folder, entry.Name())
		var known reply
		if text, err := r.root.ReadFile(name); err == nil && json.Unmarshal(text, &known) == nil && now.Sub(known.CreatedAt) >= replyLife {
			_ = r.root.Remove(name)
		}
	}
}
