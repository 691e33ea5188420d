package contextengine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/packs/contextengine"

	"pgregory.net/rapid"
)

const (
	missingText = `{"error":{"code":"cache_missing","message":"Cache does not exist"}}` + "\n"
	invalidText = `{"error":{"code":"cache_invalid","message":"Cache exists but is invalid"}}` + "\n"
	noneText    = `{"cache_version":"","document_count":0,"total_bytes":0,"valid":false}`
)

// threeCalls are one of each tool.
var threeCalls = map[string]string{
	"context.resolve":       `{"cache":"handbook","query":"guide.","budget":100}`,
	"context.list_caches":   `{}`,
	"context.inspect_cache": `{"cache":"handbook"}`,
}

func TestSEC6LIST5RootThatIsNone(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "text")
	if err := os.Symlink("nowhere", filepath.Join(dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{"nowhere", "file", "dangling", "file/below"} {
		for tool, arguments := range threeCalls {
			text, failed := frozen(t, contextengine.Config{Root: filepath.Join(dir, root)}, tool, arguments)
			if !failed || text != missingText {
				t.Errorf("%s with root %s: %s", tool, root, text)
			}
		}
	}
}

// The root may come, go and be a link itself.
func TestSEC6RootIsLookedForAtEveryCall(t *testing.T) {
	real := newRoot(t)
	root := filepath.Join(t.TempDir(), "root")
	cfg := contextengine.Config{Root: root}
	for range 2 {
		for tool, arguments := range threeCalls {
			if text, _ := frozen(t, cfg, tool, arguments); text != missingText {
				t.Errorf("%s without a root: %s", tool, text)
			}
		}
		if err := os.Symlink(real, root); err != nil {
			t.Fatal(err)
		}
		for tool, arguments := range threeCalls {
			if text, failed := frozen(t, cfg, tool, arguments); failed {
				t.Errorf("%s with a root: %s", tool, text)
			}
		}
		if err := os.Remove(root); err != nil {
			t.Fatal(err)
		}
	}
}

// Whatever a manifest says and wherever a link leads: nothing outside is read.
func TestSEC7NothingOutsideIsOpened(t *testing.T) {
	const document = "19835fc46fd4.json"
	spoils := map[string]func(cache, outside string) error{
		"manifest": func(cache, outside string) error {
			path := filepath.Join(cache, "manifest.json")
			return replace(path, filepath.Join(outside, "manifest.json"))
		},
		"documents": func(cache, outside string) error {
			return replace(filepath.Join(cache, "documents"), filepath.Join(outside, "documents"))
		},
		"document": func(cache, outside string) error {
			return replace(filepath.Join(cache, "documents", document), filepath.Join(outside, "documents", document))
		},
		"file in the manifest": func(cache, outside string) error {
			path := filepath.Join(cache, "manifest.json")
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			up := strings.Replace(string(text), "documents/"+document, "../../outside/documents/"+document, 1)
			return os.WriteFile(path, []byte(up), 0o644)
		},
	}
	for name, spoil := range spoils {
		t.Run(name, func(t *testing.T) {
			root := newRoot(t)
			outside := filepath.Join(filepath.Dir(root), "outside")
			build(t, outside, handbook)
			if err := spoil(filepath.Join(root, "handbook"), outside); err != nil {
				t.Fatal(err)
			}
			text, failed := frozen(t, contextengine.Config{Root: root}, "context.resolve", threeCalls["context.resolve"])
			if !failed || text != invalidText {
				t.Errorf("resolving says %s", text)
			}
			if text, _ = frozen(t, contextengine.Config{Root: root}, "context.inspect_cache", threeCalls["context.inspect_cache"]); name == "manifest" && text != noneText {
				t.Errorf("inspecting says %s", text)
			}
		})
	}
}

// replace puts a link in the place of what was there.
func replace(path, target string) error {
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	return os.Symlink(target, path)
}

// Whatever the name, the answer is a cache below the root or a missing one.
func TestSEC1SEC2SEC3NoNameLeadsOut(t *testing.T) {
	root := newRoot(t)
	build(t, filepath.Join(filepath.Dir(root), "secret"), map[string]string{"secret.md": "outside"})
	for name, target := range map[string]string{"up": "..", "side": "../secret", "abs": filepath.Dir(root), "in": "handbook"} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	srv := newV0(t, contextengine.Config{Root: root})
	piece := rapid.SampledFrom([]string{"..", ".", "/", "//", "\\", "up", "side", "abs", "in", "handbook", "secret", "root", "documents", "manifest.json", "\x00", "%2e", "~", " ", ""})
	rapid.Check(t, func(t *rapid.T) {
		name := strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "name"), rapid.SampledFrom([]string{"", "/"}).Draw(t, "between"))
		quoted := string(rawjson.AppendString(nil, name))
		said := converse(t, srv, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"context.resolve","arguments":{"cache":%s,"query":"outside","budget":99}}}`, quoted), true)
		switch {
		case strings.Contains(said, "secret.md"):
			t.Fatalf("%q leads out: %s", name, said)
		case strings.Contains(said, "deployment.md"), strings.Contains(said, "cache_missing"), strings.Contains(said, "cache_invalid"):
		default:
			t.Fatalf("%q gives %s", name, said)
		}
		if strings.Contains(name, "..") && !strings.Contains(said, "cache_missing") {
			t.Fatalf("%q gives %s", name, said)
		}
	})
}

// LIST-7, INS-9: the frozen schemas of what the two shallow tools say.
func TestLIST7INS9ResultsFitTheirSchemas(t *testing.T) {
	root := newRoot(t)
	for name, test := range map[string]struct{ tool, schema string }{
		"LIST-7": {"context.list_caches", `{"type":"object","required":["caches"],"additionalProperties":false,"properties":{"caches":{"type":"array","items":{` +
			`"type":"object","required":["path","has_manifest"],"additionalProperties":false,"properties":{"path":{"type":"string","minLength":1},"has_manifest":{"type":"boolean"}}}}}}`},
		"INS-9": {"context.inspect_cache", `{"type":"object","required":["cache_version","document_count","total_bytes","valid"],"additionalProperties":false,"properties":{` +
			`"cache_version":{"type":"string"},"document_count":{"type":"integer","minimum":0},"total_bytes":{"type":"integer","minimum":0},"valid":{"type":"boolean"}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			schema, err := jsonschema.Compile([]byte(test.schema))
			if err != nil {
				t.Fatal(err)
			}
			text, failed := frozen(t, contextengine.Config{Root: root}, test.tool, threeCalls[test.tool])
			value, err := rawjson.Decode([]byte(text))
			if err != nil || failed {
				t.Fatalf("%s: %v", text, err)
			}
			if violations := schema.Validate(value); len(violations) > 0 {
				t.Errorf("%s: %v", text, violations)
			}
		})
	}
}

// Nothing that is asked leaves a trace in the cache root.
func TestTOOL3CallsLeaveNothingBehind(t *testing.T) {
	root := newRoot(t)
	before := tree(t, root)
	for tool, arguments := range threeCalls {
		for range 2 {
			frozen(t, contextengine.Config{Root: root}, tool, arguments)
		}
	}
	if after := tree(t, root); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// tree lists all files of a directory, with mode, size and time.
func tree(t *testing.T, dir string) string {
	var b strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		fmt.Fprintln(&b, path, info.Mode(), info.Size(), info.ModTime())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
