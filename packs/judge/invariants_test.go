package judge_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// invariants is how many the contract numbers (section 12).
const invariants = 60

// TestEveryInvariantHasATest finds the numbers in the names of tests, and in
// the comments of cases and scripts. Those that are parked do not count.
func TestEveryInvariantHasATest(t *testing.T) {
	where := map[int][]string{}
	for _, root := range []string{".", "../../cmd/oj-mcp-rs"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "open":
				return fs.SkipDir
			case d.IsDir():
				return nil
			}
			text, err := os.ReadFile(path)
			for _, n := range named(path, string(text)) {
				where[n] = append(where[n], path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for n := 1; n <= invariants; n++ {
		if len(where[n]) == 0 {
			t.Errorf("no test names invariant %d", n)
		}
		delete(where, n)
	}
	for n, paths := range where {
		t.Errorf("%q name invariant %d, of %d", slices.Compact(paths), n, invariants)
	}
}

var (
	// func TestInvariant31DayDoesNotFollowTheMachine
	// func TestInvariants16And17ToolsAndTheirArguments
	testName = regexp.MustCompile(`(?m)^func (?:Test|Fuzz)\w*?Invariants?([0-9]+)(?:And([0-9]+))?`)
	// # inv. 9, 26: not JSON, so not parsed
	caseComment = regexp.MustCompile(`(?m)^# inv\. ([0-9]+(?:, [0-9]+)*)`)
)

// named returns the invariants that a file names.
func named(path, text string) (numbers []int) {
	pattern := caseComment
	if strings.HasSuffix(path, "_test.go") {
		pattern = testName
	} else if filepath.Ext(path) != ".txtar" {
		return nil
	}
	for _, groups := range pattern.FindAllStringSubmatch(text, -1) {
		for _, list := range groups[1:] {
			for digits := range strings.SplitSeq(list, ", ") {
				if n, err := strconv.Atoi(digits); err == nil {
					numbers = append(numbers, n)
				}
			}
		}
	}
	return numbers
}
