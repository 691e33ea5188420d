package cache_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
	"mcpworks/packs/contextengine/internal/document"

	"github.com/google/go-cmp/cmp"
)

// load opens the cache and reads all of it.
func load(ctx context.Context, c *cache.Cache, err error) (cachetest.Docs, error) {
	if err != nil {
		return nil, err
	}
	defer c.Close()
	docs := cachetest.Docs{}
	var mu sync.Mutex
	err = c.Each(ctx, cache.Workers(), func(_, _ int, d *document.Document) {
		mu.Lock()
		defer mu.Unlock()
		docs[d.ID] = d.Content
	})
	return docs, err
}

func openAll(t *testing.T, dir string) (cachetest.Docs, error) {
	c, err := cache.Open(dir)
	return load(t.Context(), c, err)
}

func openAllBelow(t *testing.T, root, name string) (cachetest.Docs, error) {
	c, err := cache.OpenBelow(root, name)
	return load(t.Context(), c, err)
}

// A loadCase is a cache with something done to it. Its name begins with the
// rule that says what follows: want, or all documents if that is nil.
type loadCase struct {
	name  string
	alter func(t *testing.T, dir string)
	want  error
}

// checkLoads runs each case on a fresh cache of two, named "cache" in a root of
// its own, for the command and for the server.
func checkLoads(t *testing.T, cases []loadCase) {
	t.Helper()
	above := t.TempDir()
	for i, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			root := filepath.Join(above, strconv.Itoa(i), "root")
			dir := filepath.Join(root, "cache")
			two.Write(t, dir)
			tt.alter(t, dir)
			checkLoad(t, tt.want, func() (cachetest.Docs, error) { return openAll(t, dir) })
			checkLoad(t, tt.want, func() (cachetest.Docs, error) { return openAllBelow(t, root, "cache") })
		})
	}
}

func checkLoad(t *testing.T, want error, read func() (cachetest.Docs, error)) {
	t.Helper()
	docs, err := read()
	if !errors.Is(err, want) || isOne(err) != isOne(want) {
		t.Errorf("error %v, want %v", err, want)
	}
	if want == nil {
		if diff := cmp.Diff(two, docs); diff != "" {
			t.Errorf("documents (-want +got):\n%s", diff)
		}
	}
}

// isOne says which of the three kinds an error is, as bits, for it may be only
// one.
func isOne(err error) (kinds int) {
	for i, kind := range []error{cache.ErrMissing, cache.ErrInvalid, cache.ErrIO} {
		if errors.Is(err, kind) {
			kinds |= 1 << i
		}
	}
	return kinds
}

func remove(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { cachetest.Must(t, os.RemoveAll(filepath.Join(dir, name))) }
}

// put replaces a file.
func put(name, text string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		remove(name)(t, dir)
		cachetest.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
}

// putDirectory replaces a file by a directory.
func putDirectory(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		remove(name)(t, dir)
		cachetest.Must(t, os.Mkdir(filepath.Join(dir, name), 0o755))
	}
}

func both(first, second func(*testing.T, string)) func(*testing.T, string) {
	return func(t *testing.T, dir string) { first(t, dir); second(t, dir) }
}

var (
	fileA = cachetest.File(two["a.md"])
	fileB = cachetest.File(two["b.md"])
	textA = string(cachetest.Document("a.md", two["a.md"]))
	textB = string(cachetest.Document("b.md", two["b.md"]))
)

// LOAD-1 for the command (CLI-8), LOAD-1 and SEC-2 for the server.
func TestMissing(t *testing.T) {
	root := t.TempDir()
	two.Write(t, filepath.Join(root, "cache"))
	cachetest.Must(t, os.WriteFile(filepath.Join(root, "file"), nil, 0o644))
	for _, name := range []string{
		"absent", "absent/cache", "file", "file/", "file/cache", "cache/manifest.json", "cache/absent", "Cache", "cache ", " cache",
		"cache\x00", "\x00", strings.Repeat("n", 256), strings.Repeat("n/", 5000), "caché", "cache\n", "*", "~", "$HOME", "%63ache", "cache\xff",
	} {
		if docs, err := openAll(t, root+string(filepath.Separator)+name); !errors.Is(err, cache.ErrMissing) || isOne(err) != 1 {
			t.Errorf("LOAD-1 %.40q: %v, %v", name, docs, err)
		}
		if docs, err := openAllBelow(t, root, name); !errors.Is(err, cache.ErrMissing) || isOne(err) != 1 {
			t.Errorf("SEC-2 %.40q: %v, %v", name, docs, err)
		}
	}
}

