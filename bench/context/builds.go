package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"
)

// fullBuild compares a build with sha256sum over the same files, in turn.
func (b *bench) fullBuild(ctx context.Context, c collection) (pair, error) {
	if _, err := b.sum(ctx, c); err != nil { // and warm it up
		return pair{}, err
	}
	var builds, sums []time.Duration
	for range b.rounds {
		flush(ctx)
		took, err := b.sum(ctx, c)
		if err != nil {
			return pair{}, err
		}
		made, err := b.build(ctx, c)
		if err != nil {
			return pair{}, err
		}
		if made.version != c.version {
			return pair{}, fmt.Errorf("%w: two builds of the same sources have the versions %s and %s", errWrong, c.version, made.version)
		}
		builds, sums = append(builds, made.took), append(sums, took)
	}
	b.full = append(b.full, builds...)
	compared := compareFastest(builds, sums)
	if compared.ratio <= maxBuild {
		return compared, nil
	}
	// Perhaps nobody could do it: how long does it take to make the files?
	bare, err := b.bareFiles(ctx, c)
	if err != nil {
		return pair{}, err
	}
	if room := maxBuild * slices.Min(sums); bare > room*4/5 {
		return pair{}, fmt.Errorf("%w: %v, but this disk takes %v to make as many files with nothing else to do, of the %v that are allowed",
			errSkipped, slices.Min(builds).Round(time.Millisecond), bare.Round(time.Millisecond), room.Round(time.Millisecond))
	}
	return compared, nil
}

// bareFiles makes as many files as a build does, of the size of the sources, in
// one directory and on all processors, and brings them to disk.
func (b *bench) bareFiles(ctx context.Context, c collection) (time.Duration, error) {
	dir, err := os.MkdirTemp(b.dir, "bare-")
	if err != nil {
		return 0, err
	}
	flush(ctx)
	content := make([]byte, c.size/int64(c.corpus))
	workers := runtime.GOMAXPROCS(0)
	failed := make([]error, workers)
	var all sync.WaitGroup
	began := time.Now()
	for worker := range workers {
		all.Go(func() {
			for i := worker; i < int(c.corpus) && failed[worker] == nil; i += workers {
				failed[worker] = os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), content, 0o666)
			}
		})
	}
	all.Wait()
	flush(ctx)
	return time.Since(began), errors.Join(failed...)
}

// argumentBytes is how much sha256sum gets to do at once: as many paths as the
// usual systems can pass to a program.
const argumentBytes = "500000"

// sum runs sha256sum over the sources, one process at a time.
func (b *bench) sum(ctx context.Context, c collection) (time.Duration, error) {
	for _, program := range []string{"sha256sum", "xargs"} {
		if _, err := exec.LookPath(program); err != nil {
			return 0, fmt.Errorf("%w: %s is not installed", errSkipped, program)
		}
	}
	var paths, stderr bytes.Buffer
	for i := range int(c.corpus) {
		paths.WriteString(c.path(i) + "\x00")
	}
	cmd := exec.CommandContext(ctx, "xargs", "-0", "-s", argumentBytes, "sha256sum")
	cmd.Dir, cmd.Stdin, cmd.Stderr = c.sources, &paths, &stderr
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("sha256sum: %w: %s", err, stderr.Bytes())
	}
	return time.Since(began), nil
}

// incremental changes some sources and compares builds that know the cache of
// before with the full builds. Both kinds have to make the same cache.
func (b *bench) incremental(ctx context.Context, c collection) (pair, error) {
	if err := c.amend(c.sources); err != nil {
		return pair{}, err
	}
	made, err := b.build(ctx, c)
	if err != nil {
		return pair{}, err
	}
	b.full = append(b.full, made.took)
	var times []time.Duration
	for range b.rounds {
		again, err := b.build(ctx, c, "--incremental", "--base", c.cache)
		if err != nil {
			return pair{}, err
		}
		if again.version != made.version || made.version == c.version {
			return pair{}, fmt.Errorf("%w: an incremental build has the version %s, a full one %s, and before it was %s",
				errWrong, again.version, made.version, c.version)
		}
		times = append(times, again.took)
	}
	return compareFastest(times, b.full), nil
}

// verify compares the check of a whole cache with one scan.
func (b *bench) verify(ctx context.Context, c collection) (pair, error) {
	var checks, scans []time.Duration
	for _, q := range c.typical()[:b.starts] {
		scan, err := b.scan(ctx, c, q)
		if err != nil {
			return pair{}, err
		}
		check, err := b.run(ctx, "verify", "--cache", c.cache)
		if err != nil {
			return pair{}, err
		}
		checks, scans = append(checks, check.took), append(scans, scan.took)
	}
	return compareMedians(checks, scans), nil
}
