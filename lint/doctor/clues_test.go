package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpworks/mcp/client"

	"github.com/rogpeppe/go-internal/txtar"
)

// B4: every cause that is recognised by what programs print, on what they really
// print, and on what only looks alike. testdata/clues has one file for each; the
// name of a section is whether it shows the cause, how the server fared, where
// it stood, and what it is.
func TestClues(t *testing.T) {
	files, err := filepath.Glob("testdata/clues/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		id := strings.TrimSuffix(filepath.Base(file), ".txtar")
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, section := range archive.Files {
			t.Run(id+"/"+section.Name, func(t *testing.T) { tryClue(t, id, section.Name, string(section.Data)) })
		}
	}
}

func tryClue(t *testing.T, id, name, text string) {
	words := strings.SplitN(name, " ", 4)
	if len(words) != 4 {
		t.Fatalf("the section %q has no four parts", name)
	}
	want := ""
	if line, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(line, "want: ") {
		want, text = strings.TrimPrefix(line, "want: "), rest
	}
	s := &symptoms{ended: words[1] == "ended", opened: words[1] == "opened", command: client.Command{Args: []string{"server"}}}
	switch words[2] {
	case "stderr":
		s.stderr = text
	case "stdout":
		s.stdout = strings.Split(strings.TrimSpace(text), "\n")
	case "args":
		s.command.Args = strings.Fields(text)
	default:
		t.Fatalf("there is no stream %q", words[2])
	}
	cause := recognise(s)
	switch isHit := cause != nil && cause.ID == id; {
	case words[0] == "hit" && !isHit:
		t.Errorf("the cause is %v", cause)
	case words[0] == "miss" && isHit:
		t.Errorf("it is taken for the cause: %v", cause)
	case words[0] == "hit" && !strings.Contains(cause.Sentence, want):
		t.Errorf("the cause does not name %q: %s", want, cause.Sentence)
	case words[0] != "hit" && words[0] != "miss":
		t.Errorf("the section is neither hit nor miss")
	}
}

// Whatever a server prints, looking for clues ends, and what is said stays short.
func FuzzRecognise(f *testing.F) {
	f.Add("API_KEY environment variable is required", "Usage: x", true)
	f.Add("Cannot find module '"+strings.Repeat("x", 1000)+"'", "", true)
	f.Add("", "Content-Length: 1", false)
	f.Fuzz(func(t *testing.T, stderr, stdout string, ended bool) {
		s := &symptoms{ended: ended, stderr: plainText(stderr), stdout: strings.Split(plainText(stdout), "\n"), command: client.Command{Args: []string{"server"}}}
		if cause := recognise(s); cause != nil && (len(cause.Sentence) > 2*maxLine || cause.Action == "") {
			t.Errorf("the cause is %+v", cause)
		}
	})
}

// Every clue has both kinds of cases, and every cause words that are complete.
func TestEveryClueHasCases(t *testing.T) {
	for _, c := range clues {
		text, err := os.ReadFile("testdata/clues/" + c.id + ".txtar")
		if err != nil || !strings.Contains(string(text), "-- hit ") || !strings.Contains(string(text), "-- miss ") {
			t.Errorf("%s lacks cases: %v", c.id, err)
		}
		because(c.id, "") // panics if it is not in the catalogue
	}
	var ids []string
	for _, c := range Causes() {
		if slices.Contains(ids, c.ID) || c.Sentence == "" || c.Action == "" {
			t.Errorf("%q is there twice, or lacks words", c.ID)
		}
		ids = append(ids, c.ID)
	}
}

// D2 54: what to do depends on whether the variable is set here. Its value is
// never told.
func TestMissingVariableTellsWhetherItIsSet(t *testing.T) {
	const value = "hunter2-hunter2"
	s := &symptoms{ended: true, stderr: "API_KEY environment variable is required", command: client.Command{Args: []string{"server"}}}
	t.Setenv("API_KEY", value)
	if got := recognise(s); got.ID != missingVariable || !strings.Contains(got.Action, "API_KEY is set here") || !strings.Contains(got.Action, "-e API_KEY") || strings.Contains(got.Action+got.Sentence, value) {
		t.Errorf("set: %+v", got)
	}
	t.Setenv("API_KEY", "")
	if got := recognise(s); got.ID != missingVariable || !strings.Contains(got.Action, "API_KEY is not set here either") {
		t.Errorf("not set: %+v", got)
	}
	s.command.Env = []string{"API_KEY=" + value}
	if got := recognise(s); got != nil {
		t.Errorf("passed on: %+v", got)
	}
	s.command.Env = []string{"API_KEY="}
	if got := recognise(s); got == nil || got.ID != missingVariable {
		t.Errorf("passed on empty: %+v", got)
	}
	t.Setenv("API_KEY", value)
	s.command.Env, s.command.InheritEnv = nil, true
	if got := recognise(s); got != nil {
		t.Errorf("inherited: %+v", got)
	}
}
