package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"mcpworks/internal/bounded"
)

// stderrBytes is how much of what git says on standard error is kept.
const stderrBytes = 16 << 10

// killGrace is how long a killed git may take to let go of its pipes.
const killGrace = 2 * time.Second

// A process is one run of git.
type process struct {
	op    string   // what is being done, for errors
	dir   string   // the repository; empty for none
	lock  *os.File // what git holds as well, for as long as it runs
	args  []string
	env   []string
	stdin io.Reader
	time  time.Duration // 0 means Limits.Time
}

// run starts git and has read take its standard output. When read returns
// early, or ctx ends, or time is up, git and all that it started are killed. It
// returns when all of them have let go of the output.
func (g *Git) run(ctx context.Context, p process, read func(io.Reader) error) error {
	limit := orDefault(p.time, g.limits.Time)
	timed, cancel := context.WithTimeoutCause(ctx, limit, errTimeUp)
	defer cancel()
	args := g.settings()
	if p.dir != "" {
		args = append(args, "--git-dir="+p.dir)
	}
	cmd := exec.CommandContext(timed, g.program, append(args, p.args...)...)
	cmd.Env = append(append([]string{}, g.env...), p.env...)
	cmd.Stdin = p.stdin
	cmd.Dir = string(filepath.Separator)
	setGroup(cmd)
	shareLock(cmd, p.lock)
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = killGrace
	stderr := &tail{max: stderrBytes}
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return &Error{Kind: Failed, Op: p.op, Err: err}
	}
	var readErr error
	err = cmd.Start()
	if err == nil {
		if readErr = read(stdout); readErr != nil {
			cancel()
		}
		err = cmd.Wait()
	}
	switch {
	case ctx.Err() != nil:
		return &Error{Kind: Cancelled, Op: p.op, Err: context.Cause(ctx)}
	case errors.Is(context.Cause(timed), errTimeUp):
		return &Error{Kind: TimedOut, Op: p.op, Err: errTimeUp}
	case readErr != nil && exitCode(err) <= 0: // git did not fail by itself
		return asError(p.op, readErr)
	case err != nil:
		return failure(p.op, stderr.String(), err)
	}
	return nil
}

// output runs git and returns what it writes, up to Limits.Output.
func (g *Git) output(ctx context.Context, p process) ([]byte, error) {
	var out []byte
	err := g.run(ctx, p, func(r io.Reader) error {
		data, cut, err := bounded.Read(r, g.limits.Output)
		if cut {
			return &Error{Kind: TooLarge, Op: p.op, Err: errors.New("git says too much")}
		}
		out = data
		return err
	})
	return out, err
}

// word runs git and returns its answer without the white space around it.
func (g *Git) word(ctx context.Context, p process) (string, error) {
	out, err := g.output(ctx, p)
	return string(bytes.TrimSpace(out)), err
}

// A tail keeps the end of what is written to it.
type tail struct {
	max  int
	kept []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.max; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(bytes.ToValidUTF8(t.kept, nil)) }

// findProgram returns the absolute path of a program.
func findProgram(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}
