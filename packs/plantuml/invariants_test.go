package plantuml_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// invariants is how many the contract numbers (section 14).
const invariants = 29

// TestEveryInvariantHasATest finds the numbers in the names of tests and of
// files with cases.
func TestEveryInvariantHasATest(t *testing.T) {
	where := map[int]string{}
	for _, root := range []string{".", "../../cmd/plantuml-mcp"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			numbers, err := named(path)
			for _, n := range numbers {
				where[n] = path
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for n := 1; n <= invariants; n++ {
		if where[n] == "" {
			t.Errorf("no test names invariant %d", n)
		}
		delete(where, n)
	}
	for n, path := range where {
		t.Errorf("%s names invariant %d, of %d", path, n, invariants)
	}
}

var (
	// func TestInvariant25NoCallChangesALaterOne
	// func TestInvariants6To9And11EveryReply
	testName = regexp.MustCompile(`(?m)^func (?:Test|Fuzz)Invariants?((?:(?:To|And)?[0-9]+)+)`)
	// testdata/http/inv-04-unknown-tool.txtar
	fileName = regexp.MustCompile(`^inv-([0-9]+)-.*\.txtar$`)
	span     = regexp.MustCompile(`([0-9]+)(?:To([0-9]+))?`)
)

// named returns the invariants that a file names.
func named(path string) (numbers []int, err error) {
	if match := fileName.FindStringSubmatch(filepath.Base(path)); match != nil {
		n, err := strconv.Atoi(match[1])
		return []int{n}, err
	}
	if !strings.HasSuffix(path, "_test.go") {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	for _, name := range testName.FindAllStringSubmatch(string(text), -1) {
		for _, ends := range span.FindAllStringSubmatch(name[1], -1) {
			first, _ := strconv.Atoi(ends[1])
			last, _ := strconv.Atoi(ends[2])
			for n := first; n <= max(first, last); n++ {
				numbers = append(numbers, n)
			}
		}
	}
	return numbers, err
}
