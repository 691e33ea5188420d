package mcptest

import (
	"context"
	"io"
	"os"
	"sync"
	"testing"
)

// piped is a serve function behind in-memory pipes.
type piped struct {
	*wire
	cancel context.CancelFunc
	stdin  *io.PipeReader
	stdout *io.PipeReader
	once   sync.Once

	ended chan struct{}
	err   error // of serve; set before ended is closed
}

var _ Peer = (*piped)(nil)

// Pipe runs serve for the duration of a test, as a program would run it over
// its standard streams: in ends at CloseInput, a signal cancels ctx, and what
// serve returns becomes the exit code.
func Pipe(t testing.TB, serve func(ctx context.Context, in io.Reader, out io.Writer) error) Peer {
	p := newPipe(serve)
	t.Cleanup(p.Close)
	return p
}

func newPipe(serve func(ctx context.Context, in io.Reader, out io.Writer) error) *piped {
	ctx, cancel := context.WithCancel(context.Background())
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &piped{cancel: cancel, stdin: inR, stdout: outR, ended: make(chan struct{})}
	p.wire = newWire(inW, outR)
	go func() {
		defer close(p.ended)
		p.err = serve(ctx, inR, outW)
		// Closed like the descriptors of a process that has ended.
		inR.Close()
		outW.Close()
	}()
	return p
}

func (p *piped) Signal(sig os.Signal) error {
	p.cancel()
	if sig == os.Kill {
		p.stdin.Close()
		p.stdout.Close()
	}
	return nil
}

func (p *piped) Wait(ctx context.Context) (int, error) {
	select {
	case <-p.ended:
		if p.err != nil {
			return 1, nil
		}
		return 0, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (p *piped) Stderr() string {
	select {
	case <-p.ended:
		if p.err != nil {
			return p.err.Error()
		}
	default:
	}
	return ""
}

func (p *piped) Close() {
	p.once.Do(func() {
		_ = p.Signal(os.Kill)
		p.CloseInput()
		<-p.ended
		<-p.writing
		<-p.reading
	})
}
