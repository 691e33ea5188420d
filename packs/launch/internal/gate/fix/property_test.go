package fix_test

import (
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/fix"
	"mcpworks/packs/launch/internal/gate/gatetest"
)

// Whatever is on a page, no gate crashes, and what rules plan fits the page and
// brings no claim that is not in its plan.
func TestAnythingOnAPage(t *testing.T) {
	pieces := []string{
		"\n", "\n\n", " ", "\t", "- ", "* ", "1. ", "> ", "#", "## ", "#### X\n", "```", "```python\n", "~~~\n", "    ", "---\n", "+++\n", "{", "|", "`", "[", "](", ")", "<!--", "-->",
		"[a](/gone/)", "[b](#gone)", "![c](../d.png)", "<e@f.example>", "<script>", "{{ x }}", "__PRODUCT_NAME__", "__NO__", "title: x\n", "[claim: 1]", "<!-- claim: 2 -->",
		gatetest.Line("step"), gatetest.Line("feature"), gatetest.Texts["step"], "Acme Tool supports PDF.", "acme TOOL", gatetest.Code, "npm install x", "pip install acme-tool",
		"## Installation\n", "é", "\u202e", "\r\n", "https://github.com/evil/acme-tool", "[r](https://github.com/evil/acme-tool)",
	}
	good := gatetest.New(t, "prod")
	drafts := maps.Clone(good.Site)
	rapid.Check(t, func(rt *rapid.T) {
		run := *good
		run.Site = maps.Clone(drafts)
		made := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 30).Draw(rt, "pieces"), "")
		file := rapid.SampledFrom([]string{gatetest.Guide, gatetest.Overview, gatetest.Index}).Draw(rt, "file")
		cut := rapid.IntRange(0, len(run.Site[file])).Draw(rt, "cut")
		run.Site[file] = run.Site[file][:cut] + made + run.Site[file][cut:]
		in := run.Input()
		v, report := validate(t, in)
		for _, i := range report.Issues {
			if i.Code == gate.CodeCrash {
				rt.Fatalf("%+v", i)
			}
			patches, err := fix.Patches(v, i, drafts)
			if err != nil || len(patches) == 0 || has(report.Issues, gate.CodeUnexplained) {
				continue
			}
			claimsOnly(t, v, applied(t, &run, in, patches))
			if t.Failed() {
				rt.Fatalf("%+v on\n%s", i, run.Site[file])
			}
		}
	})
}
