package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

const (
	progressDelay = time.Second            // shorter work is not worth a word
	progressPause = 100 * time.Millisecond // between two updates
)

// progress is a line on a terminal that says how far a long build is. The zero
// progress shows nothing.
type progress struct {
	out     io.Writer
	started time.Time

	mu    sync.Mutex
	most  int       // updates may overtake each other
	drawn time.Time // the last time; zero if there is nothing to erase
}

// update shows how many documents are done. It may be called from anywhere.
func (p *progress) update(done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.most = max(p.most, done)
	now := time.Now()
	if p.out == nil || now.Sub(p.started) < progressDelay || now.Sub(p.drawn) < progressPause {
		return
	}
	p.drawn = now
	fmt.Fprintf(p.out, "\r\x1b[KBuilding: %d of %d documents", p.most, total)
}

// erase removes the line. Updates that come later show nothing.
func (p *progress) erase() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.drawn.IsZero() {
		io.WriteString(p.out, "\r\x1b[K")
	}
	p.out = nil
}

// isTerminal reports whether lines on w can be rewritten.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
