package sourcecode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/sourcecode"
)

// 6.2(8): constants and variables are no functions, and those of Go that something
// is written about are public names; tags of comments are not read as text.
func TestValues(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       map[string]sourcecode.Kind
	}{
		{"pipe.go", "package pipe\n\n// ErrPipe says that the other end is gone.\nvar ErrPipe = errors.New(\"gone\")\n\n// Sizes.\nconst (\n\t// Small is enough.\n\tSmall = 1\n\tLarge = 2 // Large is for archives.\n\tbare = 3\n\tMute = 4\n)\n",
			map[string]sourcecode.Kind{"ErrPipe": sourcecode.Value, "Small": sourcecode.Value, "Large": sourcecode.Value}},
		{"a.js", "export const VERSION = '1.2.0'\nexport const parse = (text) => text\nexport const wrap = async function () {}\nconst limits = { most: 3 }\nexport { limits }\n",
			map[string]sourcecode.Kind{"VERSION": sourcecode.Value, "parse": sourcecode.Function, "wrap": sourcecode.Function, "limits": sourcecode.Value}},
		{"b.ts", "export const most: number = 3\n/** Tells. */\nexport class Jester {\n  /** Starts telling. @returns {void} */\n  start() {}\n}\n",
			map[string]sourcecode.Kind{"most": sourcecode.Value, "Jester": sourcecode.Class, "Jester.start": sourcecode.Method}},
	} {
		file, err := sourcecode.Scan(test.name, test.text)
		got := map[string]sourcecode.Kind{}
		for _, symbol := range file.Symbols {
			got[symbol.Full()] = symbol.Kind
			if symbol.Full() == "Jester.start" && symbol.Doc.Text != "Starts telling." {
				t.Errorf("%s: %q", test.name, symbol.Doc.Text)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", test.name, err, diff)
		}
	}
}
