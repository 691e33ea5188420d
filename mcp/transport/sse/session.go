package sse

import (
	"context"
	"sync"

	"mcpworks/mcp/transport"
)

// A session is one open stream and the messages on their way to it. It is the
// outlet of all its requests.
type session struct {
	id        string // 130 random bits
	principal string
	service   transport.Session
	max       int

	mu     sync.Mutex
	queued []byte
	calls  int
	last   bool // the stream ends with the last of its requests
	over   bool
	work   sync.WaitGroup
	more   chan struct{} // capacity 1: something is queued
	ended  chan struct{} // closed when the stream is to end
}

// put queues a message as an event. A reader that is too slow is cut off.
func (s *session) put(msg []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return transport.ErrClosed
	}
	if len(s.queued) > 0 && len(s.queued)+len(msg) > s.max {
		s.queued = nil
		s.finish()
		return transport.ErrClosed
	}
	s.queued = append(s.queued, "event: message\ndata: "...)
	s.queued = append(s.queued, msg...)
	s.queued = append(s.queued, "\n\n"...)
	select {
	case s.more <- struct{}{}:
	default:
	}
	return nil
}

// Notify implements transport.Outlet.
func (s *session) Notify(_ context.Context, msg []byte) error { return s.put(msg) }

// Answer implements transport.Outlet.
func (s *session) Answer(_ context.Context, msg []byte, _ transport.Outcome) error { return s.put(msg) }

// take returns the queued events.
func (s *session) take() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.queued
	s.queued = nil
	return text
}

// begin books a request unless too many are at work or the stream is over.
func (s *session) begin(most int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.last || s.calls >= most {
		return false
	}
	s.calls++
	s.work.Add(1)
	return true
}

func (s *session) done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.work.Done()
	if s.calls--; s.last && s.calls == 0 {
		s.finish()
	}
}

// drain ends the stream once its requests are answered.
func (s *session) drain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last = true; s.calls == 0 {
		s.finish()
	}
}

func (s *session) isOver() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}

// end closes the stream.
func (s *session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finish()
}

// finish closes the stream; the caller holds mu.
func (s *session) finish() {
	if !s.over {
		s.over = true
		close(s.ended)
	}
}
