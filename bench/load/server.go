package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"mcpworks/bench/internal/echo"
)

// stall is how much longer than planned a server may take before it is given
// up as stuck.
const stall = 20 * time.Second

// A server is a running peer with an open session.
type server struct {
	cmd    *exec.Cmd
	in     *os.File
	out    *os.File
	buf    []byte // read and not yet scanned: buf[from:to]
	from   int
	to     int
	stderr bytes.Buffer
}

// start starts a server that is going to be loaded for the given time.
func start(command []string, load time.Duration) (*server, error) {
	s := &server{cmd: exec.Command(command[0], command[1:]...), buf: make([]byte, 1<<20)}
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = inR, outW, &s.stderr
	s.in, s.out = inW, outR
	err = s.cmd.Start()
	inR.Close()
	outW.Close()
	if err != nil {
		inW.Close()
		outR.Close()
		return nil, err
	}
	if err := errors.Join(s.out.SetReadDeadline(time.Now().Add(load+stall)), s.handshake()); err != nil {
		s.kill()
		return nil, fmt.Errorf("handshake: %w", err)
	}
	return s, nil
}

func (s *server) handshake() error {
	if _, err := s.in.WriteString(echo.Initialize + "\n"); err != nil {
		return err
	}
	line, err := s.line()
	if err != nil {
		return err
	}
	if err := echo.CheckInitialize(line); err != nil {
		return err
	}
	_, err = s.in.WriteString(echo.Initialized + "\n")
	return err
}

// buffered returns the next line that was already read, or nil. It is valid
// until fill is called.
func (s *server) buffered() []byte {
	i := bytes.IndexByte(s.buf[s.from:s.to], '\n')
	if i < 0 {
		return nil
	}
	line := s.buf[s.from : s.from+i]
	s.from += i + 1
	return line
}

// fill reads once.
func (s *server) fill() error {
	if s.from == s.to {
		s.from, s.to = 0, 0
	} else if len(s.buf)-s.to < 256<<10 {
		s.to = copy(s.buf, s.buf[s.from:s.to])
		s.from = 0
		if len(s.buf)-s.to < 256<<10 {
			s.buf = append(s.buf, make([]byte, len(s.buf))...)
		}
	}
	n, err := s.out.Read(s.buf[s.to:])
	s.to += n
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errors.New("the server does not answer")
	}
	if errors.Is(err, io.EOF) {
		return errors.New("the server ended")
	}
	return err
}

// line returns the next line, reading as needed.
func (s *server) line() ([]byte, error) {
	for {
		if line := s.buffered(); line != nil {
			return line, nil
		}
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
}

// end closes the server's input and wants it to say nothing more.
func (s *server) end() error {
	defer s.kill()
	s.in.Close()
	if s.from < s.to {
		return fmt.Errorf("unasked output %.200q", s.buf[s.from:s.to])
	}
	if err := s.out.SetReadDeadline(time.Now().Add(2 * time.Second)); err != nil {
		return err
	}
	if n, _ := s.out.Read(s.buf); n > 0 {
		return fmt.Errorf("unasked output %.200q", s.buf[:n])
	}
	return nil
}

func (s *server) kill() {
	_ = s.cmd.Process.Kill() // it may have ended by itself
	_ = s.cmd.Wait()
	s.in.Close()
	s.out.Close()
}
