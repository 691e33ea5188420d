package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"mcpworks/bench/internal/peers"
)

// A bench is a folder with the programs, the corpora and the caches. Nothing in
// it is removed before the end: a file system that was just rid of many files
// is slow to make new ones.
type bench struct {
	options
	dir     string
	command string          // the program context
	server  string          // the program mcp-context-server
	builds  int             // how many caches there are
	full    []time.Duration // the time of full builds of the first collection
	missed  int             // promises
}

func newBench(ctx context.Context, o options) (*bench, error) {
	root, err := peers.Root(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(o.dir, "bench-context-")
	if err != nil {
		return nil, err
	}
	programs := filepath.Join(dir, "bin") + string(filepath.Separator)
	build := exec.CommandContext(ctx, "go", "build", "-o", programs, "./cmd/context", "./cmd/mcp-context-server")
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("build the programs: %w", err)
	}
	return &bench{options: o, dir: dir, command: programs + "context", server: programs + "mcp-context-server"}, nil
}

// A collection is a corpus in files, and its cache.
type collection struct {
	corpus
	size    int64  // of the text
	sources string // the folder of the corpus
	cache   string // the folder of the cache
	version string // of the cache
}

func (b *bench) collect(ctx context.Context, name string, c corpus) (collection, error) {
	col := collection{corpus: c, sources: filepath.Join(b.dir, "sources", name)}
	var err error
	if col.size, err = c.write(col.sources); err != nil {
		return col, err
	}
	built, err := b.build(ctx, col)
	col.cache, col.version = built.cache, built.version
	return col, err
}

// caches is the root of all of them.
func (b *bench) caches() string { return filepath.Join(b.dir, "caches") }

// documents is the folder with the documents of the cache.
func (c *collection) documents() string { return filepath.Join(c.cache, "documents") }

// A built is a cache that a build made.
type built struct {
	cache, version string
	took           time.Duration
}

var builtLine = regexp.MustCompile(`^Built cache: (\d+) documents, version (sha256:[0-9a-f]{64})\n$`)

// build makes a new cache of the sources as they are now. What was written
// before is on the disk when it begins.
func (b *bench) build(ctx context.Context, c collection, more ...string) (built, error) {
	b.builds++
	made := built{cache: filepath.Join(b.caches(), fmt.Sprintf("cache-%d", b.builds))}
	flush(ctx)
	r, err := b.run(ctx, append([]string{"build", "--sources", c.sources, "--cache", made.cache}, more...)...)
	if err != nil {
		return made, err
	}
	line := builtLine.FindSubmatch(r.stderr)
	if line == nil || string(line[1]) != fmt.Sprint(int(c.corpus)) {
		return made, fmt.Errorf("%w: a build of %d documents says %q", errWrong, int(c.corpus), r.stderr)
	}
	made.version, made.took = string(line[2]), r.took
	return made, nil
}

// flush writes to the disk what is still to be written, where there is a
// program for that.
func flush(ctx context.Context) { _ = exec.CommandContext(ctx, "sync").Run() }

// A ran is how the program context went.
type ran struct {
	stdout, stderr []byte
	took           time.Duration // from its start to its end
}

func (b *bench) run(ctx context.Context, args ...string) (ran, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, b.command, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return ran{}, fmt.Errorf("context %s: %w: %s", args[0], err, stderr.Bytes())
	}
	return ran{stdout.Bytes(), stderr.Bytes(), time.Since(began)}, nil
}
