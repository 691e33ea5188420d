package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// stopping are the signals that end work early. One that the parent process had
// ignored, as nohup does, stays ignored.
var stopping = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// interruptible runs work with a context that ends with the first signal. What
// follows then is bounded in time, and must be done: a server that was started
// has to end. So further signals change nothing until it is.
func interruptible(ctx context.Context, c *call, run func(context.Context, *call) ([]byte, error)) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	signals, finished, watched := make(chan os.Signal, 1), make(chan struct{}), make(chan struct{})
	for _, s := range stopping {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	defer signal.Stop(signals)
	go func() {
		defer close(watched)
		select {
		case s := <-signals:
			cancel(interrupted{s})
		case <-finished:
		}
	}()
	result, err := run(ctx, c)
	close(finished)
	<-watched

	var stop interrupted
	if errors.As(err, &stop) {
		return result, stop // it has said what is known
	}
	if err != nil && errors.As(context.Cause(ctx), &stop) {
		return nil, stop
	}
	return result, err
}
