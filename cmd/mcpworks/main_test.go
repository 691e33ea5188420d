package main

import (
	"flag"
	"os"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"mcpworks/internal/version"
)

const program = "mcpworks"

var update = flag.Bool("update", false, "rewrite the golden parts of scripts")

func TestMain(m *testing.M) {
	if os.Getenv("RUN_AS_PROGRAM") == program {
		main()
	}
	testscript.Main(m, map[string]func(){program: main})
}

// TestScripts runs testdata/script, which is about everything that ends before
// anything is served.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error { // nothing else of the environment is there
			env.Setenv("VERSION", version.Number)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits runs the program and wants its exit code: exits code [arg...]
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: exits code [arg...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(program, args[1:]...)
	got := 0
	if failed, ok := err.(interface{ ExitCode() int }); ok {
		got = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
