package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// budget is that of every query.
const budget = 4000

// patience is how long one server may take for everything.
const patience = 3 * time.Minute

// errWrong is an answer, or a cache, that is not what it has to be.
var errWrong = errors.New("wrong answer")

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05",` +
	`"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}` + "\n"

// A session is a running mcp-context-server after its handshake.
type session struct {
	cmd     *exec.Cmd
	cancel  context.CancelFunc
	in      io.WriteCloser
	answers *bufio.Reader
	stderr  bytes.Buffer
}

func (b *bench) start(ctx context.Context) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	s := &session{cmd: exec.CommandContext(ctx, b.server), cancel: cancel}
	s.cmd.Env = append(os.Environ(), "CONTEXT_CACHE_ROOT="+b.caches())
	s.cmd.Stderr = &s.stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.in, s.answers = in, bufio.NewReaderSize(out, 1<<20)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	if _, err := s.exchange([]byte(initialize)); err != nil {
		s.kill()
		return nil, fmt.Errorf("handshake: %w", err)
	}
	return s, nil
}

func (s *session) pid() int { return s.cmd.Process.Pid }

// exchange sends a line and returns the next one, which is valid until then.
func (s *session) exchange(line []byte) ([]byte, error) {
	if _, err := s.in.Write(line); err != nil {
		return nil, err
	}
	answer, err := s.answers.ReadSlice('\n')
	if errors.Is(err, io.EOF) {
		_ = s.cmd.Wait() // for all of standard error
		err = fmt.Errorf("the server ended: %s", s.stderr.Bytes())
	}
	return answer, err
}

// resolve asks one query and returns the time from before the request is
// written to after the answer is read.
func (s *session) resolve(q *query) (answer []byte, took time.Duration, err error) {
	began := time.Now()
	if answer, err = s.exchange(q.request); err != nil {
		return nil, 0, err
	}
	took = time.Since(began)
	return answer, took, q.check(answer)
}

// stop closes the input of the server, which has to end by itself then.
func (s *session) stop() error {
	defer s.cancel()
	s.in.Close()
	return s.cmd.Wait()
}

// kill ends a server that failed.
func (s *session) kill() {
	s.cancel()
	s.in.Close()
	_ = s.cmd.Wait()
}

// A query is rendered before it is sent, and knows its answer.
type query struct {
	text       string
	request    []byte
	begins     []byte
	considered []byte
}

func (c *collection) query(id int, text string) *query {
	return &query{
		text: text,
		request: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"context.resolve",`+
			`"arguments":{"cache":%q,"query":%q,"budget":%d}}}`+"\n", id, filepath.Base(c.cache), text, budget),
		begins:     fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":{"content":[{"text":"{\"documents\":[{\"id\":`, id),
		considered: fmt.Appendf(nil, `\"documents_considered\":%d,`, int(c.corpus)),
	}
}

func (q *query) check(answer []byte) error {
	if !bytes.HasPrefix(answer, q.begins) || !bytes.Contains(answer, q.considered) {
		return fmt.Errorf("%w to %q: %.300s", errWrong, q.text, answer)
	}
	return nil
}

// text returns the text of an answer, which is what the command prints.
func text(answer []byte) (string, error) {
	var message struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal(answer, &message); err != nil || len(message.Result.Content) != 1 {
		return "", fmt.Errorf("%w: %.300s", errWrong, answer)
	}
	return message.Result.Content[0].Text, nil
}
