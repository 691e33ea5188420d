package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"mcpworks/internal/version"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden parts of scripts")

// raceOptions spare programs built with the race detector a second at their end.
const raceOptions = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	os.Setenv("GORACE", raceOptions)
	testscript.Main(m, map[string]func(){"mcplint": main, "sample-server": sampleMain})
}

// TestScripts runs testdata/script; README.md there lists what scripts can use.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", raceOptions)
			env.Setenv("VERSION", version.Number)
			env.Setenv("TOKEN", token)
			web, stop, err := webSample()
			if err != nil {
				return err
			}
			env.Defer(stop)
			env.Setenv("URL", web.URL)
			env.Setenv("USER_URL", strings.Replace(web.URL, "://", "://usr:"+token+"@", 1)+"/repeats")
			env.Setenv("BASIC", base64.StdEncoding.EncodeToString([]byte("usr:"+token)))
			free, err := freeAddress()
			env.Setenv("NOBODY", "http://"+free+"/mcp")
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"ends":     ends,
			"fails":    fails,
			"json":     isJSON,
			"silent":   silent,
			"unsecret": unsecret,
			"untimed":  untimed,
		},
	})
}

// exitOf runs mcplint.
func exitOf(ts *testscript.TestScript, args []string) int {
	var exit *exec.ExitError
	err := ts.Exec("mcplint", args...)
	switch {
	case errors.As(err, &exit):
		return exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	return 0
}

// ends wants mcplint to end with an exit code: ends code [arg...]
func ends(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: ends code [arg...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exitOf(ts, args[1:]); got != want {
		ts.Fatalf("exit code is %d, want %d", got, want)
	}
}

// fails wants mcplint to end with an exit code, nothing on standard output and
// an error on standard error: fails code [arg...]
func fails(ts *testscript.TestScript, neg bool, args []string) {
	ends(ts, neg, args)
	if stdout := ts.ReadFile("stdout"); stdout != "" {
		ts.Fatalf("standard output is not empty: %q", stdout)
	}
	if stderr := ts.ReadFile("stderr"); !strings.Contains("\n"+stderr, "\nerror: ") || !strings.HasSuffix(stderr, "\n") {
		ts.Fatalf("standard error has no error: %q", stderr)
	}
}

// isJSON wants a file to be one JSON object and nothing else: json file
func isJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: json file")
	}
	var object map[string]any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &object); err != nil {
		ts.Fatalf("%s is not one JSON object: %v", args[0], err)
	}
}

// silent wants the program before to have written nothing: silent stdout|stderr
func silent(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: silent stdout|stderr")
	}
	if got := ts.ReadFile(args[0]); got != "" {
		ts.Fatalf("%s is not empty: %q", args[0], got)
	}
}

// unsecret wants files that do not hold the token: unsecret file...
func unsecret(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: unsecret file...")
	}
	for _, name := range args {
		if text := ts.ReadFile(name); strings.Contains(text, token) {
			ts.Fatalf("%s holds the secret: %s", name, text)
		}
	}
}

var times = regexp.MustCompile(` *[0-9.]+ ?ms|"ms": ?[0-9.]+`)

// untimed writes a file with TIME in place of all times: untimed file result
func untimed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: untimed file result")
	}
	text := times.ReplaceAllString(ts.ReadFile(args[0]), "TIME")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
}
