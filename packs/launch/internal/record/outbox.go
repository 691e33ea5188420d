package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"mcpworks/packs/launch/internal/run/durable"
	"mcpworks/packs/launch/internal/run/flock"
)

// The files of what could not be delivered.
const (
	OutboxName = "telemetry_outbox.jsonl"
	DeadName   = "telemetry_dead.jsonl"
)

// patience is how long a change of an outbox waits for those of others.
const patience = 5 * time.Second

// TruncatedItem is the item_name of a record that says how much was lost.
const TruncatedItem = "TELEMETRY_OUTBOX_TRUNCATED"

// A line is a request that waits.
type line struct {
	Endpoint string          `json:"endpoint"` // the path
	Method   string          `json:"method"`
	Payload  json.RawMessage `json:"payload"`
	EventID  string          `json:"event_id"`
	TS       string          `json:"ts"`
	// Dropped is set in the line that stands for all that were dropped.
	Dropped int `json:"dropped,omitempty"`
	// Reason is set in dead letters.
	Reason string `json:"reason,omitempty"`
}

func (l line) creates() bool { return l.Method == "POST" && l.Endpoint == createPath }

// An outbox is a file of lines in a folder, oldest first. Several processes may
// use it; every change of the file is short.
type outbox struct {
	folder string
	name   string
	max    int64 // bytes
}

func (o outbox) path() string { return filepath.Join(o.folder, o.name) }

// isEmpty says whether nothing waits.
func (o outbox) isEmpty() bool {
	info, err := os.Stat(o.path())
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
}

// locked calls do while no other process changes the file.
func (o outbox) locked(do func(root *os.Root) error) error {
	guard, err := os.OpenFile(o.path()+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open the outbox: %w", err)
	}
	defer guard.Close() // and with it goes the lock
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := flock.Lock(ctx, guard); err != nil {
		return fmt.Errorf("open the outbox: %w", err)
	}
	root, err := os.OpenRoot(o.folder)
	if err != nil {
		return fmt.Errorf("open the outbox: %w", err)
	}
	defer root.Close()
	return do(root)
}

// add appends lines. If the file would become too long the oldest lines go, and
// lost makes the line that stands for them; dropped is how many went now.
func (o outbox) add(lines []line, lost func(dropped int, earlier *line) line) (dropped int, err error) {
	var text []byte
	for _, l := range lines {
		one, err := json.Marshal(l)
		if err != nil {
			return 0, err
		}
		text = append(append(text, one...), '\n')
	}
	err = o.locked(func(root *os.Root) error {
		info, err := root.Stat(o.name)
		if err == nil && info.Size()+int64(len(text)) > o.max || int64(len(text)) > o.max {
			dropped, err = o.shorten(root, text, lost)
			return err
		}
		file, err := root.OpenFile(o.name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		defer file.Close()
		if err := endLine(file); err != nil {
			return err
		}
		_, err = file.Write(text)
		return err
	})
	return dropped, err
}

// endLine ends a line that a killed process did not finish; it is recognised as
// rubbish when it is read.
func endLine(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := file.ReadAt(last, info.Size()-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err = file.Write([]byte{'\n'})
	return err
}

// shorten writes the file anew with the youngest lines: nine tenths of what is
// allowed, so that it is not written anew for every line.
func (o outbox) shorten(root *os.Root, more []byte, lost func(int, *line) line) (dropped int, err error) {
	text, err := root.ReadFile(o.name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	all := bytes.SplitAfter(append(text, more...), []byte("\n"))
	var earlier *line
	if first := parseLine(all[0]); first != nil && first.Dropped > 0 {
		earlier, all = first, all[1:]
	}
	size := int64(0)
	from := len(all)
	for from > 0 && size+int64(len(all[from-1])) <= o.max*9/10 {
		from--
		size += int64(len(all[from]))
	}
	kept := bytes.Join(all[from:], nil)
	if lost != nil {
		head, err := json.Marshal(lost(from, earlier))
		if err != nil {
			return 0, err
		}
		kept = append(append(head, '\n'), kept...)
	}
	_, err = durable.Write(root, o.name, kept)
	return from, err
}

func parseLine(text []byte) *line {
	var l line
	if json.Unmarshal(text, &l) != nil || l.Method == "" {
		return nil
	}
	return &l
}

// read returns the lines as they are, without rubbish.
func (o outbox) read() (texts []string, err error) {
	if o.isEmpty() {
		return nil, nil
	}
	err = o.locked(func(root *os.Root) error {
		all, err := root.ReadFile(o.name)
		for text := range bytes.Lines(all) {
			if parseLine(text) != nil {
				texts = append(texts, string(bytes.TrimSuffix(text, []byte("\n"))))
			}
		}
		return err
	})
	return texts, err
}

// remove takes lines out that were delivered. Others may have been added, or
// dropped, meanwhile.
func (o outbox) remove(sent map[string]int) error {
	return o.locked(func(root *os.Root) error {
		all, err := root.ReadFile(o.name)
		if err != nil {
			return err
		}
		var left []byte
		for text := range bytes.Lines(all) {
			key := string(bytes.TrimSuffix(text, []byte("\n")))
			switch {
			case sent[key] > 0:
				sent[key]--
			case parseLine(text) != nil:
				left = append(left, text...)
			}
		}
		if len(left) == 0 {
			return root.Remove(o.name)
		}
		_, err = durable.Write(root, o.name, left)
		return err
	})
}

// flushing keeps other processes from delivering the same lines at the same
// time; ok is false if one is at it.
func (o outbox) flushing() (done func(), ok bool) {
	guard, err := os.OpenFile(o.path()+".flush.lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false
	}
	if held, err := flock.Try(guard); !held || err != nil {
		guard.Close()
		return nil, false
	}
	return func() { guard.Close() }, true
}
