package selection_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
	"mcpworks/packs/contextengine/internal/canonical"
	"mcpworks/packs/contextengine/internal/document"
	"mcpworks/packs/contextengine/internal/selection"

	"github.com/google/go-cmp/cmp"
)

// fixtures lie beside the repository, in which nothing of them is copied.
const fixtures = "../../../../../shared/fixtures/context"

// ofTheFace are the fixtures that only the server's MCP face can give.
var ofTheFace = []string{
	"compat/schemas/mcp_error.schema.json",
	"compat/v0/expected/mcp_error_cache_missing.json",
	"server-golden/expected/error_cache_invalid.json",
	"server-golden/expected/error_cache_missing.json",
	"server-golden/expected/error_permission_denied.json",
	"server-golden/expected/mcp_resolve_basic.json",
}

// inputs are what fixtures are made from, and say nothing of what comes out.
var inputs = []string{
	"README.md", "server-golden/fixtures/docs/", "server-golden/fixtures/cache_root/", "server-golden/fixtures/cache_corrupt/",
	"server-golden/fixtures/cache_valid/index.json",
	"compat/v0/documents/",
}

// A golden run knows which fixtures it has seen.
type golden struct {
	*testing.T
	seen map[string]bool
}

func (g *golden) path(name string) string { return filepath.Join(fixtures, filepath.FromSlash(name)) }

func (g *golden) read(name string) []byte {
	g.Helper()
	text, err := os.ReadFile(g.path(name))
	cachetest.Must(g, err)
	g.seen[name] = true
	return text
}

