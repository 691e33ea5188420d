package client

import (
	"context"
	"errors"
	"os"
	"time"
)

// An input is the standard input of a server: messages are written to it, and
// rude bytes between them.
type input struct {
	file *os.File
	turn chan struct{} // holds one token: whose turn it is to write
}

func newInput(file *os.File) *input {
	in := &input{file: file, turn: make(chan struct{}, 1)}
	in.turn <- struct{}{}
	return in
}

// Write implements io.Writer, for messages.
func (in *input) Write(p []byte) (int, error) {
	<-in.turn
	defer in.release()
	return in.file.Write(p)
}

// write writes bytes while ctx lasts.
func (in *input) write(ctx context.Context, b []byte) error {
	select {
	case <-in.turn:
		defer in.release()
	case <-ctx.Done():
		return ctx.Err()
	}
	stop := context.AfterFunc(ctx, func() { _ = in.file.SetWriteDeadline(time.Unix(1, 0)) })
	defer func() {
		if !stop() {
			_ = in.file.SetWriteDeadline(time.Time{})
		}
	}()
	_, err := in.file.Write(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return ctx.Err()
	}
	return err
}

func (in *input) release() { in.turn <- struct{}{} }

// Close ends the input; a write that hangs then fails.
func (in *input) Close() error { return in.file.Close() }

// pipes makes the standard streams of a process: our ends and its ends.
func pipes() (ours, theirs [3]*os.File, err error) {
	for i := range ours {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(ours)
			closeAll(theirs)
			return ours, theirs, err
		}
		if ours[i], theirs[i] = r, w; i == 0 {
			ours[i], theirs[i] = w, r
		}
	}
	return ours, theirs, nil
}

func closeAll(files [3]*os.File) {
	for _, file := range files {
		if file != nil {
			file.Close()
		}
	}
}
