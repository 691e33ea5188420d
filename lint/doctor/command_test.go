//go:build unix

package doctor_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcpworks/lint/doctor"
	"mcpworks/mcp/client"
)

// B4: the true cause of servers that are started and do not work, each by a real
// process.
func TestCommandsThatDoNotWork(t *testing.T) {
	quick := client.Timeouts{Open: 2 * time.Second, Probe: 100 * time.Millisecond, Request: time.Second}
	for _, test := range []struct {
		mode, step, cause string
		words             []string
		timeouts          client.Timeouts
	}{
		{mode: "wants a variable", step: "process", cause: "missing-variable", words: []string{"exit status 3", "PATIENT_API_KEY: not set here", "-e PATIENT_API_KEY"}},
		{mode: "prints its usage", step: "process", cause: "usage-text", words: []string{"| Usage: patient [options] <directory>"}},
		{mode: "dies mysteriously", step: "process", cause: "ended-before-answer", words: []string{"exit status 42", "| first line", "| it is over"}},
		{mode: "kills itself", step: "process", cause: "ended-before-answer", words: []string{"a signal ended it: killed"}},
		{mode: "only talks", step: "era", cause: "stdout-text", words: []string{`"Welcome to the patient!"`}, timeouts: quick},
		{mode: "serves http", step: "era", cause: "serves-http", words: []string{"http://localhost:3000"}, timeouts: quick},
		{mode: "is silent", step: "era", cause: "no-answer", words: []string{"longer than 2s"}, timeouts: quick},
		{mode: "frames", step: "era", cause: "lsp-framing", timeouts: quick},
		{mode: "closes its output", step: "era", cause: "output-closed"},
		{mode: "refuses", step: "handshake", cause: "missing-variable", words: []string{"PATIENT_API_KEY"}},
		{mode: "is from the future", step: "handshake", cause: "no-common-version", words: []string{"2999-01-01"}},
		{mode: "dies after the handshake", step: "lists", cause: "ended-after-handshake", words: []string{"exit status 9", "| the disk is full", "| PATIENT is sorry"}},
		{mode: "has no list", step: "lists", cause: "error-answer", words: []string{"-32603 no list today"}},
		{mode: "never ends", step: "lists", cause: "endless-list", words: []string{"tools/list: more than 1000 pages"}},
		{mode: "goes in circles", step: "lists", cause: "endless-list", words: []string{"tools/list repeats a cursor"}},
		{mode: "echoes", step: "era", cause: "echoes-input", words: []string{"sends back what it is sent"}},
		{mode: "is slow", step: "lists", cause: "no-answer", words: []string{"tools/list was not answered within"}, timeouts: client.Timeouts{Request: 200 * time.Millisecond}},
	} {
		t.Run(test.mode, func(t *testing.T) {
			t.Parallel()
			d := examine(t, patient(test.mode), doctor.Options{Client: client.Options{Timeouts: test.timeouts}})
			wantCause(t, d, test.step, test.cause, test.words...)
			if d.Locked() {
				t.Error("it is said to want credentials")
			}
		})
	}
}

// What cannot be started has its cause, too, and nothing is sent.
func TestCommandsThatCannotBeStarted(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, test := range []struct {
		name, step, cause, word string
		command                 client.Command
	}{
		{"no such command", "command", "command-not-found", "no-such-command-here", client.Command{Args: []string{"no-such-command-here", "x"}}},
		{"no such file", "command", "command-not-found", "./none", client.Command{Args: []string{"./none"}, Dir: dir}},
		{"nothing", "command", "command-not-found", "", client.Command{}},
		{"folder", "command", "not-executable", "", client.Command{Args: []string{dir}}},
		{"not executable", "process", "not-executable", "chmod", client.Command{Args: []string{file("plain", "#!/bin/sh\n", 0o600)}}},
		{"no program", "process", "not-executable", "", client.Command{Args: []string{file("text", "hello\n", 0o700)}}},
		{"no interpreter", "process", "command-not-found", "interpreter", client.Command{Args: []string{file("script", "#!/no/such/shell\n", 0o700)}}},
		{"no directory", "command", "directory-not-found", "nowhere", client.Command{Args: []string{"sh"}, Dir: filepath.Join(dir, "nowhere")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := examine(t, test.command, doctor.Options{})
			wantCause(t, d, test.step, test.cause, test.word)
			if d.Messages != 0 {
				t.Errorf("%d messages were sent", d.Messages)
			}
		})
	}
}

