package launch_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// later are the statements of the contract that no test can decide yet, because
// what they are about is not there. A test that names one of them has to be
// followed by taking it off this list.
var later = map[string]string{
	"S-19": "foss-launcher-mcp does not serve HTTP",
	"S-40": "foss-launcher-mcp does not serve HTTP",
	"R-15": "there is no language model",
}

// The last statement of each kind (16.1, 16.2).
var lastNumbers = map[string]int{"S": 52, "R": 20}

var (
	numberForm = regexp.MustCompile(`\b[SR]-[0-9]+\b`)
	nameForm   = regexp.MustCompile(`^Test([SR])([0-9]+)($|[A-Z])`)
	testForm   = regexp.MustCompile("`(Test[A-Za-z0-9]+|Fuzz[A-Za-z0-9]+)`")
)

// eachTestFile goes through the test files of the launcher, and of its program.
func eachTestFile(t *testing.T, each func(name string, file *ast.File)) {
	t.Helper()
	for _, folder := range []string{".", "../../cmd/foss-launcher-mcp"} {
		err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err == nil {
				each(name, file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// numbersIn are the statements that functions of a file are named for, or that
// their comments name. Comments elsewhere prove nothing.
func numbersIn(file *ast.File) map[string][]string {
	found := map[string][]string{}
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if name := nameForm.FindStringSubmatch(function.Name.Name); name != nil {
			number := name[1] + "-" + name[2]
			found[number] = append(found[number], function.Name.Name)
		}
		from := function.Pos()
		if function.Doc != nil {
			from = function.Doc.Pos()
		}
		for _, group := range file.Comments {
			if group.Pos() < from || group.End() > function.End() {
				continue
			}
			for _, number := range numberForm.FindAllString(group.Text(), -1) {
				found[number] = append(found[number], function.Name.Name)
			}
		}
	}
	return found
}

// S-52: every statement has a test that names it, or a reason why not.
func TestS52EveryStatementHasATest(t *testing.T) {
	named := map[string][]string{}
	eachTestFile(t, func(_ string, file *ast.File) {
		for number, functions := range numbersIn(file) {
			named[number] = append(named[number], functions...)
		}
	})
	for kind, last := range lastNumbers {
		for n := 1; n <= last; n++ {
			number := fmt.Sprintf("%s-%d", kind, n)
			switch reason, postponed := later[number]; {
			case postponed && named[number] != nil:
				t.Errorf("%s is put off (%s), and yet %v names it", number, reason, named[number])
			case !postponed && named[number] == nil:
				t.Errorf("no test names %s", number)
			}
			delete(named, number)
		}
	}
	for number, functions := range named {
		t.Errorf("there is no statement %s, which %v names", number, functions)
	}
}

// S-52: the search finds numbers in names and comments of functions, and nowhere
// else.
func TestS52Search(t *testing.T) {
	const text = "package p\n\n// S-1: of nothing.\n\nvar x = \"S-2\" // S-3\n\n// f shows S-4 and R-5.\nfunc f() {\n\tg() // S-6\n\tg(\"S-7\")\n}\n\n// S-8 is of g.\nfunc g() {}\n\nfunc TestR9Nine() {}\n"
	file, err := parser.ParseFile(token.NewFileSet(), "p_test.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(numbersIn(file))
	if want := "map[R-5:[f] R-9:[TestR9Nine] S-4:[f] S-6:[f] S-8:[g]]"; got != want {
		t.Errorf("found %s", got)
	}
}

// practices are the best practices of the contract, by the words that the page
// for operators lists them under.
var practices = []string{
	"SIGTERM and SIGINT", "Concurrent calls", "Locks per run", "Request timeout",
	"Arguments against JSON Schema", "Invalid params", "Path traversal", "Form of run ids",
	"Retryable and other errors", "error_code in every error", "Stack traces", "MCP_TOOL_FAILED",
	"allowed_paths", "No absolute paths", "Redaction", "HTTP with TLS and a bearer token", "Rate limit",
	"Cache", "Large artifacts", "Pages of runs", "Disconnect",
	"Every call in telemetry", "Metrics", "Structured logs",
	"One version", "Version negotiation", "Deprecated names", "Breaking changes in the release notes",
}

// S-52: the page for operators lists every best practice with the tests that
// prove it, and these tests exist.
func TestS52OperationsPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	existing := map[string]bool{}
	eachTestFile(t, func(_ string, file *ast.File) {
		for _, declaration := range file.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok {
				existing[function.Name.Name] = true
			}
		}
	})
	var listed []string
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		tests := testForm.FindAllStringSubmatch(line, -1)
		for _, test := range tests {
			if !existing[test[1]] {
				t.Errorf("there is no test %s", test[1])
			}
		}
		if len(cells) != 3 || !slices.Contains(practices, cells[0]) {
			continue
		}
		listed = append(listed, cells[0])
		if cells[1] == "" || len(tests) == 0 && !strings.HasPrefix(cells[2], "later: ") {
			t.Errorf("%s has no setting, or no test: %q", cells[0], line)
		}
	}
	for _, practice := range practices {
		if !slices.Contains(listed, practice) {
			t.Errorf("nothing is said about %q", practice)
		}
	}
	if len(listed) != len(practices) {
		t.Errorf("%d practices are listed, there are %d", len(listed), len(practices))
	}
}
