package main

import (
	"encoding/base64"
	"encoding/json"
	"mcpworks/internal/scripttest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	scripttest.Main(m, map[string]func(){"mcplint": main, "sample-server": sampleMain})
}

// TestScripts runs testdata/script; README.md there lists what scripts can use.
func TestScripts(t *testing.T) {
	scripttest.Run(t, func(env *testscript.Env) error {
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
	}, scripttest.Commands{
		"json":     isJSON,
		"unsecret": unsecret,
		"untimed":  untimed,
	})
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
