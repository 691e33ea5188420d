package streamable_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"mcpworks/mcp"
)

// A transcript is one file of testdata: HTTP conversations that must go the
// same way at every revision the file names. testdata/README.md describes the
// format.
type transcript struct {
	name       string
	statements []string
	revisions  []*mcp.Revision
	options    string
	sections   []section
}

// A section is one conversation with a server of its own.
type section struct {
	name      string
	revisions []*mcp.Revision
	steps     []step
}

// A step is a request, what is expected of a response, or something else that
// happens.
type step struct {
	line    int
	guard   string // the revisions it is for; empty means all
	verb    string // ">", "<" or the name of an act
	text    string // the rest of the first line
	headers [][2]string
	body    []string // the lines after the headers
}

func (s *step) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: "+format, append([]any{s.line}, args...)...)
}

func readTranscripts(t *testing.T, pattern string) (all []*transcript) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := parseTranscript(data)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		tr.name = strings.TrimSuffix(filepath.Base(path), ".txtar")
		all = append(all, tr)
	}
	return all
}

func parseTranscript(data []byte) (*transcript, error) {
	archive := txtar.Parse(data)
	tr := &transcript{}
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch key {
		case "statements":
			tr.statements = append(tr.statements, strings.Fields(value)...)
		case "revisions":
			tr.revisions = parseRevisions(value)
		case "options":
			tr.options = value
		}
	}
	if len(tr.statements) == 0 || len(tr.revisions) == 0 {
		return nil, fmt.Errorf("no statements or no revisions")
	}
	line := 2 + strings.Count(string(archive.Comment), "\n")
	for _, file := range archive.Files {
		sec := section{name: file.Name, revisions: tr.revisions}
		if _, list, found := strings.Cut(file.Name, " @"); found {
			if sec.revisions = parseRevisions(list); len(sec.revisions) == 0 {
				return nil, fmt.Errorf("section %s is for no revision", file.Name)
			}
		}
		var err error
		if sec.steps, err = parseSteps(string(file.Data), line); err != nil {
			return nil, err
		}
		tr.sections = append(tr.sections, sec)
		line += 1 + strings.Count(string(file.Data), "\n")
	}
	return tr, nil
}

// parseRevisions reads legacy, modern, or dates.
func parseRevisions(list string) (named []*mcp.Revision) {
	for _, rev := range mcp.Revisions() {
		for name := range strings.FieldsSeq(list) {
			if isOf(name, rev) {
				named = append(named, rev)
			}
		}
	}
	return named
}

func isOf(name string, rev *mcp.Revision) bool {
	return name == "all" || name == "legacy" && !rev.Modern || name == "modern" && rev.Modern || name == rev.Version
}

var (
	firstLine  = regexp.MustCompile(`^(?:@(\S+) )?(>|<|handshake|abort|wait|change|update|release|shutdown|close)(?: (.*))?$`)
	headerLine = regexp.MustCompile(`^([-+]?)([A-Za-z][A-Za-z-]*)(?:: ?(.*))?$`)
)

func parseSteps(text string, line int) (steps []step, err error) {
	for textLine := range strings.Lines(text) {
		textLine = strings.TrimSuffix(textLine, "\n")
		switch m := firstLine.FindStringSubmatch(textLine); {
		case textLine == "" || strings.HasPrefix(textLine, "#"):
		case m != nil:
			steps = append(steps, step{line: line, guard: m[1], verb: m[2], text: m[3]})
		case len(steps) == 0:
			return nil, fmt.Errorf("line %d belongs to no step", line)
		default:
			last := &steps[len(steps)-1]
			h := headerLine.FindStringSubmatch(textLine)
			if h != nil && len(last.body) == 0 && (h[1] == "-" || strings.Contains(textLine, ":")) {
				last.headers = append(last.headers, [2]string{h[1] + h[2], h[3]})
			} else {
				last.body = append(last.body, textLine)
			}
		}
		line++
	}
	return steps, nil
}

func (s *step) appliesTo(rev *mcp.Revision) bool {
	if s.guard == "" {
		return true
	}
	for name := range strings.SplitSeq(s.guard, ",") {
		if isOf(name, rev) {
			return true
		}
	}
	return false
}
