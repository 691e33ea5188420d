package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Of two caches, the message must name the one that is at fault. Opening a
// directory without a manifest fails with "cache is invalid: manifest.json:
// openat manifest.json: no such file or directory", and contextengine.Diff
// passes that on as it is: it has to say which of the two it was about.
func TestCLI11DiffNamesTheCacheAtFault(t *testing.T) {
	dir := t.TempDir()
	sources, cache := writeSources(t, dir, 1), filepath.Join(dir, "cache")
	mustRun(t, "build", "--sources", sources, "--cache", cache)
	for _, args := range [][]string{{cache, sources}, {sources, cache}} {
		cmd, stderr := command(t, append([]string{"diff"}, args...)...)
		if _, isExit := cmd.Run().(*exec.ExitError); !isExit || !strings.Contains(stderr.String(), sources) {
			t.Errorf("diff %q says %s", args, stderr)
		}
	}
}
