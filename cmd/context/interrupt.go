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

// interruptible runs work with a context that ends with the first signal, so
// that it can clean up; the second one ends the process at once. Work that was
// done all the same is done.
func interruptible(ctx context.Context, c *call, run func(context.Context, *call) ([]byte, error)) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals, finished, watched := make(chan os.Signal, 1), make(chan struct{}), make(chan struct{})
	for _, s := range stopping {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		defer close(watched)
		select {
		case s := <-signals:
			signal.Stop(signals)
			cancel(interrupted{s})
		case <-finished:
			signal.Stop(signals)
		}
	}()
	result, err := run(ctx, c)
	close(finished)
	<-watched

	var stop interrupted
	if err != nil && errors.As(context.Cause(ctx), &stop) {
		c.log.Debug("stopped", "signal", stop.signal, "error", err)
		err = stop
	}
	cancel(nil)
	return result, err
}

func uninterrupted(ctx context.Context, c *call, run func(context.Context, *call) ([]byte, error)) ([]byte, error) {
	return run(ctx, c)
}
