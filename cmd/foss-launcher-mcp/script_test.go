package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"mcpworks/internal/scripttest"
	"mcpworks/packs/launch"
)

func TestMain(m *testing.M) {
	scripttest.Main(m, map[string]func(){launch.Name: main})
}

// TestScripts runs testdata/script; README.md there lists what scripts can use.
func TestScripts(t *testing.T) {
	scripttest.Run(t, func(env *testscript.Env) error {
		program, err := exec.LookPath(launch.Name)
		env.Setenv("NO_GIT", filepath.Dir(program))
		return err
	}, scripttest.Commands{"product": product, "run": nameRun, "stops": stops})
}

// acme is a small product.
var acme = map[string]string{
	"README.md": "# Acme tool\n\nAcme tool reads CSV files and writes JSON files.\n\n## Installation\n\n```sh\npip install acme-tool\n```\n",
	"setup.py":  "from setuptools import setup\nsetup(name=\"acme-tool\", version=\"1.0.0\", license=\"MIT\")\n",
	"acme.py":   "def read(name):\n    \"\"\"Read a CSV file.\"\"\"\n    return open(name).read()\n",
}

// makeProduct makes a folder a repository with one commit.
func makeProduct(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for name, text := range acme {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = folder
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	return nil
}

func product(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: product folder")
	}
	ts.Check(makeProduct(ts.MkAbs(args[0])))
}

var runName = regexp.MustCompile(`\br_[0-9TZ]+_[a-z0-9-]+_[0-9a-f]{8}\b`)

// nameRun puts the name of a run into a variable.
func nameRun(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: run variable")
	}
	name := runName.FindString(ts.ReadFile("stdout"))
	if name == "" {
		ts.Fatalf("standard output names no run")
	}
	ts.Setenv(args[0], name)
}

// stops interrupts a verb that has begun to follow a run, and wants it to end
// as it should. Its standard error is that of the script.
func stops(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: stops verb [arg...]")
	}
	program, err := exec.LookPath(launch.Name)
	ts.Check(err)
	cmd := exec.Command(program, args...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "PATH="+ts.Getenv("PATH"), "HOME="+ts.Getenv("HOME"))
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	var said strings.Builder
	lines := bufio.NewReader(io.TeeReader(stderr, &said))
	if first, _ := lines.ReadString('\n'); strings.HasPrefix(first, "run ") {
		ts.Check(cmd.Process.Signal(os.Interrupt))
	}
	_, err = io.Copy(io.Discard, lines)
	ts.Check(err)
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitSignal+2 {
		ts.Fatalf("it ended with %v: %s", err, said.String())
	}
	_, err = io.WriteString(ts.Stderr(), said.String())
	ts.Check(err)
}
