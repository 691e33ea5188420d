package commitsvc

import (
	"encoding/json"
	"os"
	"sync"
)

// auditName is the audit log in the service's folder.
const auditName = "audit.ndjson"

// An auditLine says who did what, and how it ended. Of a token it has the last
// characters.
type auditLine struct {
	Time    string `json:"time"`
	TokenID string `json:"token_id"`
	Action  string `json:"action"`
	Result  string `json:"result"` // created, replayed, or a code
	RunID   string `json:"run_id,omitempty"`
}

// An audit is the log. Each line is one write, so that several processes may
// share it.
type audit struct {
	mu   sync.Mutex
	file *os.File
}

func openAudit(root *os.Root) (*audit, error) {
	file, err := root.OpenFile(auditName, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	return &audit{file: file}, err
}

func (a *audit) write(line auditLine) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	_, err = a.file.Write(append(text, '\n'))
	return err
}
