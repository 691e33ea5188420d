package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"mcpworks/mcp/client"
)

// A watch is the recorder of every session. It shows what was asked to be shown,
// and keeps what explains a failure: the last lines of standard error, and the
// first line of standard output that was no message.
type watch struct {
	stderr     io.Writer
	messages   bool
	serverLogs bool
	file       *os.File
	lost       *lostWriter
	transcript client.Recorder
	mu         sync.Mutex
	last       []string
	noise      string
}

// lastLines is how many lines of standard error explain a failure, and longLine
// how much of each.
const (
	lastLines = 5
	longLine  = 300
)

func newWatch(c *call) *watch {
	return &watch{stderr: c.stderr, messages: c.Has(optMessages), serverLogs: c.Has(optServerLogs)}
}

// open begins a transcript, if there is to be one.
func (w *watch) open(name string) error {
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return &failure{exit: exitUsage, err: fmt.Errorf("%s: %w", optTranscript, err)}
	}
	w.file, w.lost = file, &lostWriter{w: file}
	w.transcript = client.JSONLines(w.lost)
	return nil
}

// close ends the transcript and says whether it is whole.
func (w *watch) close() error {
	if w.file == nil {
		return nil
	}
	err := w.file.Close()
	if lost := w.lost.failed(); lost != nil {
		err = lost
	}
	if err != nil {
		return &failure{exit: exitUsage, err: fmt.Errorf("%s: %w", optTranscript, err)}
	}
	return nil
}

// Record implements client.Recorder.
func (w *watch) Record(e client.Event) {
	if w.transcript != nil {
		w.transcript.Record(e)
	}
	line := string(e.Message)
	switch e.Kind {
	case client.Stderr:
		w.keep(line)
		if w.serverLogs {
			fmt.Fprintf(w.stderr, "server: %s\n", oneLine(line))
		}
	case client.Sent, client.Received:
		if e.Kind == client.Received {
			w.notice(e.Message)
		}
		if w.messages {
			fmt.Fprintln(w.stderr, traced(e))
		}
	case client.Exchanged:
		if w.messages {
			fmt.Fprintf(w.stderr, "%s === %s %s\n", stamp(e), e.HTTP.Method, outcome(e.HTTP))
		}
	}
}

func (w *watch) keep(line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if strings.TrimSpace(line) == "" {
		return
	}
	w.last = append(w.last, line[:min(len(line), longLine)])
	w.last = w.last[max(0, len(w.last)-lastLines):]
}

func (w *watch) notice(message []byte) {
	message = bytes.TrimSpace(message)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.noise == "" && len(message) > 0 && message[0] != '{' && message[0] != '[' {
		w.noise = string(message[:min(len(message), longLine)])
	}
}

// said returns the last lines of standard error and the first line of standard
// output that was no message.
func (w *watch) said() (last []string, noise string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.last...), w.noise
}

func stamp(e client.Event) string { return fmt.Sprintf("%9.1fms", float64(e.At.Microseconds())/1000) }

// traced is a message as it is shown: with its time and direction.
func traced(e client.Event) string {
	arrow := "<--"
	if e.Kind == client.Sent {
		arrow = "-->"
	}
	line := stamp(e) + " " + arrow + " " + oneLine(strings.TrimRight(string(e.Message), "\r\n"))
	if e.Note != "" {
		line += "  (" + oneLine(e.Note) + ")"
	}
	return line
}

func outcome(x *client.Exchange) string {
	if x.Err != "" {
		return "failed"
	}
	return fmt.Sprintf("HTTP status %d", x.Status)
}

// A lostWriter remembers that something could not be written.
type lostWriter struct {
	w   io.Writer
	mu  sync.Mutex
	err error
}

func (l *lostWriter) Write(p []byte) (int, error) {
	n, err := l.w.Write(p)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = err
	}
	return n, err
}

func (l *lostWriter) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