// What works passes every step; what is odd about it is a warning at most.
func TestCommandsThatWork(t *testing.T) {
	for _, test := range []struct {
		mode, warned, found string
	}{
		{"works", "", ""},
		{"works with noise", "output", "1 line of text on standard output"},
		{"dies on discover", "process", "started again"},
		{"ends badly", "shutdown", "exit status 7"},
	} {
		t.Run(test.mode, func(t *testing.T) {
			t.Parallel()
			d := examine(t, patient(test.mode), doctor.Options{})
			if d.Failed() || d.Cause != nil {
				t.Fatalf("it does not work:\n%s", d.Text())
			}
			for _, s := range d.Steps {
				want := doctor.OK
				if s.Name == test.warned {
					want = doctor.Warning
					if !strings.Contains(s.Found, test.found) || s.Action == "" {
						t.Errorf("found is %q, with the action %q", s.Found, s.Action)
					}
				}
				if s.State != want {
					t.Errorf("%s is %s, want %s: %s", s.Name, s.State, want, s.Found)
				}
			}
			if got := step(t, d, "lists").Found; got != "1 tool, 0 resources" {
				t.Errorf("lists: %s", got)
			}
			if d.Transport != "stdio" || d.Version != "2025-06-18" || d.Era != "legacy" || d.Server != "patient 1.0" {
				t.Errorf("it is taken for %q %q %q", d.Transport, d.Version, d.Server)
			}
		})
	}
}

// LIFE-009: a list that is declared and not there is worth a warning, and what
// follows is still looked at.
func TestDeclaredListThatIsNotThere(t *testing.T) {
	t.Parallel()
	d := examine(t, patient("has no tools"), doctor.Options{})
	s := step(t, d, "lists")
	if d.Failed() || s.State != doctor.Warning || s.Found != "0 resources, but not all that it declares" || !strings.Contains(s.Action, "LIFE-009") {
		t.Errorf("lists: %+v", s)
	}
	if !strings.Contains(d.Text(), "the list of tools is declared, and answered with an error: what is that? (code -32601)") {
		t.Errorf("the report does not say which:\n%s", d.Text())
	}
	if step(t, d, "ping").State != doctor.OK || step(t, d, "shutdown").State != doctor.OK {
		t.Errorf("it ends there:\n%s", d.Text())
	}
}

// B3: a server of the legacy era that is wanted to be modern.
func TestOnlyModernWanted(t *testing.T) {
	t.Parallel()
	d := examine(t, patient("works"), doctor.Options{Client: client.Options{Era: client.Modern}})
	wantCause(t, d, "handshake", "no-common-version", "leave out --protocol")
}

// D2 66: a server can say what it wants, and as much; the report stays short.
func TestFloodIsBounded(t *testing.T) {
	t.Parallel()
	d := examine(t, patient("floods"), doctor.Options{Client: client.Options{Timeouts: client.Timeouts{Open: 3 * time.Second, Probe: time.Second}}})
	wantCause(t, d, "era", "stdout-text")
	if text := d.Text(); len(text) > 12_000 {
		t.Errorf("the report has %d bytes", len(text))
	}
	for _, s := range d.Steps {
		if len(s.Evidence) > 8 {
			t.Errorf("%s has %d lines of evidence", s.Name, len(s.Evidence))
		}
	}
}

// A6.9: a server that does not end is made to.
func TestStubbornServerIsKilled(t *testing.T) {
	t.Parallel()
	c := patient("stubborn")
	c.Grace = 200 * time.Millisecond
	d := examine(t, c, doctor.Options{})
	if s := step(t, d, "shutdown"); d.Failed() || s.State != doctor.Warning || !strings.Contains(s.Found, "killed") {
		t.Errorf("shutdown: %+v", s)
	}
}

// B2: the level is passive. No tool is called, and the messages are counted.
func TestNothingIsChanged(t *testing.T) {
	transcript := &client.Transcript{}
	d := examine(t, patient("works"), doctor.Options{Client: client.Options{Recorder: transcript}})
	allowed := []string{
		"server/discover", "initialize", "notifications/initialized", "tools/list", "resources/list", "resources/templates/list", "prompts/list", "ping",
	}
	events, _ := transcript.Events()
	sent := 0
	for _, e := range events {
		if e.Kind != client.Sent {
			continue
		}
		sent++
		var message struct{ Method string }
		if err := json.Unmarshal(e.Message, &message); err != nil || !strings.Contains(strings.Join(allowed, " ")+" ", message.Method+" ") {
			t.Errorf("%s was sent", e.Message)
		}
	}
	if sent == 0 || sent != d.Messages {
		t.Errorf("%d messages were sent, and %d counted", sent, d.Messages)
	}
}

