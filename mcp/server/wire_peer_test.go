package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/stdio"
)

// A wirePeer is the client's end of one connection to a server.
type wirePeer struct {
	send   func([]byte) error // one frame, whatever is in it
	eof    func()             // no more is sent; what the server says can still be read
	stop   context.CancelFunc // asks the server to stop
	hear   func()             // begins to read
	frames chan []byte        // what the server says; closed at its end
	bad    error              // why reading ended, if not at its end; set before frames is closed
	served chan error         // what Serve returned
}

// connect serves one connection over the transport. A deaf client reads nothing
// before it is told to hear.
func connect(t *testing.T, srv *server.Server, over string, limits stdio.Options, deaf bool) *wirePeer {
	t.Helper()
	p := &wirePeer{frames: make(chan []byte, 4096), served: make(chan error, 1)}
	var conn transport.Conn
	var read func() ([]byte, error)
	var closeAll func()
	if over == "pair" {
		conn, read, closeAll = p.overPair()
	} else {
		conn, read, closeAll = p.overPipes(t, limits)
	}
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	go func() { p.served <- srv.Serve(ctx, conn) }()
	pumped := make(chan struct{})
	pump := func() {
		defer close(pumped)
		defer close(p.frames)
		for {
			frame, err := read()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					p.bad = err
				}
				return
			}
			p.frames <- frame
		}
	}
	p.hear = sync.OnceFunc(func() { go pump() })
	if !deaf {
		p.hear()
	}
	t.Cleanup(func() {
		stop()
		closeAll()
		p.hear()
		<-pumped
		<-p.served
	})
	return p
}

// overPair connects in memory. The two ends of a pair close both directions at
// once, so the end of input is a frame that the server's end takes for it.
func (p *wirePeer) overPair() (transport.Conn, func() ([]byte, error), func()) {
	client, conn := transport.Pair()
	ctx := context.Background()
	p.send = func(frame []byte) error {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		return client.Write(ctx, frame)
	}
	p.eof = sync.OnceFunc(func() { _ = p.send([]byte(endOfInput)) })
	return endingConn{conn}, client.Read, func() { _ = client.Close(ctx) }
}

const endOfInput = "\x00end of input"

type endingConn struct{ transport.Conn }

func (c endingConn) Read() ([]byte, error) {
	frame, err := c.Conn.Read()
	if string(frame) == endOfInput {
		return nil, io.EOF
	}
	return frame, err
}

// overPipes connects as two processes would be.
func (p *wirePeer) overPipes(t *testing.T, limits stdio.Options) (transport.Conn, func() ([]byte, error), func()) {
	t.Helper()
	serverIn, clientOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	clientIn, serverOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(clientIn)
	p.send = func(frame []byte) error {
		if err := clientOut.SetWriteDeadline(time.Now().Add(patience)); err != nil {
			return err
		}
		_, err := clientOut.Write(append(frame, '\n'))
		return err
	}
	p.eof = sync.OnceFunc(func() { _ = clientOut.Close() })
	read := func() ([]byte, error) {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			if len(line) > 0 {
				return nil, fmt.Errorf("output ends within a line: %.100q", line)
			}
			return nil, err
		}
		return line[:len(line)-1], nil
	}
	closeAll := func() {
		p.eof()
		_ = clientIn.Close()
	}
	return stdio.New(serverIn, serverOut, limits), read, closeAll
}

// internals are what no error text may show.
var internals = regexp.MustCompile(`goroutine \d|\.go:\d|runtime error|nil pointer|/(home|tmp|usr|etc)/`)

// checkFrame reads what a server said and holds it to what is true of every
// message: one line of UTF-8, JSON-RPC 2.0, no member twice, either a call or
// exactly one of result and error. In the modern era a server never asks.
func checkFrame(frame []byte, mayAsk bool) (map[string]any, error) {
	if !utf8.Valid(frame) {
		return nil, errors.New("is not UTF-8")
	}
	for _, c := range frame {
		if c == '\n' || c == '\r' {
			return nil, errors.New("is more than one line")
		}
	}
	if err := rawjson.Check(frame, rawjson.Limits{}); err != nil {
		return nil, err
	}
	value, err := rawjson.Decode(frame)
	if err != nil {
		return nil, err
	}
	m, ok := value.(map[string]any)
	if !ok || m["jsonrpc"] != "2.0" {
		return nil, errors.New("is not JSON-RPC 2.0")
	}
	method, isCall := m["method"]
	_, hasID := m["id"]
	result, isResult := m["result"]
	failure, isError := m["error"]
	switch {
	case isCall:
		if _, ok := method.(string); !ok || isResult || isError {
			return nil, errors.New("is not a call")
		}
		if hasID && !mayAsk {
			return nil, errors.New("is a request, which a server does not send here")
		}
	case isResult == isError:
		return nil, errors.New("needs exactly one of result and error")
	case isResult:
		if _, ok := result.(map[string]any); !ok || m["id"] == nil {
			return nil, errors.New("is not the result of a request")
		}
	default:
		return m, checkError(failure)
	}
	return m, nil
}

func checkError(failure any) error {
	e, _ := failure.(map[string]any)
	code, _ := e["code"].(json.Number)
	if n, err := code.Int64(); err != nil || n == 0 {
		return fmt.Errorf("the error code %v is not an integer other than 0", e["code"])
	}
	if text, _ := e["message"].(string); text == "" || internals.MatchString(text) {
		return fmt.Errorf("the error text %q is not for a client", e["message"])
	}
	return nil
}