func TestManifestFile(t *testing.T) {
	checkLoads(t, []loadCase{
		{"LOAD-2 absent", remove("manifest.json"), cache.ErrInvalid},
		{"LOAD-2 a directory", putDirectory("manifest.json"), cache.ErrInvalid},
		{"LOAD-2 in another case", both(remove("manifest.json"), put("Manifest.json", string(two.Manifest()))), cache.ErrInvalid},
		{"LOAD-2 all is absent", both(remove("manifest.json"), both(remove("documents"), remove("index.json"))), cache.ErrInvalid},
		{"LOAD-4 empty", put("manifest.json", ""), cache.ErrInvalid},
		{"LOAD-2 before LOAD-8", both(remove("manifest.json"), remove("documents")), cache.ErrInvalid},
	})
}

func TestDocumentFiles(t *testing.T) {
	checkLoads(t, []loadCase{
		{"LOAD-8 absent", remove(fileA), cache.ErrInvalid},
		{"LOAD-8 the last absent", remove(fileB), cache.ErrInvalid},
		{"LOAD-8 a directory", putDirectory(fileA), cache.ErrInvalid},
		{"LOAD-8 no documents directory", remove("documents"), cache.ErrInvalid},
		{"LOAD-8 empty documents directory", putDirectory("documents"), cache.ErrInvalid},
		{"LOAD-9 empty", put(fileA, ""), cache.ErrInvalid},
		{"LOAD-9 files swapped", both(put(fileA, textB), put(fileB, textA)), cache.ErrInvalid},
		{"LOAD-10 no index", remove("index.json"), nil},
		{"LOAD-10 index is a directory", putDirectory("index.json"), nil},
		{"LOAD-10 index is garbage", put("index.json", "\x00{"), nil},
		{"LOAD-10 stale index", put("index.json", `{"z.md":"documents/000000000000.json"}`), nil},
		{"LOAD-10 index wrapped in entries", put("index.json", `{"entries":`+string(two.Index())+`}`), nil},
		{"LOAD-11 extra file", put("documents/000000000000.json", textA), nil},
		{"LOAD-11 extra garbage", put("documents/.garbage\n", "\xff"), nil},
		{"LOAD-11 extra directory", putDirectory("documents/more"), nil},
		{"LOAD-11 extra file beside", put("notes.txt", "x"), nil},
	})
}

