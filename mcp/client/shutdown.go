package client

import (
	"context"
	"errors"
	"time"
)

// Close implements transport.Line: it ends the input of the server, waits,
// sends SIGTERM to its group, waits, and sends SIGKILL to the group. When ctx
// ends, SIGKILL comes at once. It returns when nothing is left.
func (p *Process) Close(ctx context.Context) error {
	p.once.closed.Do(func() {
		close(p.closed)
		go p.shutdown()
	})
	select {
	case <-p.gone:
		return nil
	case <-ctx.Done():
	}
	p.once.hurry.Do(func() { close(p.hurry) })
	timer := time.NewTimer(killGrace)
	defer timer.Stop()
	select {
	case <-p.gone:
		return nil
	case <-timer.C:
		return errors.New("the server's process cannot be ended")
	}
}

// shutdown takes one step after the other until the process has ended.
func (p *Process) shutdown() {
	p.enter(EndOfInput)
	flush, cancel := context.WithTimeout(context.Background(), min(p.grace, flushGrace))
	go func() {
		select {
		case <-p.hurry:
			cancel()
		case <-flush.Done():
		}
	}()
	_ = p.conn.Close(flush) // what could not be said does not matter any more
	cancel()
	if p.endsWithin(p.grace) {
		return
	}
	select {
	case <-p.hurry:
	default:
		p.enter(Terminate)
		terminateGroup(p.cmd.Process)
		if p.endsWithin(p.grace) {
			return
		}
	}
	p.enter(Kill)
	killGroup(p.cmd.Process)
}

// Terminate sends SIGTERM to the process and its group, without ending its
// input first as Close does.
func (p *Process) Terminate() {
	p.enter(Terminate)
	terminateGroup(p.cmd.Process)
}

func (p *Process) enter(step Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step, p.at = step, time.Now()
	p.rec.note("ending the process: " + step.String())
}

// endsWithin waits for the process to end, unless there is no more time.
func (p *Process) endsWithin(grace time.Duration) bool {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
	case <-p.hurry:
	}
	return false
}
