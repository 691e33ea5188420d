package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// interruptible runs work with a context that ends with the first signal, so
// that it can clean up; the second one ends the process at once.
func interruptible(ctx context.Context, c *call, work func(context.Context, *call) ([]byte, error)) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	signals, finished, watched := make(chan os.Signal, 1), make(chan struct{}), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer close(watched)
		defer signal.Stop(signals)
		select {
		case s := <-signals:
			cancel(interrupted{s})
		case <-finished:
		}
	}()
	result, err := work(ctx, c)
	close(finished)
	<-watched
	if stop, ok := errors.AsType[interrupted](context.Cause(ctx)); ok && err != nil {
		err = errors.Join(stop, err)
	}
	return result, err
}

func uninterrupted(ctx context.Context, c *call, work func(context.Context, *call) ([]byte, error)) ([]byte, error) {
	return work(ctx, c)
}
