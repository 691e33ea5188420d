package main

import (
	"io"
	"os"
	"strings"
	"sync"
)

// A screen is standard error with, on a terminal, a last line that changes.
// Whatever else is written pushes that line away.
type screen struct {
	out      io.Writer
	rewrites bool

	mu   sync.Mutex
	last string // the line that is there; empty if none is
}

func newScreen(out io.Writer) *screen { return &screen{out: out, rewrites: isTerminal(out)} }

const eraseLine = "\r\x1b[K"

// Write writes text that stays.
func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last != "" {
		s.last = ""
		if _, err := io.WriteString(s.out, eraseLine); err != nil {
			return 0, err
		}
	}
	return s.out.Write(text)
}

// draw shows the line that changes; one that is empty is none. The terminal
// cuts it off where it ends: it is never more than one line there, however
// narrow that is.
func (s *screen) draw(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	line, _, _ = strings.Cut(line, "\n")
	if !s.rewrites || line == s.last {
		return
	}
	s.last = line
	_, _ = io.WriteString(s.out, eraseLine+"\x1b[?7l"+line+"\x1b[?7h") // who cannot see it misses nothing
}

// isTerminal reports whether lines on w can be rewritten.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok || os.Getenv("TERM") == "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
