//go:build unix

package cachetest

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user who owns nothing.
const nobody = 65534

// AsUser says whether the test runs as a user who can be denied a file. The
// superuser cannot: for him, it runs the test once more as somebody else, in a
// process of its own, takes over how that ended and returns false.
func AsUser(t *testing.T) bool {
	t.Helper()
	if os.Getuid() != 0 {
		return true
	}
	if strings.Contains(t.Name(), "/") {
		t.Fatal("only a whole test can run as another user")
	}
	home := openedDir(t)
	output, state := runAs(t, home, copyOfTests(t, home), "-test.run=^"+t.Name()+"$", "-test.v")
	switch {
	case !state.Success():
		t.Fatalf("as user %d: %s\n%s", nobody, state, output)
	case strings.Contains(output, "--- SKIP: "+t.Name()):
		t.Skipf("as user %d:\n%s", nobody, output)
	case !strings.Contains(output, "--- PASS: "+t.Name()):
		t.Fatalf("as user %d the test did not run:\n%s", nobody, output)
	}
	return false
}

// openedDir returns a directory where everybody may work.
func openedDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	Must(t, os.Chmod(filepath.Dir(dir), 0o755))
	Must(t, os.Chmod(dir, 0o777))
	return dir
}

// copyOfTests puts this program where everybody may run it.
func copyOfTests(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	Must(t, err)
	program, err := os.ReadFile(self)
	Must(t, err)
	path := filepath.Join(dir, "tests")
	Must(t, os.WriteFile(path, program, 0o755))
	return path
}

func runAs(t *testing.T, dir, program string, args ...string) (output string, _ *os.ProcessState) {
	t.Helper()
	from, to, err := os.Pipe()
	Must(t, err)
	defer from.Close()
	process, err := os.StartProcess(program, append([]string{program}, args...), &os.ProcAttr{
		Dir: dir, Env: append(os.Environ(), "TMPDIR="+dir), Files: []*os.File{nil, to, to},
		Sys: &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}},
	})
	to.Close()
	if err != nil {
		t.Skipf("cannot run as user %d: %v", nobody, err)
	}
	text, err := io.ReadAll(from)
	Must(t, err)
	state, err := process.Wait()
	Must(t, err)
	return string(text), state
}
