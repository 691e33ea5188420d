// Package stdio carries messages as lines: newline-delimited JSON over a
// reader and a writer.
package stdio

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"mcpworks/mcp/transport"
)

// Defaults for the zero values of Options.
const (
	DefaultMaxMessage = 4 << 20 // bytes of one incoming line
	DefaultMaxUnsent  = 4 << 20 // bytes queued for a peer that does not read
)

// readAhead is the size of the read buffer: many small messages cost one
// system call.
const readAhead = 64 << 10

// Options are the limits of a connection; zero means the default.
type Options struct {
	MaxMessage int
	MaxUnsent  int
	// Raw hands out lines as they are, the empty ones too: only the newline is
	// gone. It is for those who judge what the other side writes.
	Raw bool
}

// A Conn is a connection over lines. It implements transport.Conn.
type Conn struct {
	in         *bufio.Reader
	closeIn    io.Closer // nil if the reader cannot be closed
	maxMessage int
	raw        bool
	skipping   bool   // the rest of a line is to be dropped
	long       []byte // memory for lines longer than the read buffer
	out        *outbox
}

// New returns a connection that reads lines from in and writes lines to out.
// Closing it closes in and out where they can be closed. It starts one
// goroutine, which Close ends.
func New(in io.Reader, out io.Writer, opts Options) *Conn {
	if opts.MaxMessage <= 0 {
		opts.MaxMessage = DefaultMaxMessage
	}
	if opts.MaxUnsent <= 0 {
		opts.MaxUnsent = DefaultMaxUnsent
	}
	closeIn, _ := in.(io.Closer)
	return &Conn{
		in:         bufio.NewReaderSize(in, readAhead),
		closeIn:    closeIn,
		maxMessage: opts.MaxMessage,
		raw:        opts.Raw,
		out:        newOutbox(out, opts.MaxUnsent),
	}
}

// Read implements transport.Conn. White space around a message and lines with
// nothing else are skipped; a last line needs no newline.
func (c *Conn) Read() ([]byte, error) {
	for {
		line, err := c.readLine()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err // a line that broke off is no message
		}
		if whole, ended := bytes.CutSuffix(line, []byte{'\n'}); c.raw && (ended || len(line) > 0) {
			return whole, nil
		}
		if line = bytes.Trim(line, " \t\r\n"); len(line) > 0 {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// readLine returns the next line in memory of its own. A line beyond the limit
// is an error as soon as that is known; the rest of it is dropped by the next
// call, since nobody knows when it ends.
func (c *Conn) readLine() ([]byte, error) {
	for c.skipping {
		_, err := c.in.ReadSlice('\n')
		if c.skipping = errors.Is(err, bufio.ErrBufferFull); err != nil && !c.skipping {
			return nil, err
		}
	}
	line, err := c.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line, err = c.gather(line)
	}
	content, ended := bytes.CutSuffix(line, []byte{'\n'})
	if ended {
		content = bytes.TrimSuffix(content, []byte{'\r'})
	}
	if len(content) <= c.maxMessage && !errors.Is(err, bufio.ErrBufferFull) {
		return bytes.Clone(line), err
	}
	c.skipping = errors.Is(err, bufio.ErrBufferFull)
	return nil, &transport.FrameError{Limit: c.maxMessage}
}

// gather puts together a line that is longer than the read buffer, up to the
// limit. The memory is used again for the next such line, unless it is large.
func (c *Conn) gather(part []byte) (line []byte, err error) {
	line = append(c.long[:0], part...)
	for err = bufio.ErrBufferFull; errors.Is(err, bufio.ErrBufferFull) && len(line) <= c.maxMessage+1; {
		part, err = c.in.ReadSlice('\n')
		line = append(line, part...)
	}
	if c.long = line; cap(line) > keepBuffer {
		c.long = nil
	}
	return line, err
}

// Write implements transport.Conn.
func (c *Conn) Write(ctx context.Context, msg []byte) error { return c.out.put(ctx, msg) }

// Gone implements transport.Conn.
func (c *Conn) Gone() <-chan struct{} { return c.out.gone }

// Close implements transport.Conn.
func (c *Conn) Close(ctx context.Context) error {
	err := c.out.close(ctx)
	if c.closeIn != nil {
		err = errors.Join(err, c.closeIn.Close())
	}
	return err
}
