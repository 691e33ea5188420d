package gate_test

import (
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/gatetest"
	"mcpworks/packs/launch/internal/issue"
)

// 10.1, 10.2: what stands in code is no token, link or tag of the page, wherever the
// code stands and however it is marked; in a fence it is no statement either.
func TestShortcodesInCode(t *testing.T) {
	const code = "{{< rawhtml >}}<script>x()</script> [gone](/docs/gone/) __TOKEN__ {{% note %}}"
	const said = code + " Acme Tool supports everything there is."
	for name, text := range map[string]string{
		"fence":          "```html\n" + said + "\n```",
		"tildes":         "~~~\n" + said + "\n~~~",
		"fence in list":  "1. First:\n\n   ```html\n   " + said + "\n   ```",
		"fence in quote": "> ```html\n> " + said + "\n> ```",
		"longer fence":   "````md\n```\n" + said + "\n```\n````",
		"several lines":  "```html\n{{< tabs >}}\n\n{{</* tab \"x\" */>}}\n# " + said + "\n{{< /tabs >}}\n```",
		"indented":       "    " + code,
		"span":           "See `" + code + "` there.",
	} {
		r := gatetest.New(t, "ci")
		r.Site[gatetest.Guide] = strings.Replace(r.Site[gatetest.Guide], "## Tasks", "## Tasks\n\n"+text, 1)
		if !strings.Contains(r.Site[gatetest.Guide], text) {
			t.Fatal("the page has no such heading")
		}
		report, err := gate.Only(t.Context(), gate.NewView(r.Input()), gate.TemplateTokens, gate.XSS, gate.InternalLinks, gate.Truthlock, gate.MarkdownLint, gate.Navigation, gate.Consistency)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range report.Issues {
			if i.Severity != issue.Info {
				t.Errorf("%s: %s %s", name, i.Code, i.Message)
			}
		}
	}
}