// compare is byte for byte, but for one newline at the end.
func (g *golden) compare(name string, got []byte) {
	g.Helper()
	if diff := cmp.Diff(chomped(g.read(name)), chomped(got)); diff != "" {
		g.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func chomped(text []byte) string { return string(bytes.TrimSuffix(text, []byte("\n"))) }

// TestGolden compares with every file of the map in section 16 that says
// something of this layer.
func TestGolden(t *testing.T) {
	if _, err := os.Stat(fixtures); err != nil {
		t.Skipf("the folder shared/fixtures/context is not beside the repository: %v", err)
	}
	g := &golden{t, map[string]bool{}}
	g.built()
	g.rewritten()
	g.resolved()
	g.inspected()
	g.schemas()
	g.account()
}

// built makes caches from sources: DOC-3 to DOC-5, CACHE-1 to CACHE-10.
func (g *golden) built() {
	m, documents := g.build("server-golden/fixtures/docs", "1970-01-01T00:00:00Z")
	g.compare("server-golden/expected/build_manifest.json", m.AppendManifest(nil))
	g.compare("server-golden/fixtures/cache_valid/manifest.json", m.AppendManifest(nil))
	for name, text := range documents {
		g.compare("server-golden/fixtures/cache_valid/"+name, text)
	}
	for _, name := range []string{"minimal", "realistic"} {
		folder := "compat/v0/caches/" + name + "/"
		was, err := cache.ParseManifest(g.read(folder + "manifest.json"))
		cachetest.Must(g, err)
		m, documents := g.build("compat/v0/documents/"+name, was.CreatedAt)
		g.compare(folder+"manifest.json", m.AppendManifest(nil))
		g.compare(folder+"index.json", m.AppendIndex(nil))
		for name, text := range documents {
			g.compare(folder+name, text)
		}
	}
}

func (g *golden) build(sources, createdAt string) (*cache.Manifest, map[string][]byte) {
	files, err := os.ReadDir(g.path(sources))
	cachetest.Must(g, err)
	m := &cache.Manifest{CreatedAt: createdAt}
	documents := map[string][]byte{}
	for _, file := range files {
		content := string(g.read(sources + "/" + file.Name()))
		id, err := document.ID(file.Name())
		cachetest.Must(g, err)
		d := document.Document{ID: id, Version: document.VersionOf([]byte(content)), Source: file.Name(), Content: content}
		entry := cache.Entry{ID: id, Version: d.Version}
		m.Entries = append(m.Entries, entry)
		documents[entry.File()] = d.AppendJSON(nil)
	}
	slices.SortFunc(m.Entries, func(a, b cache.Entry) int { return strings.Compare(a.ID, b.ID) })
	m.CacheVersion = cache.VersionOf(m.Entries)
	return m, documents
}

// rewritten writes what was read: what we understand of a cache is all of it.
func (g *golden) rewritten() {
	for _, name := range []string{"server-golden/fixtures/cache_valid", "compat/v0/caches/minimal", "compat/v0/caches/realistic"} {
		c, err := cache.Open(g.path(name))
		cachetest.Must(g, err)
		defer c.Close()
		g.compare(name+"/manifest.json", c.Manifest().AppendManifest(nil))
		if name != "server-golden/fixtures/cache_valid" {
			g.compare(name+"/index.json", c.Manifest().AppendIndex(nil))
		}
		for i := range c.Manifest().Entries {
			d, err := c.Document(i)
			cachetest.Must(g, err)
			g.compare(name+"/"+c.Manifest().Entries[i].File(), d.AppendJSON(nil))
		}
	}
}

func (g *golden) resolved() {
	valid := g.path("server-golden/fixtures/cache_valid")
	g.compare("server-golden/expected/resolve_basic.json", g.resolve(valid, selection.Query{Text: "deployment", Budget: 4000}))
	without := cachetest.Docs{
		"deployment.md": string(g.read("server-golden/fixtures/docs/deployment.md")), "security.md": string(g.read("server-golden/fixtures/docs/security.md")),
	}
	dir := g.TempDir()
	without.Write(g, dir)
	g.compare("server-golden/expected/resolve_zero_budget.json", g.resolve(dir, selection.Query{Text: "deployment"}))
	dir = g.TempDir()
	cachetest.Docs{"a.md": "apple 1", "z.md": "apple 2"}.Write(g, dir)
	g.compare("server-golden/expected/resolve_ordering.json", g.resolve(dir, selection.Query{Text: "apple", Budget: 100}))
	for name, query := range map[string]string{
		"minimal_basic": "basic", "minimal_zero_budget": "zero_budget", "realistic_basic": "basic", "realistic_multi_term": "multi_term",
	} {
		of, _, _ := strings.Cut(name, "_")
		g.compare("compat/v0/expected/"+name+".json", g.resolve(g.path("compat/v0/caches/"+of), g.query(query)))
	}
}

// resolve answers from a scan, and makes sure that an index answers the same.
func (g *golden) resolve(dir string, q selection.Query) []byte {
	g.Helper()
	c, err := cache.Open(dir)
	cachetest.Must(g, err)
	defer c.Close()
	result, err := selection.Scan(g.Context(), c, q)
	cachetest.Must(g, err)
	ix, err := selection.BuildIndex(g.Context(), c, selection.TermFrequency, 1<<20)
	cachetest.Must(g, err)
	indexed, err := ix.Select(g.Context(), c, q)
	cachetest.Must(g, err)
	text := result.AppendJSON(nil)
	if diff := cmp.Diff(string(text), string(indexed.AppendJSON(nil))); diff != "" {
		g.Errorf("%s, %+v (-scan +index):\n%s", dir, q, diff)
	}
	return text
}

func (g *golden) query(name string) selection.Query {
	g.Helper()
	text := g.read("compat/v0/queries/" + name + ".json")
	var q selection.Query
	var ok bool
	if q.Text, ok = rawjson.String(rawjson.Member(text, "query")); !ok {
		g.Fatalf("no query in %s", text)
	}
	if _, err := fmt.Sscan(string(rawjson.Member(text, "budget")), &q.Budget); err != nil {
		g.Fatalf("no budget in %s: %v", text, err)
	}
	return q
}

func (g *golden) inspected() {
	for name, of := range map[string]string{"inspect_valid": "cache_valid", "inspect_invalid": "cache_corrupt"} {
		inspection, err := cache.InspectBelow(g.path("server-golden/fixtures"), of)
		cachetest.Must(g, err)
		g.compare("server-golden/expected/"+name+".json", inspection.AppendJSON(nil))
	}
	listed, err := cache.List(g.path("server-golden/fixtures/cache_root"))
	cachetest.Must(g, err)
	g.compare("server-golden/expected/list_caches.json", cache.AppendList(nil, listed))
	for _, name := range []string{"minimal", "realistic"} {
		inspection, err := cache.Inspect(g.Context(), g.path("compat/v0/caches/"+name))
		cachetest.Must(g, err)
		g.compare("compat/v0/expected/inspect_"+name+".json", canonical.Pretty(inspection.AppendJSON(nil)))
	}
}

// schemas holds outputs to them: SEL-22, INS-9, LIST-7. All five queries have an
// answer on both caches.
func (g *golden) schemas() {
	results := g.schema("selection_result")
	queries, err := os.ReadDir(g.path("compat/v0/queries"))
	cachetest.Must(g, err)
	for _, query := range queries {
		for _, name := range []string{"minimal", "realistic"} {
			g.validate(results, g.resolve(g.path("compat/v0/caches/"+name), g.query(strings.TrimSuffix(query.Name(), ".json"))))
		}
	}
	inspections := g.schema("inspect_output")
	for _, name := range []string{"cache_valid", "cache_corrupt", "cache_root", "cache_root/a-cache"} {
		inspection, err := cache.InspectBelow(g.path("server-golden/fixtures"), name)
		cachetest.Must(g, err)
		g.validate(inspections, inspection.AppendJSON(nil))
	}
	lists := g.schema("list_caches")
	for _, root := range []string{"server-golden/fixtures", "server-golden/fixtures/cache_root", "server-golden/fixtures/docs", "compat/v0/caches"} {
		listed, err := cache.List(g.path(root))
		cachetest.Must(g, err)
		g.validate(lists, cache.AppendList(nil, listed))
	}
}

func (g *golden) schema(name string) *jsonschema.Schema {
	g.Helper()
	schema, err := jsonschema.Compile(g.read("compat/schemas/" + name + ".schema.json"))
	cachetest.Must(g, err)
	return schema
}

func (g *golden) validate(schema *jsonschema.Schema, text []byte) {
	g.Helper()
	value, err := rawjson.Decode(text)
	if err != nil {
		g.Fatalf("%s: %v", text, err)
	}
	if violations := schema.Validate(value); violations != nil {
		g.Errorf("%s: %v", text, violations)
	}
}

// account makes sure that no fixture was forgotten.
func (g *golden) account() {
	total, compared := 0, 0
	cachetest.Must(g, filepath.WalkDir(fixtures, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(fixtures, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case slices.ContainsFunc(inputs, func(input string) bool { return strings.HasPrefix(name, input) }):
			return nil
		case g.seen[name]:
			compared++
		case !slices.Contains(ofTheFace, name):
			g.Errorf("no test looks at %s", name)
		}
		total++
		return nil
	}))
	if total != 40 || compared != 34 {
		g.Errorf("of %d fixtures %d were compared, want 34 of 40", total, compared)
	}
	g.Logf("compared %d of %d fixtures; of the MCP face are %s", compared, total, strings.Join(ofTheFace, ", "))
}
