package streamable

import (
	"bytes"
	"strconv"
	"strings"
	"sync"
)

// The most that one stream keeps for a client that comes back.
const (
	maxEvents     = 256
	maxEventBytes = 64 << 10
)

// A stream is the events of one response, or of what no request asked for, kept
// for a while so that a client whose connection broke can go on reading.
type stream struct {
	id string // unique in its session

	mu       sync.Mutex
	first    int // number of the oldest event kept
	events   [][]byte
	size     int
	finished bool          // nothing will be added
	changed  chan struct{} // closed and replaced when something was added
	taken    int           // number of the first event that no reader has had

	news   bool          // belongs to no request
	reader chan struct{} // closed when another takes over; nil without one; guarded by the session
}

func newStream(id string) *stream { return &stream{id: id, changed: make(chan struct{})} }

// add keeps a message and returns the id of its event. The oldest go when there
// are too many.
func (s *stream) add(msg []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, bytes.Clone(msg))
	s.size += len(msg)
	id := s.eventID(s.first + len(s.events) - 1)
	s.trim(1)
	s.wake()
	return id
}

// delivered says that a reader has had everything: then even the last event is
// not kept if it is too long.
func (s *stream) delivered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trim(0)
}

// trim drops the oldest events, down to a number; the caller holds mu.
func (s *stream) trim(least int) {
	for len(s.events) > maxEvents || s.size > maxEventBytes && len(s.events) > least {
		s.size -= len(s.events[0])
		s.events[0] = nil
		s.events = s.events[1:]
		s.first++
	}
}

func (s *stream) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finished = true
	s.wake()
}

func (s *stream) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// after returns the text of all events from a number on, the number to go on
// with, and what to wait for; no channel means that the stream is over.
func (s *stream) after(number int) (text []byte, next int, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	number = max(number, s.first)
	for i, msg := range s.events[min(number-s.first, len(s.events)):] {
		text = appendEvent(text, s.eventID(number+i), msg)
	}
	next = s.first + len(s.events)
	s.taken = max(s.taken, next)
	if !s.finished {
		changed = s.changed
	}
	return text, next, changed
}

func (s *stream) isFinished() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.finished
}

// unread is the number of the first event that no reader has had.
func (s *stream) unread() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}

func (s *stream) eventID(number int) string { return s.id + "-" + strconv.Itoa(number) }

// parseEventID splits the id of an event.
func parseEventID(id string) (streamID string, number int, ok bool) {
	streamID, digits, found := strings.Cut(id, "-")
	number, err := strconv.Atoi(digits)
	return streamID, number, found && err == nil && number >= 0
}
