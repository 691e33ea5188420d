package main

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"mcpworks/internal/scripttest"
	"mcpworks/internal/version"
	"mcpworks/packs/contextengine"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	scripttest.Main(m, map[string]func(){"mcp-context-server": main})
}

// TestScripts runs testdata/script; README.md there lists what scripts can use.
func TestScripts(t *testing.T) {
	scripttest.Run(t, nil, scripttest.Commands{
		"says":    says,
		"caches":  caches,
		"refuses": refuses,
		"answers": answers,
	})
}

// refuses wants values of CONTEXT_TOOL_TIMEOUT_SECS to be refused: refuses value...
func refuses(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("unsupported: ! refuses")
	}
	for _, value := range args {
		ts.Setenv("CONTEXT_TOOL_TIMEOUT_SECS", value)
		scripttest.Exits(ts, false, []string{"1", "mcp-context-server"})
		const want = "mcp-context-server: configuration error: CONTEXT_TOOL_TIMEOUT_SECS must be a positive integer\n"
		if got := ts.ReadFile("stderr"); got != want || ts.ReadFile("stdout") != "" {
			ts.Fatalf("%q: standard error is %q, standard output %q", value, got, ts.ReadFile("stdout"))
		}
	}
}

// answers writes standard output to a file, with $VERSION for the version:
// answers file
func answers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: answers file")
	}
	text := strings.ReplaceAll(ts.ReadFile("stdout"), strconv.Quote(version.Number), `"$VERSION"`)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// says wants the one line that the program before wrote: says stdout|stderr text
func says(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: says stdout|stderr text")
	}
	if got := ts.ReadFile(args[0]); got != args[1]+"\n" {
		ts.Fatalf("%s is %q, want %q", args[0], got, args[1]+"\n")
	}
}

// caches builds a cache: caches sources cache
func caches(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: caches sources cache")
	}
	_, err := contextengine.Build(context.Background(), contextengine.BuildOptions{
		Sources: ts.MkAbs(args[0]), Cache: ts.MkAbs(args[1]), CreatedAt: time.Unix(0, 0),
	})
	ts.Check(err)
}

func TestSRV2SecondsThatAreTooMany(t *testing.T) {
	const longest = 9_223_372_036 * time.Second
	for text, want := range map[string]time.Duration{
		"1": time.Second, "30": 30 * time.Second, "007": 7 * time.Second, "86400": 24 * time.Hour,
		"9223372036":              longest,
		"9223372037":              longest,
		"9223372036854775807":     longest,
		"18446744073709551616":    longest,
		strings.Repeat("9", 1000): longest,
	} {
		if got, err := parseSeconds(text); err != nil || got != want {
			t.Errorf("parseSeconds(%.20q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "000", "-1", "+1", " 5", "5 ", "1.5", "1e3", "0x10", "abc", "1_000", "５", "5s"} {
		if got, err := parseSeconds(text); err == nil {
			t.Errorf("parseSeconds(%q) = %v", text, got)
		}
	}
}
