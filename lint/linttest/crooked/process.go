package crooked

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
)

// Serve is the server as a process, until the end of its input or SIGTERM.
func (f Fault) Serve() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if f.Deaf {
		signal.Ignore(syscall.SIGTERM)
	} else {
		ctx, cancel = signal.NotifyContext(ctx, syscall.SIGTERM)
		defer cancel()
	}
	if f.Start != nil {
		f.Start()
	}
	srv, err := f.server()
	if err != nil {
		return err
	}
	p := &process{Fault: f, memory: newMemory(), out: os.Stdout, asked: map[string][]byte{}}
	heard, in := io.Pipe()
	out, said := io.Pipe()
	var writing sync.WaitGroup
	writing.Go(func() { p.speak(out) })
	go func() { in.CloseWithError(p.listen(os.Stdin, in)) }()
	err = srv.Serve(ctx, stdio.New(heard, said, stdio.Options{}))
	said.Close()
	writing.Wait()
	return err
}

// server is the healthy one with what the fault changes.
func (f Fault) server() (*server.Server, error) {
	opts := healthy()
	if f.Shape != nil {
		f.Shape(&opts)
	}
	return server.New(opts)
}

// A process stands between the standard streams and the server.
type process struct {
	Fault
	memory *memory

	mu    sync.Mutex
	out   io.Writer
	asked map[string][]byte // requests by their ids
}

func (p *process) chat() *Chat { return &Chat{memory: p.memory} }

// listen takes lines in to the server until the input ends.
func (p *process) listen(in io.Reader, server io.Writer) error {
	if p.Read != nil {
		in = &chunks{in: in, take: p.Read}
	}
	for lines := bufio.NewReader(in); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 && p.passes(bytes.TrimRight(line, "\r\n")) {
			if _, err := server.Write(line); err != nil {
				return err
			}
		}
		if err != nil {
			if p.End != nil {
				p.End()
			}
			return err
		}
	}
}

// passes says whether a message goes on to the server.
func (p *process) passes(message []byte) bool {
	if isMessage(message) {
		p.mu.Lock()
		p.asked[string(lint.Member(message, "id"))] = message
		p.mu.Unlock()
	}
	if p.Hear == nil {
		return true
	}
	answers, swallowed := p.Hear(p.chat(), message)
	if swallowed {
		p.write(answers)
	}
	return !swallowed
}

// speak takes what the server says out.
func (p *process) speak(server io.Reader) {
	for lines := bufio.NewReader(server); ; {
		line, err := lines.ReadBytes('\n')
		if message := bytes.TrimRight(line, "\r\n"); len(message) > 0 {
			p.say(message)
		}
		if err != nil {
			return
		}
	}
}

func (p *process) say(message []byte) {
	if p.Say == nil {
		p.write(one(message))
		return
	}
	m := Message{Raw: message}
	if rawjson.KindOf(message) == rawjson.Object && lint.Member(message, "method") == nil {
		p.mu.Lock()
		m.Asked = p.asked[string(lint.Member(message, "id"))]
		p.mu.Unlock()
	}
	p.write(p.Say(p.chat(), m))
}

func (p *process) write(messages [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, message := range messages {
		if p.Write != nil {
			_, _ = p.out.Write(p.Write(message)) // a client that is gone has to be found out by reading
			continue
		}
		_, _ = p.out.Write(append(message[:len(message):len(message)], '\n'))
	}
}

// chunks hand on what each read brings.
type chunks struct {
	in   io.Reader
	take func([]byte) []byte
	rest []byte
}

func (c *chunks) Read(p []byte) (int, error) {
	for len(c.rest) == 0 {
		n, err := c.in.Read(p)
		c.rest = c.take(p[:n])
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, c.rest)
	c.rest = bytes.Clone(c.rest[n:])
	return n, nil
}
