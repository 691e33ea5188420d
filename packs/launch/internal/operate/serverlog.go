package operate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/flock"
)

// serverLogName is the file of events that belong to the server.
const serverLogName = "server_events.ndjson"

// A serverLog is the events of all servers on a data directory, each line with
// the hash of the one before (12.3, 18.16). A last line that is not whole is cut
// off.
type serverLog struct {
	folder string
	clock  func() time.Time
	random io.Reader

	mu sync.Mutex
}

// serverEvent is a line, without its hash.
type serverEvent struct {
	ID      string         `json:"event_id"`
	Payload map[string]any `json:"payload"`
	Prev    string         `json:"prev_hash"`
	Seq     int64          `json:"seq"`
	Time    string         `json:"ts"`
	Type    string         `json:"type"`
}

// lineBytes bounds the last line, which is looked for from the end.
const lineBytes = 64 << 10

// append adds an event. Other processes wait for it.
func (l *serverLog) append(event string, payload map[string]any) (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	file, err := os.OpenFile(filepath.Join(l.folder, serverLogName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }() // and with it goes the lock
	waiting, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := flock.Lock(waiting, file); err != nil {
		return err
	}
	end, last, err := lastLine(file)
	if err != nil {
		return err
	}
	drawn := make([]byte, 16)
	if _, err := io.ReadFull(l.random, drawn); err != nil {
		return err
	}
	text, err := chained(serverEvent{ID: "evt_" + hex.EncodeToString(drawn), Payload: payload, Time: eventlog.Time(l.clock()), Type: event}, last)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(text, end)
	return err
}

// chained is the line of an event behind the last one.
func chained(event serverEvent, last []byte) ([]byte, error) {
	var before struct {
		Hash string `json:"event_hash"`
		Seq  int64  `json:"seq"`
	}
	if json.Unmarshal(last, &before) != nil || before.Hash == "" {
		before.Hash, before.Seq = strings.Repeat("0", 64), 0
	}
	event.Prev, event.Seq = before.Hash, before.Seq+1
	text, err := artifact.Canonical(event)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	line := append([]byte(`{"event_hash":"`+hex.EncodeToString(sum[:])+`",`), text[1:]...)
	return append(line, '\n'), nil
}

// lastLine returns the last whole line, and where the next one begins.
func lastLine(file *os.File) (end int64, line []byte, err error) {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return 0, nil, err
	}
	tail := make([]byte, min(size, lineBytes))
	if _, err := file.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return 0, nil, err
	}
	whole := bytes.LastIndexByte(tail, '\n') + 1
	end = size - int64(len(tail)-whole)
	lines := bytes.Split(bytes.TrimSuffix(tail[:whole], []byte("\n")), []byte("\n"))
	return end, lines[len(lines)-1], file.Truncate(end)
}
