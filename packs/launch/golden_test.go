package launch_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"mcpworks/packs/launch"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden answers")

const card = `---
id: TC-7
title: Launch acme
status: Ready
---
## Objective
Launch.
`

// What is another in every run (3.3).
var (
	requestID = regexp.MustCompile(`req_[A-Z0-9]+`)
	traceID   = regexp.MustCompile(`((?:span|trace)_id\\?":\\?")[0-9a-f]+`)
)

// TestCalls has every tool answer the calls of testdata/calls, with a run that
// has got as far as its plan and a taskcard that is not valid (S-25). RUN stands
// for the run.
func TestCalls(t *testing.T) {
	files, err := filepath.Glob("testdata/calls/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, file := range files {
		tool := strings.TrimSuffix(filepath.Base(file), ".txtar")
		asked[tool] = true
		t.Run(tool, func(t *testing.T) { answerCalls(t, file) })
	}
	for tool, deprecated := range launch.Catalogue() {
		if !asked[tool] && !deprecated {
			t.Errorf("testdata/calls has nothing for %s", tool)
		}
	}
}

func answerCalls(t *testing.T, file string) {
	t.Parallel()
	dir := t.TempDir()
	cards := filepath.Join(dir, "cards")
	if err := os.Mkdir(cards, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(cards, "TC-7_acme.md"), []byte(card), 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHouse(t, launch.Config{DataDir: filepath.Join(dir, "data"), TaskcardsDir: cards, Now: func() time.Time { return noon }}, nil, true)
	s := h.open(t)
	run := s.start("first")
	<-h.walker.resting(run)
	h.idle()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var answers txtar.Archive
	for _, part := range archive.Files {
		if part.Name != "call" {
			continue
		}
		params := strings.ReplaceAll(string(part.Data), "RUN", run)
		s.send(oneLine(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`, len(answers.Files)/2, params)))
		_, text := s.next()
		text = requestID.ReplaceAllString(strings.ReplaceAll(text, run, "RUN"), "req_1")
		text = traceID.ReplaceAllString(text, "${1}0")
		answers.Files = append(answers.Files, part, txtar.File{Name: "answer", Data: indented(t, text)})
	}
	answers.Comment = archive.Comment
	if *update {
		if err := os.WriteFile(file, txtar.Format(&answers), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(&answers))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func oneLine(t *testing.T, text string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func indented(t *testing.T, text string) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(text), "", "  "); err != nil {
		t.Fatal(err)
	}
	return append(b.Bytes(), '\n')
}
