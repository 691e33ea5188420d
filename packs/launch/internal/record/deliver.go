package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"time"
)

const (
	tryTime = 10 * time.Second
	maxTold = 64 << 10 // of an answer, which is thrown away
)

// pauses are the waits between the three tries of a record.
var pauses = []time.Duration{time.Second, 2 * time.Second}

// errDead is a request that the service will never take.
var errDead = errors.New("refused for good")

// run is the one goroutine that talks to the service.
func (s *Sender) run() {
	defer close(s.done)
	ticker := time.NewTicker(s.config.Every)
	defer ticker.Stop()
	for {
		for it, ok := s.take(); ok && s.ctx.Err() == nil; it, ok = s.take() {
			s.deliver(it)
		}
		s.answerFlushes()
		select {
		case <-s.wake:
		case <-ticker.C:
			_ = s.flushAll() // it is tried again
		case <-s.ctx.Done():
			return
		}
	}
}

// take removes the first item of the queue, unless the sender is being closed:
// then it stays for the outbox.
func (s *Sender) take() (item, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 || s.ctx.Err() != nil {
		return item{}, false
	}
	first := s.queue[0]
	s.queue = s.queue[1:]
	s.sending = first.folder
	return first, true
}

// answerFlushes tries the outboxes for those who wait for that.
func (s *Sender) answerFlushes() {
	s.mu.Lock()
	waiting := s.flushes
	s.flushes = nil
	s.mu.Unlock()
	if len(waiting) == 0 {
		return
	}
	err := s.flushAll()
	for _, done := range waiting {
		done <- err
	}
}

// deliver sends an item, or puts it behind those that wait already.
func (s *Sender) deliver(it item) {
	err := errors.New("others wait")
	if s.outbox(it.folder).isEmpty() {
		err = s.send(it.line)
		for try := 0; err != nil && !errors.Is(err, errDead) && try < len(pauses); try++ {
			if s.config.Wait(s.ctx, pauses[try]) != nil {
				break
			}
			err = s.send(it.line)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sending = ""
	switch {
	case err == nil:
		s.counts.Sent++
	case errors.Is(err, errDead):
		s.bury(it.line, err)
	default:
		_ = s.keep(it.folder, []line{it.line}) // it is logged there
	}
}

// bury keeps a record that the service refuses, for people to look at. The lock
// is held.
func (s *Sender) bury(l line, reason error) {
	s.counts.Dead++
	l.Reason = reason.Error()
	if _, err := (outbox{s.config.Folder, DeadName, s.config.Max}).add([]line{l}, nil); err != nil {
		s.config.Log.Error("telemetry is lost: the dead letters cannot be written", "error", err)
		return
	}
	s.config.Log.Warn("telemetry was refused", "event_id", l.EventID, "reason", l.Reason)
}

// send makes one request.
func (s *Sender) send(l line) error {
	ctx, cancel := context.WithTimeout(s.ctx, tryTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, l.Method, s.config.URL+l.Endpoint, bytes.NewReader(l.Payload))
	if err != nil {
		return fmt.Errorf("%w: the address is malformed", errDead)
	}
	r.Header.Set("Content-Type", "application/json")
	if !s.config.Token.IsZero() {
		r.Header.Set("Authorization", "Bearer "+s.config.Token.Reveal())
	}
	response, err := s.http.Do(r)
	if err != nil {
		return errors.New("the telemetry service did not answer")
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxTold)) // so that the connection can be used again
	switch status := response.StatusCode; {
	case status >= 200 && status < 300:
		return nil
	case status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout:
		return fmt.Errorf("the telemetry service answered %d", status)
	default:
		return fmt.Errorf("%w: status %d", errDead, status)
	}
}

// flushAll tries all outboxes.
func (s *Sender) flushAll() error {
	s.mu.Lock()
	folders := slices.Sorted(maps.Keys(s.folders))
	s.mu.Unlock()
	var faults []error
	for _, folder := range folders {
		err := s.flush(folder)
		faults = append(faults, err)
		s.mu.Lock()
		if err == nil && folder != s.config.Folder && s.outbox(folder).isEmpty() && s.inMemory(folder) == 0 {
			delete(s.folders, folder)
		}
		s.mu.Unlock()
	}
	return errors.Join(faults...)
}

// flush delivers an outbox in its order, until the service fails. A record that
// was being sent while later ones were put away stands behind its own changes:
// it goes first.
func (s *Sender) flush(folder string) error {
	box := s.outbox(folder)
	if box.isEmpty() {
		return nil
	}
	unlock, ok := box.flushing()
	if !ok {
		return nil // another process is at it
	}
	defer unlock()
	texts, err := box.read()
	if err != nil {
		return err
	}
	done := map[string]int{}
	for _, text := range creationsFirst(texts) {
		l := parseLine([]byte(text))
		if err = s.send(*l); err != nil && !errors.Is(err, errDead) {
			break
		}
		s.mu.Lock()
		if err == nil {
			s.counts.Sent++
		} else {
			s.bury(*l, err)
			err = nil
		}
		s.mu.Unlock()
		done[text]++
	}
	if len(done) == 0 {
		return err
	}
	return errors.Join(err, box.remove(done))
}

// creationsFirst moves each new record before the first line about it, and
// leaves everything else as it is.
func creationsFirst(texts []string) []string {
	creation := map[string]int{} // by event_id
	lines := make([]*line, len(texts))
	for i, text := range texts {
		lines[i] = parseLine([]byte(text))
		if _, known := creation[lines[i].EventID]; lines[i].creates() && !known {
			creation[lines[i].EventID] = i
		}
	}
	moved := map[int]bool{}
	var ordered []string
	for i, text := range texts {
		if at, known := creation[lines[i].EventID]; known && at > i && !moved[at] {
			ordered = append(ordered, texts[at])
			moved[at] = true
		}
		if !moved[i] {
			ordered = append(ordered, text)
		}
	}
	return ordered
}
