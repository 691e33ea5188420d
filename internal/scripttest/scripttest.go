// Package scripttest runs the scripts that show what a program does: the files
// of its folder testdata/script, with the commands and variables that all of
// them can use.
//
//	exits code program [arg...]   runs a program and wants its exit code
//	fails code program [arg...]   the same, and wants an error on standard error and nothing on standard output
//	silent stdout|stderr          wants the program before to have written nothing there
//
// $VERSION is the version of the build.
package scripttest

import (
	"errors"
	"flag"
	"maps"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"mcpworks/internal/version"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden parts of scripts")

// raceOptions spare programs built with the race detector a second at their end.
const raceOptions = "atexit_sleep_ms=0"

// Main runs the tests of a package. To them and their scripts, the functions
// are programs.
func Main(m *testing.M, programs map[string]func()) {
	os.Setenv("GORACE", raceOptions)
	testscript.Main(m, programs)
}

// Commands are what scripts can use, by their names.
type Commands map[string]func(ts *testscript.TestScript, neg bool, args []string)

// Run runs testdata/script. Setup, if there is one, is for what the scripts need
// besides; so are commands.
func Run(t *testing.T, setup func(*testscript.Env) error, commands Commands) {
	all := Commands{"exits": Exits, "fails": Fails, "silent": silent}
	maps.Copy(all, commands)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", raceOptions)
			env.Setenv("VERSION", version.Number)
			if setup == nil {
				return nil
			}
			return setup(env)
		},
		Cmds: all,
	})
}

// Exits is the command exits.
func Exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code program [arg...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code is %d, want %d", got, want)
	}
}

// Fails is the command fails.
func Fails(ts *testscript.TestScript, neg bool, args []string) {
	Exits(ts, neg, args)
	silent(ts, false, []string{"stdout"})
	if stderr := ts.ReadFile("stderr"); !strings.Contains("\n"+stderr, "\nerror: ") || !strings.HasSuffix(stderr, "\n") {
		ts.Fatalf("standard error has no error: %q", stderr)
	}
}

func silent(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: silent stdout|stderr")
	}
	if got := ts.ReadFile(args[0]); got != "" {
		ts.Fatalf("%s is not empty: %q", args[0], got)
	}
}
