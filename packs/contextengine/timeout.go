package contextengine

import (
	"context"
	"fmt"
	"runtime/debug"
)

// within does the work of one call in the time that it has (LIM-5). When that
// runs out it returns at once, and so it does when nobody wants the answer any
// more: the work goes on until it notices that its context has ended, at the
// next document (LIM-7), and what it says then goes nowhere (LIM-6).
func (e *Engine) within(ctx context.Context, work func(context.Context) ([]byte, error)) ([]byte, error) {
	late := fmt.Errorf("no answer within %v: %w", e.timeout, context.DeadlineExceeded)
	ctx, cancel := context.WithTimeoutCause(ctx, e.timeout, late)
	defer cancel()
	select {
	case e.places <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for abandoned calls: %w", context.Cause(ctx))
	}
	var answer []byte
	done := make(chan error, 1)
	go func() {
		defer func() { <-e.places }()
		done <- guard(func() (err error) {
			answer, err = work(ctx)
			return err
		})
	}()
	select {
	case err := <-done:
		return answer, err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// guard makes a panic an error, for the log (ERR-7).
func guard(work func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return work()
}
