package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"mcpworks/bench/internal/peers"
)

// A bench is a folder with the program, the profiles of the sites, and whatever
// a trial makes.
type bench struct {
	options
	dir     string
	program string
	missed  int
}

// sites are the site profiles of the trials.
var sites = []string{"north", "east", "south"}

const profile = `name: %s
generator: none
base_url: https://%[1]s.example
allow_local_repos: true
sections:
  products:  {root: content/products,  url_prefix: /products/,  localization: dir}
  docs:      {root: content/docs,      url_prefix: /docs/,      localization: dir}
  reference: {root: content/reference, url_prefix: /reference/, localization: dir}
  kb:        {root: content/kb,        url_prefix: /kb/,        localization: dir}
  blog:      {root: content/blog,      url_prefix: /blog/,      localization: dir, page_style: bundle}
`

func newBench(ctx context.Context, o options) (*bench, error) {
	root, err := peers.Root(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "bench-launcher-")
	if err != nil {
		return nil, err
	}
	b := &bench{options: o, dir: dir, program: filepath.Join(dir, "foss-launcher-mcp")}
	build := exec.CommandContext(ctx, "go", "build", "-o", b.program, "./cmd/foss-launcher-mcp")
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		b.close()
		return nil, err
	}
	for _, site := range sites {
		if err := write(filepath.Join(b.profiles(), site+".yaml"), fmt.Sprintf(profile, site)); err != nil {
			b.close()
			return nil, err
		}
	}
	return b, nil
}

func (b *bench) close() { remove(b.dir) }

func (b *bench) profiles() string { return filepath.Join(b.dir, "profiles") }

// promise prints a figure beside what it must not exceed.
func (b *bench) promise(name string, figure, most float64, unit string) {
	verdict := "ok"
	if figure > most {
		b.missed++
		verdict = "missed"
	}
	fmt.Printf("%-44s %10.2f %-4s at most %g: %s\n", name, figure, unit, most, verdict)
}

// remove removes a folder in which some are read-only.
func remove(dir string) {
	_ = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			return os.Chmod(name, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}

func write(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o600)
}

// A home is a data directory with the temporary folder of its processes.
type home struct {
	*bench
	dir string
}

// newHome makes one.
func (b *bench) newHome() (home, error) {
	dir, err := os.MkdirTemp(b.dir, "home-")
	if err != nil {
		return home{}, err
	}
	return home{b, dir}, os.Mkdir(filepath.Join(dir, "tmp"), 0o700)
}

func (h home) data() string { return filepath.Join(h.dir, "data") }

// command is the program with a command line, in a process group of its own.
func (h home) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, h.program, append(args, "--data-dir", h.data(), "--profiles-dir", h.profiles())...)
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(h.dir, "tmp"))
	return cmd
}

// A status is what the program says of a run.
type status struct {
	RunID    string `json:"run_id"`
	State    string
	Activity string
	Failure  *struct{ Message string }
}

// patience is how long a command may take.
const patience = time.Minute

// ask runs the program and reads its answer.
func (h home) ask(ctx context.Context, args ...string) (s status, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("it does not end"))
	defer cancel()
	var out, said bytes.Buffer
	cmd := h.command(ctx, append(args, "--json")...)
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		err = errors.Join(err, context.Cause(ctx))
		return s, fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, lastLines(said.String(), 6))
	}
	return s, json.Unmarshal(out.Bytes(), &s)
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