// D2 36: a program that is known tells its version.
func TestVersionOfTheCommand(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\n[ \"$1\" = --version ] && { echo v99.8.7; exit; }\necho 'This server requires Node.js 100' >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(dir, "node"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	d := examine(t, client.Command{Args: []string{"node", "server.js"}}, doctor.Options{})
	wantCause(t, d, "process", "runtime-too-old", "requires Node.js 100")
	if got := step(t, d, "command").Found; !strings.HasSuffix(got, "/node, version 99.8.7") {
		t.Errorf("the command is %q", got)
	}
	for name, first := range map[string]string{"by-env": "#!/usr/bin/env node", "with-options": "#!/usr/bin/env -S node --no-warnings", "by-path": "#!" + dir + "/node"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(first+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		d := examine(t, client.Command{Args: []string{file}}, doctor.Options{})
		if got := step(t, d, "command").Found; got != file+"; node 99.8.7" {
			t.Errorf("the command %s is %q", name, got)
		}
	}
}

// A real Node.js says what the fixtures say it does.
func TestRealNode(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node; testdata/clues has what it prints")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"module.mjs": "import '@example/none'\n",
		"binding.js": "require('./none.node')\n",
		"builtin.js": "require('node:none')\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for file, cause := range map[string]string{
		"module.mjs": "missing-module", "binding.js": "native-binding", "builtin.js": "runtime-too-old", "none.js": "file-not-found",
	} {
		t.Run(file, func(t *testing.T) {
			d := examine(t, client.Command{Args: []string{"node", file}, Dir: dir}, doctor.Options{})
			wantCause(t, d, "process", cause, "none")
		})
	}
}

// B1.7: when the time is over, what is known is told.
func TestEndOfTime(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("there is no more time"))
	defer cancel()
	d := doctor.Examine(ctx, patient("is silent"), doctor.Options{})
	if s := step(t, d, "era"); s.State != doctor.Failed || s.Found != "there is no more time" || d.Cause != nil {
		t.Errorf("era: %+v, cause %v", s, d.Cause)
	}
	if step(t, d, "command").State != doctor.OK {
		t.Errorf("what was known is lost:\n%s", d.Text())
	}
}

// B1.7: a step that somebody stopped has not failed, and all is not well either.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	impatient := recorder(func(e client.Event) {
		if e.Kind == client.Sent {
			cancel(errors.New("enough"))
		}
	})
	d := doctor.Examine(ctx, patient("is silent"), doctor.Options{Client: client.Options{Recorder: impatient}})
	if s := step(t, d, "era"); s.State != doctor.Skipped || s.Found != "enough" || d.Failed() || d.Stopped != "enough" {
		t.Errorf("era: %+v, stopped %q", s, d.Stopped)
	}
	if !strings.Contains(string(d.AppendJSON(nil, 130)), `"ok":false`) || !strings.Contains(d.Markdown(), "- not examined to the end: enough") {
		t.Errorf("it is said to be well:\n%s", d.Markdown())
	}
	ctx, cancel = context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	for _, target := range []client.Target{client.URL("http://127.0.0.1:1/mcp"), client.URL("https://patient.invalid/mcp")} {
		if d := doctor.Examine(ctx, target, doctor.Options{}); d.Failed() || d.Stopped != "enough" {
			t.Errorf("%v has failed:\n%s", target, d.Text())
		}
	}
}

// B4: --watch-stderr stays with a server until it ends or the time does.
func TestWatch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seen := recorder(func(e client.Event) {
		if e.Kind == client.Received && strings.Contains(string(e.Message), `"result":{}`) { // of the ping, which has to get it first
			time.AfterFunc(time.Second, cancel)
		}
	})
	d := doctor.Examine(ctx, patient("works"), doctor.Options{Watch: true, Client: client.Options{Recorder: seen}})
	if ctx.Err() == nil || step(t, d, "lists").State != doctor.OK || step(t, d, "shutdown").State == doctor.Skipped {
		t.Errorf("it was not watched:\n%s", d.Text())
	}
	d = examine(t, patient("dies after the ping"), doctor.Options{Watch: true})
	wantCause(t, d, "shutdown", "ended-after-handshake", "exit status 5")
}

type recorder func(client.Event)

func (r recorder) Record(e client.Event) { r(e) }
