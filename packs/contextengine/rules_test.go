package contextengine_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// rules is how many the contract numbers of each kind, in sections 8 to 11.
var rules = map[string]int{
	"ERR": 10, "SRV": 4, "RPC": 17, "MCP": 10, "TOOL": 3, "RES": 5, "LIST": 7, "INS": 9, "LIM": 8, "SEC": 9,
}

// TestEveryRuleHasATest finds the rules in the names of tests, conversations and
// scripts.
func TestEveryRuleHasATest(t *testing.T) {
	named := map[string]bool{}
	for _, root := range []string{".", "../../cmd/mcp-context-server"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			for _, rule := range rulesIn(path, string(text)) {
				named[rule] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for kind, count := range rules {
		for n := 1; n <= count; n++ {
			rule := fmt.Sprintf("%s-%d", kind, n)
			if !named[rule] {
				t.Errorf("%s has no test", rule)
			}
			delete(named, rule)
		}
	}
	for rule := range named {
		t.Errorf("there is no %s", rule)
	}
}

var (
	// func TestLIM5LIM6TimedOutCallIsAnsweredOnce
	testName = regexp.MustCompile(`(?m)^func (?:Test|Fuzz)(\w+)`)
	inName   = regexp.MustCompile(`(ERR|SRV|RPC|MCP|TOOL|RES|LIST|INS|LIM|SEC)([0-9]+)`)
	// -- RPC-8 ids are echoed/client --
	// # SRV-1: the root is required
	caseName = regexp.MustCompile(`(?m)^(?:-- |# ).*`)
	inCase   = regexp.MustCompile(`\b(ERR|SRV|RPC|MCP|TOOL|RES|LIST|INS|LIM|SEC)-([0-9]+)\b`)
)

// rulesIn returns the rules that a file names.
func rulesIn(path, text string) (found []string) {
	names, rule := testName, inName
	if filepath.Ext(path) == ".txtar" {
		names, rule = caseName, inCase
	} else if !strings.HasSuffix(path, "_test.go") {
		return nil
	}
	for _, name := range names.FindAllString(text, -1) {
		for _, parts := range rule.FindAllStringSubmatch(name, -1) {
			found = append(found, parts[1]+"-"+parts[2])
		}
	}
	return found
}
