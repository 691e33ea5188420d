// Package rawhttp is the least of an HTTP/1.1 client that measures servers: it
// writes requests that are rendered before and reads answers without keeping
// anything, so that nearly all of what a call costs is the server's.
package rawhttp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// A Conn is a connection that is kept alive, with one request at a time.
type Conn struct {
	net.Conn
	in   *bufio.Reader
	body []byte
}

// Dial connects to a server that must be done with everything by a deadline.
func Dial(address string, deadline time.Time) (*Conn, error) {
	c, err := net.DialTimeout("tcp", address, time.Until(deadline))
	if err != nil {
		return nil, err
	}
	if err := c.SetDeadline(deadline); err != nil {
		c.Close()
		return nil, err
	}
	return newConn(c), nil
}

func newConn(c net.Conn) *Conn { return &Conn{Conn: c, in: bufio.NewReaderSize(c, 32<<10)} }

// A Header is a name and its value.
type Header struct{ Name, Value string }

// Request renders the POST of a message as MCP's Streamable HTTP wants it.
func Request(address, message string, headers ...Header) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "POST /mcp HTTP/1.1\r\nHost: %s\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n", address)
	for _, h := range headers {
		fmt.Fprintf(&b, "%s: %s\r\n", h.Name, h.Value)
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(message), message)
	return b.String()
}

// A Response is the answer to one request.
type Response struct {
	Status int
	// Message is the one JSON-RPC message of the body, be it plain or an
	// event; empty if there is none. It is valid until the next request.
	Message []byte
	// Session is the session id, valid until the next request.
	Session []byte
}

// head is what a response says about its body.
type head struct {
	status  int
	length  int // -1 if not known
	chunked bool
	events  bool
	closing bool // the server is going to hang up
	session []byte
}

// Do sends one rendered request and reads the answer to it.
func (c *Conn) Do(request []byte) (Response, error) {
	if _, err := c.Write(request); err != nil {
		return Response{}, err
	}
	h, err := c.readHead()
	if err != nil {
		return Response{}, fmt.Errorf("read the response: %w", err)
	}
	if err := c.readBody(h); err != nil {
		return Response{}, fmt.Errorf("read the body of a response with status %d: %w", h.status, err)
	}
	r := Response{Status: h.status, Message: c.body, Session: h.session}
	switch {
	case h.closing:
		return r, fmt.Errorf("the server hangs up after status %d: %.200s", h.status, c.body)
	case c.in.Buffered() > 0:
		return r, errors.New("the server says more than it was asked")
	case h.events:
		r.Message, err = onlyEvent(c.body)
	}
	return r, err
}

func (c *Conn) readHead() (head, error) {
	h := head{length: -1}
	line, err := c.line()
	if err != nil {
		return h, err
	}
	if len(line) < len("HTTP/1.1 200") || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return h, fmt.Errorf("not a status line: %.100q", line)
	}
	if h.status, err = number(line[9:12], 10); err != nil {
		return h, err
	}
	for {
		line, err := c.line()
		if err != nil || len(line) == 0 {
			return h, err
		}
		if err := h.take(line); err != nil {
			return h, err
		}
	}
}

// take reads one header. Names are told apart by their length first.
func (h *head) take(line []byte) (err error) {
	colon := bytes.IndexByte(line, ':')
	if colon < 0 {
		return fmt.Errorf("not a header: %.100q", line)
	}
	name, value := line[:colon], bytes.TrimSpace(line[colon+1:])
	is := func(want string) bool { return len(name) == len(want) && bytes.EqualFold(name, []byte(want)) }
	switch {
	case is("Content-Length"):
		h.length, err = number(value, 10)
	case is("Content-Type"):
		h.events = bytes.HasPrefix(value, []byte("text/event-stream"))
	case is("Transfer-Encoding"):
		h.chunked = bytes.EqualFold(value, []byte("chunked"))
	case is("Mcp-Session-Id"):
		h.session = bytes.Clone(value)
	case is("Connection"):
		h.closing = bytes.EqualFold(value, []byte("close"))
	}
	return err
}

// readBody reads the body into c.body.
func (c *Conn) readBody(h head) error {
	c.body = c.body[:0]
	switch {
	case h.chunked:
		return c.readChunks()
	case h.length >= 0:
		return c.more(h.length)
	case h.status == 202 || h.status == 204:
		return nil
	}
	return errors.New("the body has no end")
}

func (c *Conn) readChunks() error {
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		size, err := number(line, 16)
		if err != nil {
			return err
		}
		if err := c.more(size); err != nil {
			return err
		}
		switch line, err := c.line(); {
		case err != nil:
			return err
		case len(line) > 0:
			return fmt.Errorf("not the end of a chunk: %.100q", line)
		}
		if size == 0 {
			return nil
		}
	}
}

// more reads n bytes of body.
func (c *Conn) more(n int) error {
	start := len(c.body)
	if start+n > cap(c.body) {
		c.body = append(make([]byte, 0, 2*(start+n)), c.body...)
	}
	c.body = c.body[:start+n]
	_, err := io.ReadFull(c.in, c.body[start:])
	return err
}

// line reads one line, without its end.
func (c *Conn) line() ([]byte, error) {
	line, err := c.in.ReadSlice('\n')
	return bytes.TrimRight(line, "\r\n"), err
}

// number reads a length, without allocating.
func number(digits []byte, base int) (int, error) {
	n := 0
	for _, c := range digits {
		d := 99
		switch {
		case c >= '0' && c <= '9':
			d = int(c - '0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			d = int(c|0x20-'a') + 10
		}
		if d >= base || n > 1<<30 {
			return 0, errors.New("not a number: " + strconv.Quote(string(digits)))
		}
		n = n*base + d
	}
	if len(digits) == 0 {
		return 0, errors.New("a number is missing")
	}
	return n, nil
}

// onlyEvent returns the data of the one event in a stream that has any.
func onlyEvent(stream []byte) (data []byte, err error) {
	for len(stream) > 0 {
		line := stream
		if end := bytes.IndexByte(stream, '\n'); end >= 0 {
			line, stream = stream[:end], stream[end+1:]
		} else {
			stream = nil
		}
		value, ok := bytes.CutPrefix(line, []byte("data:"))
		if value = bytes.TrimSpace(value); !ok || len(value) == 0 {
			continue
		}
		if data != nil {
			return nil, fmt.Errorf("a second event: %.200s", value)
		}
		data = value
	}
	return data, nil
}
