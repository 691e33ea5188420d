package peers

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"mcpworks/bench/internal/stats"
)

// startTime is how long a peer may take until it listens.
const startTime = 20 * time.Second

// A Listener is a running peer that serves HTTP.
type Listener struct {
	Address string // host:port
	cmd     *exec.Cmd
	drained chan struct{} // closed when standard error has ended
}

// Listen starts a peer on a free port of 127.0.0.1.
func Listen(command []string, args ...string) (*Listener, error) {
	args = append(append(command[1:len(command):len(command)], "--listen", "127.0.0.1:0"), args...)
	l := &Listener{cmd: exec.Command(command[0], args...), drained: make(chan struct{})}
	stderr, err := l.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := l.cmd.Start(); err != nil {
		return nil, err
	}
	said := make(chan string, 1)
	go func() {
		defer close(l.drained)
		lines := bufio.NewReader(stderr)
		said <- readAddress(lines)
		_, _ = io.Copy(io.Discard, lines) // what it says later must not stop it
	}()
	select {
	case text := <-said:
		var listening bool
		if l.Address, listening = strings.CutPrefix(text, stats.Listening); listening {
			l.Address, _, _ = strings.Cut(l.Address, "/")
			return l, nil
		}
		err = fmt.Errorf("the server does not listen: %.500s", text)
	case <-time.After(startTime):
		err = errors.New("the server does not say that it listens")
	}
	l.Stop()
	return nil, err
}

// readAddress returns the line with the address, or all that was said if there
// is none.
func readAddress(lines *bufio.Reader) string {
	var all strings.Builder
	for {
		line, err := lines.ReadString('\n')
		if strings.HasPrefix(line, stats.Listening) {
			return strings.TrimSpace(line)
		}
		all.WriteString(line)
		if err != nil {
			return all.String()
		}
	}
}

// PID returns the id of the process.
func (l *Listener) PID() int { return l.cmd.Process.Pid }

// Stop ends the process.
func (l *Listener) Stop() {
	_ = l.cmd.Process.Kill() // it may have ended by itself
	<-l.drained
	_ = l.cmd.Wait()
}
