package commitsvc

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"
)

// What a key is for.
const (
	ForCommit = "commit"
	ForOpenPR = "open_pr"
)

// Key derives the idempotency key of a request from the run and from what it
// wants in the site, so that whoever asks again asks with the same key (C-29).
func Key(purpose, runID, treeHash string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{purpose, runID, treeHash}, "|")))
	id := sum[:16]
	id[6] = id[6]&0x0f | 0x40 // version 4
	id[8] = id[8]&0x3f | 0x80 // the variant of RFC 9562
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

var keyShape = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
