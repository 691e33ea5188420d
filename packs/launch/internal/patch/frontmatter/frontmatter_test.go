package frontmatter

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// 9.3: only the named keys change; comments and order stay.
func TestEdit(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		updates map[string]any
		want    string
	}{
		"yaml: one value among comments": {
			"---\n# head\ntitle: \"Old\" # keep me\n\n# about weight\nweight: 5\ntags: [a, b]\n# the end\n---\nbody\n",
			map[string]any{"title": "New: one"},
			"---\n# head\ntitle: 'New: one' # keep me\n\n# about weight\nweight: 5\ntags: [a, b]\n# the end\n---\nbody\n",
		},
		"yaml: blocks are replaced as a whole": {
			"---\ntags:\n- a\n# of c\n- c\nsummary: |\n  # not a comment\n\n  text\n\nlast: 1\n---\n",
			map[string]any{"tags": []any{"x", "y"}, "summary": "short"},
			"---\ntags:\n  - x\n  - \"y\"\nsummary: short\n\nlast: 1\n---\n",
		},
		"yaml: new keys at the end": {
			"---\ntitle: x\n---\n# Body\n", map[string]any{"weight": json.Number("20"), "draft": false, "params": map[string]any{"b": 2.0, "a": "1"}},
			"---\ntitle: x\ndraft: false\nparams:\n  a: \"1\"\n  b: 2\nweight: 20\n---\n# Body\n",
		},
		"yaml: dates are as they are written": {"---\ndate: 2024-01-02\n---\n", map[string]any{"date": "2024-01-02"}, "---\ndate: 2024-01-02\n---\n"},
		"yaml: empty":                         {"---\n---\nx\n", map[string]any{"a": "b"}, "---\na: b\n---\nx\n"},
		"yaml: only comments":                 {"---\n# c\n---\nx\n", map[string]any{"a": "b"}, "---\n# c\na: b\n---\nx\n"},
		"toml: above the tables": {
			"+++\n# head\ntitle = \"Old # no\" # keep\ntags = [\n  \"a\", # in\n  \"b\"\n]\n\n# params\n[params]\ntitle = \"other\"\n+++\nbody\n",
			map[string]any{"title": "New", "weight": 10, "tags": []string{"c"}},
			"+++\n# head\ntitle = 'New' # keep\ntags = ['c']\nweight = 10\n\n# params\n[params]\ntitle = \"other\"\n+++\nbody\n",
		},
		"toml: only tables": {"+++\n[a]\nb = 1\n+++\n", map[string]any{"x": true}, "+++\nx = true\n[a]\nb = 1\n+++\n"},
		"toml: dates":       {"+++\ndate = 2024-01-02\n+++\n", map[string]any{"date": "2024-01-02"}, "+++\ndate = 2024-01-02\n+++\n"},
		"json: in place":    {"{\n  \"b\": {\"title\": 1},\n  \"title\": \"Old\",\n  \"a\": [1, 2]\n}\n\nbody\n", map[string]any{"title": "<New>"}, "{\n  \"b\": {\"title\": 1},\n  \"title\": \"<New>\",\n  \"a\": [1, 2]\n}\n\nbody\n"},
		"json: new keys":    {"{\n  \"a\": 1\n}\nbody\n", map[string]any{"z": 1, "c": []any{"x"}}, "{\n  \"a\": 1,\n  \"c\": [\"x\"],\n  \"z\": 1\n}\nbody\n"},
		"json: empty":       {"{}\nbody\n", map[string]any{"z": 1}, "{\n  \"z\": 1\n}\nbody\n"},
		"same values":       {"---\nweight: 10\nx: [a, {b: 1.50}]\n---\n", map[string]any{"weight": 10.0, "x": []any{"a", map[string]any{"b": 1.5}}}, "---\nweight: 10\nx: [a, {b: 1.50}]\n---\n"},
	} {
		got, err := Edit(c.text, c.updates)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if again, err := Edit(got, c.updates); err != nil || again != got {
			t.Errorf("%s: a second edit changes it: %v\n%s", name, err, cmp.Diff(got, again))
		}
	}
}

