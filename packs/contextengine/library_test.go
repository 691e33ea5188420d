package contextengine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/packs/contextengine"
)

// The text of the tool is what the command prints.
func TestRES4ToolAndCommandSayTheSame(t *testing.T) {
	root := newRoot(t)
	for _, query := range []string{"", "guide.", "Deployment GUIDE.", "none", "\u2028 \"quoted\""} {
		for _, budget := range []int64{0, 1, 7, 10, 17, 1 << 62} {
			q := contextengine.Query{Text: query, Budget: budget}
			compact, err := contextengine.Resolve(t.Context(), filepath.Join(root, "handbook"), q)
			if err != nil {
				t.Fatal(err)
			}
			r := openModern(t, contextengine.Config{Root: root}, "2025-06-18").call("context.resolve", arguments(q))
			if got, _ := frozen(t, contextengine.Config{Root: root}, "context.resolve", arguments(q)); got != string(compact)+"\n" || r.text() != got {
				t.Errorf("%+v: the tool says %s, %s\nthe command %s", q, got, r.text(), compact)
			}
		}
	}
}

// arguments writes a query as a call has it.
func arguments(q contextengine.Query) string {
	o := rawjson.Begin(nil)
	o.String("cache", "handbook")
	o.String("query", q.Text)
	o.Int("budget", q.Budget)
	return string(o.End())
}

func TestLibraryRefusesBadQueries(t *testing.T) {
	cache := filepath.Join(newRoot(t), "handbook")
	for name, test := range map[string]struct {
		dir   string
		query contextengine.Query
		code  contextengine.Code
	}{
		"query not UTF-8":   {cache, contextengine.Query{Text: "\xff"}, contextengine.InvalidQuery},
		"negative budget":   {cache, contextengine.Query{Budget: -1}, contextengine.InvalidBudget},
		"unknown ranking":   {cache, contextengine.Query{Ranking: "best"}, contextengine.InternalError},
		"no cache":          {cache + "x", contextengine.Query{}, contextengine.CacheMissing},
		"not a cache":       {filepath.Dir(cache), contextengine.Query{}, contextengine.CacheInvalid},
		"query goes first":  {cache + "x", contextengine.Query{Text: "\xff", Budget: -1}, contextengine.InvalidQuery},
		"budget goes first": {cache + "x", contextengine.Query{Budget: -1}, contextengine.InvalidBudget},
	} {
		if text, err := contextengine.Resolve(t.Context(), test.dir, test.query); contextengine.CodeOf(err) != test.code || text != nil {
			t.Errorf("%s: %s, %v, want %s", name, text, err, string(test.code))
		}
	}
}

func TestInspectVerifyAndList(t *testing.T) {
	root := newRoot(t)
	cache := filepath.Join(root, "handbook")
	inspection, err := contextengine.Inspect(t.Context(), cache)
	if err != nil || !strings.HasSuffix(string(inspection), `,"valid":true}`) {
		t.Fatalf("inspecting says %s, %v", inspection, err)
	}
	problems, summary, err := contextengine.Verify(t.Context(), cache)
	if want := strings.TrimSuffix(string(inspection), "}") + `,"problems":0}`; err != nil || len(problems) != 0 || string(summary) != want {
		t.Errorf("verifying says %q, %s, %v", problems, summary, err)
	}
	write(t, filepath.Join(cache, "documents", "stray.json"), "{}")
	if err := os.Remove(filepath.Join(cache, "index.json")); err != nil {
		t.Fatal(err)
	}
	problems, summary, err = contextengine.Verify(t.Context(), cache)
	if err != nil || len(problems) != 2 || !strings.HasSuffix(string(summary), `,"valid":false,"problems":2}`) {
		t.Errorf("verifying says %q, %s, %v", problems, summary, err)
	}
	if _, _, err := contextengine.Verify(t.Context(), root); contextengine.CodeOf(err) != contextengine.CacheInvalid {
		t.Errorf("verifying what is no cache: %v", err)
	}
	if list, err := contextengine.List(root); err != nil || string(list) != `{"caches":[{"path":"handbook","has_manifest":true}]}` {
		t.Errorf("listing says %s, %v", list, err)
	}
	if _, err := contextengine.List(root + "x"); contextengine.CodeOf(err) != contextengine.CacheMissing {
		t.Errorf("listing nothing: %v", err)
	}
}

