// Package flock holds a file for one owner among all processes of a host. A
// lock ends with the file handle it was taken on, so a killed process leaves
// none behind.
package flock

import (
	"context"
	"fmt"
	"os"
	"time"
)

// Lock waits until it holds the file or the context ends. Two handles of one
// process exclude each other as two processes do.
func Lock(ctx context.Context, file *os.File) error {
	for pause := time.Millisecond; ; pause = min(2*pause, 25*time.Millisecond) {
		held, err := Try(file)
		if err != nil || held {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("lock a file: %w", context.Cause(ctx))
		case <-time.After(pause):
		}
	}
}
