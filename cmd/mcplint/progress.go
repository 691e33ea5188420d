package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
)

// A progress tells people at a terminal what has been done so far: the talks
// with one server, or the servers that are done.
type progress struct {
	out     io.Writer // nil if nobody watches
	several bool

	mu   sync.Mutex
	told []string
}

func newProgress(c *call, servers int) *progress {
	p := &progress{several: servers > 1}
	if !c.Has(optQuiet) && !c.Has(optMessages) && onTerminal(c.stderr) {
		p.out = c.stderr
	}
	return p
}

// tell says that a talk has ended; each kind of talk is told once.
func (p *progress) tell(phase string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.out == nil || p.several || slices.Contains(p.told, phase) {
		return
	}
	switch p.told = append(p.told, phase); len(p.told) {
	case 1: // there may be no other, if there is no server
	case 2:
		fmt.Fprintf(p.out, "talks so far: %s, %s", p.told[0], phase)
	default:
		fmt.Fprint(p.out, ", "+phase)
	}
}

// done says that a server is done.
func (p *progress) done(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.out == nil:
	case p.several:
		fmt.Fprintf(p.out, "%s: done\n", oneLine(name))
	case len(p.told) > 1:
		fmt.Fprintln(p.out)
	}
}

func onTerminal(w io.Writer) bool {
	if s, ok := w.(*steady); ok {
		w = s.w
	}
	file, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