func TestDiff(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	build(t, at("old"), map[string]string{"a.md": "a", "b.md": "b", "d.md": "d", "z.md": "z"})
	build(t, at("new"), map[string]string{"b.md": "b", "c.md": "c", "d.md": "D", "e.md": "e"})
	build(t, at("none"), nil)
	for _, test := range []struct{ from, to, want string }{
		{"old", "new", `{"added":["c.md","e.md"],"removed":["a.md","z.md"],"changed":["d.md"],"unchanged":1}`},
		{"new", "old", `{"added":["a.md","z.md"],"removed":["c.md","e.md"],"changed":["d.md"],"unchanged":1}`},
		{"old", "old", `{"added":[],"removed":[],"changed":[],"unchanged":4}`},
		{"none", "old", `{"added":["a.md","b.md","d.md","z.md"],"removed":[],"changed":[],"unchanged":0}`},
		{"none", "none", `{"added":[],"removed":[],"changed":[],"unchanged":0}`},
	} {
		if got, err := contextengine.Diff(t.Context(), at(test.from), at(test.to)); err != nil || string(got) != test.want {
			t.Errorf("from %s to %s: %s, %v", test.from, test.to, got, err)
		}
	}
	for _, pair := range [][2]string{{"old", "nowhere"}, {"nowhere", "old"}} {
		if _, err := contextengine.Diff(t.Context(), at(pair[0]), at(pair[1])); contextengine.CodeOf(err) != contextengine.CacheMissing || !strings.Contains(err.Error(), at("nowhere")) {
			t.Errorf("from %s to %s: %v", pair[0], pair[1], err)
		}
	}
}

func TestBuildNamesItsTime(t *testing.T) {
	sources, output := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	write(t, filepath.Join(sources, "a.md"), "a")
	zone := time.FixedZone("east", 3600)
	for _, test := range []struct {
		at   time.Time
		want string
	}{
		{time.Unix(0, 0), `"created_at": "1970-01-01T00:00:00Z"`},
		{time.Date(2026, 1, 2, 3, 4, 5, 670_000_000, zone), `"created_at": "2026-01-02T02:04:05.67Z"`},
		{time.Time{}, `"created_at": "2`}, // now
	} {
		report, err := contextengine.Build(t.Context(), contextengine.BuildOptions{Sources: sources, Cache: output, Force: true, CreatedAt: test.at})
		if err != nil || report.Documents != 1 || !strings.HasPrefix(report.CacheVersion, "sha256:") {
			t.Fatalf("built %+v, %v", report, err)
		}
		manifest, err := os.ReadFile(filepath.Join(output, "manifest.json"))
		if err != nil || !strings.Contains(string(manifest), test.want) {
			t.Errorf("%v: the manifest is %s, %v", test.at, manifest, err)
		}
	}
	for _, year := range []int{-1, 10_000} {
		at := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		if _, err := contextengine.Build(t.Context(), contextengine.BuildOptions{Sources: sources, Cache: output + "x", CreatedAt: at}); err == nil {
			t.Errorf("a cache of the year %d was built", year)
		}
	}
}

func TestPretty(t *testing.T) {
	if got := string(contextengine.Pretty([]byte(`{"a":[],"b":{"c":1}}`))); got != "{\n  \"a\": [],\n  \"b\": {\n    \"c\": 1\n  }\n}" {
		t.Errorf("pretty is %s", got)
	}
}