// LOAD-9: what a document file may say.
func TestDocumentTexts(t *testing.T) {
	const content = "alpha beta"
	members := []member{
		{"id", `"a.md"`}, {"version", cachetest.Quote(cachetest.Version(content))}, {"source", `"A.md"`}, {"content", cachetest.Quote(content)}, {"metadata", "{}"},
	}
	root := t.TempDir()
	dir := filepath.Join(root, "cache")
	two.Write(t, dir)
	add := func(want error, name, text string) {
		t.Run(name, func(t *testing.T) {
			put(fileA, text)(t, dir)
			checkLoad(t, want, func() (cachetest.Docs, error) { return openAll(t, dir) })
			checkLoad(t, want, func() (cachetest.Docs, error) { return openAllBelow(t, root, "cache") })
		})
	}
	for _, m := range members {
		add(cache.ErrInvalid, "LOAD-9 no "+m.name, object(with(members, m.name, "")))
		add(cache.ErrInvalid, "LOAD-9 two of "+m.name, object(append(members[:len(members):len(members)], m)))
		add(cache.ErrInvalid, "LOAD-9 other case of "+m.name, object(append(with(members, m.name, ""), member{strings.ToUpper(m.name), m.value})))
		for _, value := range []string{"null", "false", "0", "[]", "{}", `"x"`} {
			if kindOf(value) != kindOf(m.value) {
				add(cache.ErrInvalid, "LOAD-9 "+m.name+" is "+value, object(with(members, m.name, value)))
			}
		}
	}
	for _, value := range []string{
		`{"a":null}`, `{"a":true}`, `{"a":1.5}`, `{"a":1e2}`, `{"a":9223372036854775808}`, `{"a":-9223372036854775809}`, `{"a":[]}`, `{"a":{}}`, `{"a":1,"a":1}`,
	} {
		add(cache.ErrInvalid, "DOC-9 metadata "+value, object(with(members, "metadata", value)))
	}
	for name, text := range map[string]string{
		"another id":                     object(with(members, "id", `"b.md"`)),
		"id in other case":               object(with(members, "id", `"A.md"`)),
		"another version":                object(with(members, "version", cachetest.Quote(cachetest.Version("other")))),
		"version of 12 digits":           object(with(members, "version", cachetest.Quote(cachetest.Version(content)[:19]))),
		"content and version altered":    string(cachetest.Document("a.md", "other")),
		"content altered":                object(with(members, "content", `"alpha betA"`)),
		"content with a newline more":    object(with(members, "content", `"alpha beta\n"`)),
		"content with a mark in front":   object(with(members, "content", `"\ufeffalpha beta"`)),
		"content empty":                  object(with(members, "content", `""`)),
		"content with a lone surrogate":  object(with(members, "content", `"alpha beta\ud800"`)),
		"content that is not UTF-8":      object(with(members, "content", "\"alpha beta\xff\"")),
		"content with a raw control":     object(with(members, "content", "\"alpha\x01beta\"")),
		"cut off":                        textA[:len(textA)-1],
		"cut off inside":                 textA[:len(textA)/2],
		"two values":                     textA + textA,
		"a byte order mark":              "\xef\xbb\xbf" + textA,
		"an array":                       "[" + textA + "]",
		"JSON nested too deep elsewhere": object(append([]member{{"x", strings.Repeat("[", 500) + strings.Repeat("]", 500)}}, members...)),
	} {
		add(cache.ErrInvalid, "LOAD-9 "+name, text)
	}
	for name, text := range map[string]string{
		"JSON-7 white space":       " \n" + textA + "\t\r\n",
		"JSON-7 unknown members":   object(append([]member{{"x", "[1e999]"}, {"ID", "1"}, {"", "{}"}}, members...)),
		"JSON-7 another order":     object([]member{members[4], members[3], members[2], members[1], members[0]}),
		"JSON-7 needless escapes":  object(with(members, "content", `"\u0061lpha beta"`)),
		"DOC-9 metadata":           object(with(members, "metadata", `{"b":"x","a":-9223372036854775808,"":""}`)),
		"DOC-12 any source":        object(with(members, "source", `"/etc/passwd"`)),
		"DOC-12 source is no path": object(with(members, "source", `"\u0000"`)),
	} {
		add(nil, name, text)
	}
}

// DOC-1, DOC-2 and DOC-13: contents come back as they were.
func TestContents(t *testing.T) {
	docs := cachetest.Docs{
		"empty": "", "newline": "\n", "crlf": "line\r\n", "lf": "line\n", "bom": "\ufeffx", "controls": "\x00\x01\x1f\x7f\u0085\u2028",
		"quotes": `"\"\\/`, "planes": "日本\U0001f600\U0010ffff", "noncharacter": "\ufffe\uffff", "replacement": "\ufffd", "long": strings.Repeat("long ", 1<<16),
		"looks like JSON": `{"id":"x"}`, "ид": "id", "": "no id", "a/b/../c": "path", "x\ny\"": "odd id", "\U0001f600": "astral id",
	}
	dir := t.TempDir()
	docs.Write(t, dir)
	got, err := openAll(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(docs, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	c, err := cache.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i, id := range docs.IDs() {
		d, err := c.Document(i)
		if err != nil || d.ID != id || d.Content != docs[id] || d.Version.String() != cachetest.Version(docs[id]) {
			t.Errorf("document %d is %+v, %v; want %q", i, d, err, id)
		}
	}
}

// CACHE-13 and CACHE-12.
func TestCopiesAndEmptyCaches(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "other", "place")
	two.Write(t, from)
	cachetest.Must(t, os.CopyFS(to, os.DirFS(from)))
	cachetest.Must(t, os.RemoveAll(from))
	checkLoad(t, nil, func() (cachetest.Docs, error) { return openAll(t, to) })

	empty := t.TempDir()
	cachetest.Docs{}.Write(t, empty)
	for _, step := range []func(*testing.T, string){put("documents/stray", ""), remove("documents"), put("documents", "not a directory")} {
		step(t, empty)
		if docs, err := openAll(t, empty); err != nil || len(docs) > 0 {
			t.Errorf("CACHE-12: %v, %v", docs, err)
		}
	}
}

// A file may be larger than one read, and than the one before it.
func TestDocumentsOfEverySize(t *testing.T) {
	docs := cachetest.Docs{}
	for i := range 40 {
		docs[fmt.Sprintf("%02d", i)] = strings.Repeat(fmt.Sprint(i%10), (i*7919)%70000)
	}
	dir := t.TempDir()
	docs.Write(t, dir)
	got, err := openAll(t, dir)
	if diff := cmp.Diff(docs, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
