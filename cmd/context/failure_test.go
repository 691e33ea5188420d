package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"mcpworks/internal/cmdline"
	"mcpworks/packs/contextengine"

	"pgregory.net/rapid"
)

// CLI-12: whatever a message repeats, it stays one line and commands no
// terminal.
func TestCLI12MessagesAreOneLine(t *testing.T) {
	for given, want := range map[string]string{
		"plain text":       "plain text",
		"caf\xe9":          `caf\xe9`,
		"日本 é":             "日本 é",
		"a\nb\r\tc":        `a\nb\r\tc`,
		"\x1b[2Jgone":      `\x1b[2Jgone`,
		"right\u202eleft":  `right\u202eleft`,
		"it's \"quoted\" ": `it's "quoted" `,
	} {
		if got := oneLine(given); got != want {
			t.Errorf("oneLine(%q) = %q, want %q", given, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		message := rapid.SliceOf(rapid.Byte()).Draw(t, "message")
		var stderr bytes.Buffer
		report(&failure{exit: exitUsage, err: errors.New(string(message)), hint: string(message)}, &stderr)
		if bytes.Count(stderr.Bytes(), []byte("\n")) > 2 || bytes.ContainsAny(stderr.Bytes(), "\r\x1b\x07") {
			t.Fatalf("%q is reported as %q", message, stderr.String())
		}
	})
}

// The exit codes: of the engine's errors, of a signal, of everything else.
func TestCLI9ExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{cmdline.Mistaken("message", "hint"), 1},
		{fmt.Errorf("wrapped: %w", cmdline.Mistaken("message", "hint")), 1},
		{errors.New("unheard of"), contextengine.InternalError.ExitCode()},
		{problems{"one"}, contextengine.CacheInvalid.ExitCode()},
		{interrupted{syscall.SIGINT}, 130},
		{interrupted{syscall.SIGTERM}, 143},
		{interrupted{foreignSignal{}}, 128},
	} {
		var stderr strings.Builder
		if got := report(c.err, &stderr); got != c.want {
			t.Errorf("%v has the exit code %d, want %d", c.err, got, c.want)
		}
		if (c.err == nil) != (stderr.String() == "") {
			t.Errorf("%v is reported as %q", c.err, stderr.String())
		}
	}
}

type foreignSignal struct{}

func (foreignSignal) String() string { return "foreign" }
func (foreignSignal) Signal()        {}

// A bug is an internal error, not the exit code 2 of Go, which is a bad query.
func TestCLI9BugIsAnInternalError(t *testing.T) {
	broken := verb{Verb: cmdline.Verb{Name: "break"}, run: func(context.Context, *call) ([]byte, error) { panic("broken") }}
	var stdout, stderr strings.Builder
	code := run(t.Context(), []verb{broken}, []string{"break"}, &stdout, &stderr)
	if code != contextengine.InternalError.ExitCode() || stdout.Len() > 0 {
		t.Errorf("exit code is %d, standard output %q", code, stdout.String())
	}
	if got := stderr.String(); !strings.HasPrefix(got, "error: internal error: broken\nhint: this is a bug") || !strings.Contains(got, "goroutine") {
		t.Errorf("standard error is %q", got)
	}
}
