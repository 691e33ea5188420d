// Package mcptest talks raw lines to a server under test.
//
// A [Peer] is the far end of a stdio conversation: a child process ([Start])
// or a serve function over in-memory pipes ([Pipe]), so that one test body
// runs over both. [RunProbes] sends every rude and unusual conversation of
// testdata/probes to a peer and compares the answers with the protocol
// statements that each probe names.
//
// Only tests and the programs in bench import it.
package mcptest

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"sync"
)

// Peer is a server on the other end of a pair of pipes, spoken to in lines.
//
// Output is drained by a goroutine of the peer, so a server is never blocked
// by a test that does not read. Input is queued and written by another one, so
// Send returns at once even when the server does not read; a server that has
// gone shows in Next and Wait. All methods may be called from any goroutine.
type Peer interface {
	// Send queues line and a line feed for the server's input.
	Send(line string)
	// SendRaw queues bytes as they are, with no line feed added.
	SendRaw(b []byte)
	// Next returns the next line of the server's output without its line feed.
	// At the end of the output it returns io.EOF; a last line that was not
	// terminated comes with io.ErrUnexpectedEOF.
	Next(ctx context.Context) (string, error)
	// CloseInput ends the server's input after everything queued is written.
	CloseInput()
	// Signal delivers sig. Over in-memory pipes os.Kill also breaks both pipes
	// and every signal cancels the context of the serve function.
	Signal(sig os.Signal) error
	// Wait returns the exit code once the server has ended: -1 if a signal
	// ended it. Over in-memory pipes a nil error is 0 and any other is 1. The
	// error is that of ctx and nothing else. Output can still be read after it.
	Wait(ctx context.Context) (int, error)
	// Stderr returns the first 64 KiB of what the server has written to its
	// standard error; over in-memory pipes, the text of the serve function's error.
	Stderr() string
	// Close ends the server at once, waits for it and may be called again.
	Close()
}

// maxLine bounds one line of server output. It is far above what any probe or
// benchmark asks for and keeps a babbling server from taking the machine down.
const maxLine = 64 << 20

var errLineTooLong = errors.New("mcptest: server wrote a line over 64 MiB")

// wire moves bytes between queues and a pair of pipes.
type wire struct {
	in  io.WriteCloser
	out io.Reader

	mu     sync.Mutex
	queue  []byte // not yet written
	closed bool   // CloseInput was called
	sent   chan struct{}

	lines []string
	err   error // after the last line
	got   chan struct{}

	writing, reading chan struct{} // closed when the goroutine has ended
}

func newWire(in io.WriteCloser, out io.Reader) *wire {
	w := &wire{
		in: in, out: out,
		sent: make(chan struct{}, 1), got: make(chan struct{}, 1),
		writing: make(chan struct{}), reading: make(chan struct{}),
	}
	go w.write()
	go w.read()
	return w
}

func (w *wire) Send(line string) { w.SendRaw([]byte(line + "\n")) }

func (w *wire) SendRaw(b []byte) {
	w.mu.Lock()
	if !w.closed {
		w.queue = append(w.queue, b...)
	}
	w.mu.Unlock()
	wake(w.sent)
}

func (w *wire) CloseInput() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	wake(w.sent)
}

func (w *wire) Next(ctx context.Context) (string, error) {
	for {
		w.mu.Lock()
		if len(w.lines) > 0 {
			line := w.lines[0]
			w.lines = w.lines[1:]
			last := len(w.lines) == 0 && errors.Is(w.err, io.ErrUnexpectedEOF)
			more := len(w.lines) > 0 || w.err != nil
			w.mu.Unlock()
			if more {
				wake(w.got) // another reader may be waiting for it
			}
			if last {
				return line, io.ErrUnexpectedEOF
			}
			return line, nil
		}
		err := w.err
		w.mu.Unlock()
		if err != nil {
			wake(w.got)
			if errors.Is(err, io.ErrUnexpectedEOF) {
				err = io.EOF // the unterminated line was handed out
			}
			return "", err
		}
		select {
		case <-w.got:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

func (w *wire) write() {
	defer close(w.writing)
	defer w.in.Close()
	for range w.sent {
		w.mu.Lock()
		b, closed := w.queue, w.closed
		w.queue = nil
		w.mu.Unlock()
		if len(b) > 0 { // an empty write to an in-memory pipe waits for a reader
			if _, err := w.in.Write(b); err != nil {
				return
			}
		}
		if closed {
			return
		}
	}
}

func (w *wire) read() {
	defer close(w.reading)
	r := bufio.NewReaderSize(w.out, 64<<10)
	for {
		line, err := readLine(r)
		w.mu.Lock()
		if err == nil || len(line) > 0 {
			w.lines = append(w.lines, line)
		}
		if err == io.EOF && len(line) > 0 {
			err = io.ErrUnexpectedEOF
		}
		w.err = err
		w.mu.Unlock()
		wake(w.got)
		if err != nil {
			return
		}
	}
}

// readLine returns a line without its LF. The line and the error are both set
// when the input ends without one.
func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return string(line[:len(line)-1]), nil
		case len(line) > maxLine:
			return "", errLineTooLong
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, os.ErrClosed), errors.Is(err, io.ErrClosedPipe):
			return string(line), io.EOF
		default:
			return string(line), err
		}
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
