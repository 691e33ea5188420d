package plan

import (
	"testing"

	"mcpworks/packs/launch/internal/artifact"
)

// 6.4(7): code that only declares is no example; code that brings what it uses is
// the best.
func TestStanding(t *testing.T) {
	p := &planner{stands: map[string]int{}, in: Inputs{Facts: artifact.ProductFacts{APISurface: artifact.APISurface{Classes: []string{"Book"}, Functions: []string{"New", "load"}}}}}
	for code, want := range map[string]int{
		"type Purchase struct {\n\tCents int64\n}":                       declares,
		"import (\n\t\"x.example/tally\"\n)":                             declares,
		"func init() {\n\tdebug = true\n}":                               declares,
		"fmt.Println(1)":                                                 acts,
		"book := tally.New(\"a\")\nfmt.Println(book)":                    uses,
		"from pebble import load\n\nsettings = load(\"app.peb\")":        whole,
		"const { load } = require('pebble');\nconsole.log(load('x'));":   whole,
		"package main\n\nfunc main() {\n\tbook := tally.New(\"a\")\n}\n": whole,
	} {
		snippet := artifact.Snippet{ID: code, Language: "any", Code: code}
		if want == whole {
			snippet.Requirements.Dependencies = []string{"pebble"}
		}
		if got := p.standing(snippet); got != want {
			t.Errorf("%q stands at %d, want %d", code, got, want)
		}
	}
	if got := p.standing(artifact.Snippet{ID: "x", Language: "bash", Code: "pebble a.peb"}); got != acts {
		t.Errorf("a command stands at %d", got)
	}
}
