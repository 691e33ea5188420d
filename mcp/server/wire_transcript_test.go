package server_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"mcpworks/mcp"
)

// A transcript is one file of testdata/wire: conversations that must go the
// same way at every revision the file names. testdata/wire/README.md describes
// the format.
type transcript struct {
	path       string
	statements []string
	revisions  []*mcp.Revision
	transports []string
	options    string
	sections   []section
}

// A section is one conversation with a server of its own.
type section struct {
	name      string
	revisions []*mcp.Revision
	steps     []step
}

// A step is one line of a conversation, with the lines that continue it.
type step struct {
	line, lines int    // where it stands in the file, from 1, and how long it is
	guard       string // the revisions and transports it is for; empty means all
	client      string // who speaks or listens; empty is the only or first client
	verb        string
	text        string
	group       []step // of the verb {
}

// errorf is an error that says where.
func (s step) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: "+format, append([]any{s.line}, args...)...)
}

func readTranscripts(t *testing.T, dir string) []*transcript {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*transcript
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := parseTranscript(path, data)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, tr)
	}
	return all
}

func (tr *transcript) name() string {
	return strings.TrimSuffix(filepath.Base(tr.path), ".txtar")
}

func parseTranscript(path string, data []byte) (*transcript, error) {
	archive := txtar.Parse(data)
	tr := &transcript{path: path, transports: []string{"pair", "stdio"}}
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		var err error
		switch key {
		case "statements":
			tr.statements = append(tr.statements, strings.Fields(value)...)
		case "revisions":
			tr.revisions, err = parseRevisions(value)
		case "transports":
			tr.transports = strings.Fields(value)
		case "options":
			tr.options = value
		}
		if err != nil {
			return nil, err
		}
	}
	switch {
	case len(tr.statements) == 0:
		return nil, fmt.Errorf("no statements are cited")
	case len(tr.revisions) == 0:
		return nil, fmt.Errorf("no revisions are named")
	}
	line := 1 + bytes.Count(archive.Comment, []byte("\n"))
	for _, file := range archive.Files {
		sec, err := parseSection(file, line+1, tr.revisions)
		if err != nil {
			return nil, err
		}
		tr.sections = append(tr.sections, sec)
		line += 1 + bytes.Count(file.Data, []byte("\n"))
	}
	return tr, nil
}

// parseRevisions reads all, legacy, modern, or dates.
func parseRevisions(list string) ([]*mcp.Revision, error) {
	var named []*mcp.Revision
	for _, name := range strings.Fields(list) {
		found := len(named)
		for _, rev := range mcp.Revisions() {
			if isOf(name, rev) {
				named = append(named, rev)
			}
		}
		if len(named) == found {
			return nil, fmt.Errorf("%s names no revision", name)
		}
	}
	return named, nil
}

func isOf(name string, rev *mcp.Revision) bool {
	switch name {
	case "all":
		return true
	case "legacy":
		return !rev.Modern
	case "modern":
		return rev.Modern
	}
	return name == rev.Version
}

// parseSection reads a section; "@" in its name is followed by the revisions
// it is for.
func parseSection(file txtar.File, line int, all []*mcp.Revision) (section, error) {
	sec := section{name: file.Name, revisions: all}
	if _, list, found := strings.Cut(file.Name, " @"); found {
		revisions, err := parseRevisions(list)
		if err != nil {
			return sec, fmt.Errorf("section %s: %w", file.Name, err)
		}
		for _, rev := range revisions {
			if !slices.Contains(all, rev) {
				return sec, fmt.Errorf("section %s: the file is not for %s", file.Name, rev.Version)
			}
		}
		sec.revisions = revisions
	}
	var group *step // that is open
	for text := range strings.Lines(string(file.Data)) {
		text = strings.TrimSuffix(text, "\n")
		steps := &sec.steps
		if group != nil {
			steps = &group.group
		}
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
		case text[0] == ' ' || text[0] == '\t':
			if len(*steps) == 0 {
				return sec, fmt.Errorf("line %d continues nothing", line)
			}
			last := &(*steps)[len(*steps)-1]
			last.text += "\n" + text
			last.lines = line - last.line + 1
		case text == "}" && group != nil:
			group = nil
		case groupLine.MatchString(text):
			guard := groupLine.FindStringSubmatch(text)[1]
			sec.steps = append(sec.steps, step{line: line, lines: 1, guard: guard, verb: "{"})
			group = &sec.steps[len(sec.steps)-1]
		default:
			s, err := parseStep(text, line)
			if err != nil {
				return sec, err
			}
			*steps = append(*steps, s)
		}
		line++
	}
	if group != nil {
		return sec, fmt.Errorf("section %s: a group is not closed", file.Name)
	}
	return sec, nil
}

var (
	groupLine     = regexp.MustCompile(`^(?:@(\S+) )?\{$`)
	messageLine   = regexp.MustCompile(`(?s)^(?:@(\S+) )?([a-z]*)(>>q|>>|>|<)(?: (.*))?$`)
	directiveLine = regexp.MustCompile(`(?s)^(?:@(\S+) )?(?:([a-z]+): )?(handshake|eof|stop|ends|discard|hear|clock|server|declare|accepted|refused)(?: (.*))?$`)
)

func parseStep(text string, line int) (step, error) {
	for _, form := range []*regexp.Regexp{messageLine, directiveLine} {
		if m := form.FindStringSubmatch(text); m != nil {
			return step{line: line, lines: 1, guard: m[1], client: m[2], verb: m[3], text: m[4]}, nil
		}
	}
	return step{}, fmt.Errorf("line %d is not a step: %s", line, text)
}

// appliesTo says whether the step is for this run.
func (s step) appliesTo(rev *mcp.Revision, transport string) bool {
	if s.guard == "" {
		return true
	}
	for name := range strings.SplitSeq(s.guard, ",") {
		if name == transport || isOf(name, rev) {
			return true
		}
	}
	return false
}