// What cannot be edited without a change elsewhere is refused.
func TestEditRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		updates map[string]any
		want    error
	}{
		"no settings":              {"# Title\n", map[string]any{"a": 1}, ErrMissing},
		"a shortcode":              {"{{< x >}}\n", map[string]any{"a": 1}, ErrMissing},
		"json with a tail":         {"{\"a\": 1} text\n", map[string]any{"a": 2}, ErrMissing},
		"no end":                   {"---\ntitle: x\n", map[string]any{"a": 1}, ErrUnclosed},
		"an anchor used elsewhere": {"---\na: &x 1\nb: *x\n---\n", map[string]any{"a": 2}, ErrUnsupported},
		"a flow table":             {"---\n{a: 1}\n---\n", map[string]any{"a": 2}, ErrUnsupported},
		"dotted keys":              {"+++\na.b = 1\n+++\n", map[string]any{"a": 2}, ErrUnsupported},
		"a table":                  {"+++\n[a]\nb = 1\n+++\n", map[string]any{"a": 2}, ErrUnsupported},
		"null":                     {"---\na: 1\n---\n", map[string]any{"a": nil}, ErrUnsupported},
		"too large":                {"---\n" + strings.Repeat("a: b\n", MaxSize) + "---\n", map[string]any{"a": 1}, ErrTooLarge},
	} {
		if got, err := Edit(c.text, c.updates); !errors.Is(err, c.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, bad := range []string{"---\na: [\n---\n", "---\n- a\n---\n", "---\na: 1\na: 2\n---\n", "+++\na = \n+++\n"} {
		if got, err := Edit(bad, map[string]any{"a": 1}); err == nil {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

func TestBody(t *testing.T) {
	for _, text := range []string{"---\na: 1\n---\nbody\n", "+++\na = 1\n+++\nbody\n", "{\"a\": 1}\nbody\n"} {
		page, err := Split(text)
		if err != nil || page.Body() != "body\n" {
			t.Errorf("%q: %q, %v", text, page.Body(), err)
		}
	}
}

// Any edit that is not refused has its effect, keeps all other lines of comments
// and the body, and is done when it was done once.
func TestEditKeepsItsPromises(t *testing.T) {
	line := rapid.SampledFrom([]string{"a: 1", "b: text # of b", "# alone", "", "c:\n  - x\n  # in c\n  - y", "d: |\n  t\n\n  # t", "e: {x: 1}", "f: \"#\"", "g: 2024-01-01"})
	value := rapid.SampledFrom([]any{"x", "# no comment", "a: b", "many\nlines\n", 1.0, 1.5, true, []any{"p", 1.0}, map[string]any{"k": []any{"v"}}, "", " ", "2024-01-01", "null", "---"})
	key := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g", "new", "k: l", "#"})
	rapid.Check(t, func(t *rapid.T) {
		text := "---\n" + strings.Join(rapid.SliceOfNDistinct(line, 0, 6, rapid.ID[string]).Draw(t, "lines"), "\n") + "\n---\n\n# Body\n"
		updates := rapid.MapOfN(key, value, 0, 3).Draw(t, "updates")
		got, err := Edit(text, updates)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		values, err := Values(got)
		if err != nil {
			t.Fatal(err)
		}
		for key, want := range updates {
			if !Equal(values[key], want) {
				t.Fatalf("%q is %v, want %v", key, values[key], want)
			}
		}
		if strings.Contains(text, "# alone\n") && !strings.Contains(got, "# alone\n") || strings.Contains(text, "# of b") && !strings.Contains(got, "# of b") {
			t.Fatalf("a comment is lost: %q", got)
		}
		if !strings.HasSuffix(got, "---\n\n# Body\n") {
			t.Fatalf("the body is %q", got)
		}
		if again, err := Edit(got, updates); err != nil || again != got {
			t.Fatalf("again: %q, %v", again, err)
		}
	})
}

func FuzzEdit(f *testing.F) {
	for _, seed := range []string{"---\na: 1\n---\nx", "+++\na = 1\n[b]\n+++\n", "{\"a\": 1}\n", "---\na: &x [1]\nb: *x\n---\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Edit(text, map[string]any{"a": "new", "z": 1})
		if err != nil {
			return
		}
		if again, err := Edit(got, map[string]any{"a": "new", "z": 1}); err != nil || again != got {
			t.Fatalf("%q, then %q, %v", got, again, err)
		}
	})
}
