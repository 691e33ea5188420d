package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// diskBytes is the size of the small disk.
const diskBytes = 64 << 20

// fullDisk executes runs on a small disk that is full before they end. They have to
// say so, lose nothing, and go on when there is room again.
func fullDisk(ctx context.Context, b *bench) error {
	p, err := b.newProduct(ctx, "heavy", 24, 1)
	if err != nil {
		return err
	}
	whole := killing{file: filepath.Join(b.dir, "heavy.json")}
	if err := p.writeConfig(whole.file, sites[0], "DONE"); err != nil {
		return err
	}
	if err := whole.measure(ctx, b); err != nil {
		return err
	}
	chance, said, stopped := rand.New(rand.NewPCG(b.seed, 7)), map[string]int{}, 0
	for range b.full {
		if whole.home, err = b.newHome(); err != nil {
			return err
		}
		text, err := whole.onSmallDisk(ctx, chance)
		if err != nil {
			return err
		}
		if text != "" {
			said[text]++
			stopped++
		}
	}
	fmt.Printf("%d of %d runs met a full disk and went on later; they said:\n", stopped, b.full)
	for text, times := range said {
		fmt.Printf("  %d x %s\n", times, text)
	}
	if stopped == 0 {
		return errors.New("no run met a full disk")
	}
	return nil
}

// onSmallDisk returns what the program said when the disk was full.
func (k killing) onSmallDisk(ctx context.Context, chance *rand.Rand) (said string, err error) {
	if err := os.Mkdir(k.data(), 0o700); err != nil {
		return "", err
	}
	mount := exec.CommandContext(ctx, "mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", diskBytes), "tmpfs", k.data())
	if out, err := mount.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: no small disk can be mounted here: %s", errors.ErrUnsupported, lastLines(string(out), 1))
	}
	defer func() {
		out, wrong := exec.Command("umount", k.data()).CombinedOutput()
		if wrong != nil {
			err = errors.Join(err, fmt.Errorf("umount: %w: %s", wrong, out))
		}
		remove(k.dir)
	}()
	ballast := filepath.Join(k.data(), "ballast")
	if err := os.WriteFile(ballast, make([]byte, diskBytes-chance.IntN(3<<20)-(256<<10)), 0o600); err != nil {
		return "", err
	}
	_, failed := k.ask(ctx, "start", k.file, "--key", "one")
	if err := os.Remove(ballast); err != nil {
		return "", err
	}
	if err := k.endLeases(ctx); err != nil {
		return "", err
	}
	s, err := k.ask(ctx, "start", k.file, "--key", "one", "--detach")
	if err != nil {
		return "", fmt.Errorf("after %w: %w", failed, err)
	}
	if s, err = k.ask(ctx, "status", s.RunID); err == nil && s.State != "DONE" {
		s, err = k.ask(ctx, "resume", s.RunID, "--until", "DONE")
	}
	if err != nil {
		return "", fmt.Errorf("after %w: %w", failed, err)
	}
	if err := k.ended(ctx, s); err != nil {
		return "", fmt.Errorf("after %w: %w", failed, err)
	}
	got, err := k.determined(s.RunID)
	return firstError(failed), errors.Join(err, difference(k.want, got))
}

// firstError is the line in which the program says what went wrong.
func firstError(err error) string {
	if err == nil {
		return ""
	}
	lines := strings.Split(err.Error(), "\n")
	if at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "error: ") }); at >= 0 {
		return lines[at][strings.Index(lines[at], "error: "):]
	}
	return lines[0]
}
