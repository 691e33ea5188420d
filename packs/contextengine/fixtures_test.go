package contextengine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/internal/jsonschema"
	"mcpworks/packs/contextengine"

	"github.com/google/go-cmp/cmp"
)

// fixtures returns the directory of the contract's own fixtures, which are not
// part of this repository but beside it.
func fixtures(t *testing.T) string {
	t.Helper()
	const dir = "../../../shared/fixtures/context"
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the folder shared/fixtures/context is not beside the repository: %v", err)
	}
	return dir
}

// wantFixture compares with a fixture, either with or without a last line feed
//
func wantFixture(t *testing.T, got string, path ...string) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimSuffix(string(want), "\n"), strings.TrimSuffix(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", filepath.Base(path[len(path)-1]), diff)
	}
}

func TestGoldenServerLines(t *testing.T) {
	dir := filepath.Join(fixtures(t), "server-golden")
	srv := newV0(t, contextengine.Config{Root: filepath.Join(dir, "fixtures")})
	line := func(tool, arguments string) string {
		return converse(t, srv, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments), true)
	}
	for name, got := range map[string]string{
		"mcp_resolve_basic":   line("context.resolve", `{"cache":"cache_valid","query":"deployment","budget":4000}`),
		"error_cache_missing": line("context.inspect_cache", `{"cache":"./tests/golden/fixtures/does-not-exist"}`),
		"error_cache_invalid": line("context.resolve", `{"cache":"cache_corrupt","query":"deployment","budget":4000}`),
	} {
		wantFixture(t, got, dir, "expected", name+".json")
	}
	cfg := contextengine.Config{Root: filepath.Join(dir, "fixtures")}
	for name, cache := range map[string]string{"inspect_valid": "cache_valid", "inspect_invalid": "cache_corrupt"} {
		text, _ := frozen(t, cfg, "context.inspect_cache", fmt.Sprintf(`{"cache":%q}`, cache))
		wantFixture(t, text, dir, "expected", name+".json")
	}
	cfg.Root = filepath.Join(dir, "fixtures", "cache_root")
	text, _ := frozen(t, cfg, "context.list_caches", `{}`)
	wantFixture(t, text, dir, "expected", "list_caches.json")
}

func TestGoldenSelections(t *testing.T) {
	dir := filepath.Join(fixtures(t), "server-golden")
	resolve := func(cache string, q contextengine.Query) string {
		t.Helper()
		text, err := contextengine.Resolve(t.Context(), cache, q)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	wantFixture(t, resolve(filepath.Join(dir, "fixtures", "cache_valid"), contextengine.Query{Text: "deployment", Budget: 4000}), dir, "expected", "resolve_basic.json")
	two, ordered := filepath.Join(t.TempDir(), "two"), filepath.Join(t.TempDir(), "ordered")
	build(t, two, map[string]string{"deployment.md": handbook["deployment.md"], "security.md": handbook["security.md"]})
	wantFixture(t, resolve(two, contextengine.Query{Text: "deployment"}), dir, "expected", "resolve_zero_budget.json")
	build(t, ordered, map[string]string{"a.md": "apple 1", "z.md": "apple 2"})
	wantFixture(t, resolve(ordered, contextengine.Query{Text: "apple", Budget: 100}), dir, "expected", "resolve_ordering.json")
}

func TestGoldenCompatibility(t *testing.T) {
	dir := filepath.Join(fixtures(t), "compat", "v0")
	caches := filepath.Join(dir, "caches")
	for _, cache := range []string{"minimal", "realistic"} {
		inspection, err := contextengine.Inspect(t.Context(), filepath.Join(caches, cache))
		if err != nil {
			t.Fatal(err)
		}
		wantFixture(t, string(contextengine.Pretty(inspection)), dir, "expected", "inspect_"+cache+".json")
		queries, _ := filepath.Glob(filepath.Join(dir, "queries", "*.json"))
		for _, file := range queries {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var q struct {
				Query  string
				Budget int64
			}
			if err := json.Unmarshal(text, &q); err != nil {
				t.Fatal(err)
			}
			got, err := contextengine.Resolve(t.Context(), filepath.Join(caches, cache), contextengine.Query{Text: q.Query, Budget: q.Budget})
			if err != nil {
				t.Fatal(err)
			}
			if name := cache + "_" + filepath.Base(file); exists(filepath.Join(dir, "expected", name)) {
				wantFixture(t, string(got), dir, "expected", name)
			}
		}
	}
	said := converse(t, newV0(t, contextengine.Config{Root: caches}), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"context.resolve","arguments":{"cache":"none","query":"x","budget":1}}}`, true)
	said = strings.TrimPrefix(strings.TrimSuffix(said, "}\n"), `{"jsonrpc":"2.0","id":1,"result":`)
	wantFixture(t, said, dir, "expected", "mcp_error_cache_missing.json")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// ERR-2: every error object fits the contract's own schema, which is strict.
func TestGoldenErrorSchema(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(fixtures(t), "compat", "schemas", "mcp_error.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range []contextengine.Code{
		contextengine.CacheMissing, contextengine.CacheInvalid, contextengine.InvalidQuery,
		contextengine.InvalidBudget, contextengine.IOError, contextengine.InternalError,
	} {
		var object any
		if err := json.Unmarshal(code.ProtocolError().Data.(json.RawMessage), &object); err != nil {
			t.Fatal(err)
		}
		if violations := schema.Validate(object); len(violations) > 0 {
			t.Errorf("%s: %v", code, violations)
		}
	}
	other := map[string]any{"error": map[string]any{"code": "timeout", "message": "no"}}
	if len(schema.Validate(other)) == 0 {
		t.Error("a code that is not in the frozen list fits")
	}
}
