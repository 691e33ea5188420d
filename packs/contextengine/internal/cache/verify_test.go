package cache_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"

	"github.com/google/go-cmp/cmp"
)

// nothing leaves a cache as it is.
func nothing(*testing.T, string) {}

// VERIFY-1 to VERIFY-3: how many problems are found, and what they name.
func TestVerify(t *testing.T) {
	index := string(two.Index())
	stray := "documents/000000000000.json"
	above := t.TempDir()
	for i, tt := range []struct {
		name  string
		alter func(*testing.T, string)
		want  []string // a part of each problem
	}{
		{"a good cache", nothing, nil},
		{"VERIFY-1 LOAD-6 and LOAD-5 together", put("manifest.json", object(with(with(manifest, "document_count", "3"), "build_config", `{"version":"2","hash_algorithm":"md5"}`))), []string{"version", "hash_algorithm", "document_count"}},
		{"VERIFY-1 LOAD-7", put("manifest.json", object(with(manifest, "cache_version", `"x"`))), []string{"cache_version"}},
		{"VERIFY-1 LOAD-8", remove(fileA), []string{fileA}},
		{"VERIFY-1 LOAD-8 both", both(remove(fileA), remove(fileB)), []string{fileA, fileB}},
		{"VERIFY-1 LOAD-8 no documents", remove("documents"), []string{"documents"}},
		{"VERIFY-1 LOAD-9", put(fileA, "x"), []string{"a.md"}},
		{"VERIFY-1 LOAD-9 swapped", both(put(fileA, textB), put(fileB, textA)), []string{"a.md", "b.md"}},
		{"VERIFY-1 LOAD-9 content", put(fileB, strings.Replace(textB, "gamma", "GAMMA", 1)), []string{"b.md"}},
		{"VERIFY-2 no index", remove("index.json"), []string{"index.json"}},
		{"VERIFY-2 index is a directory", putDirectory("index.json"), []string{"index.json"}},
		{"VERIFY-2 index is empty", put("index.json", ""), []string{"index.json"}},
		{"VERIFY-2 index is not JSON", put("index.json", index+"}"), []string{"index.json"}},
		{"VERIFY-2 index is an array", put("index.json", "[]"), []string{"index.json"}},
		{"VERIFY-2 index is null", put("index.json", "null"), []string{"index.json"}},
		{"VERIFY-2 X-14 index wrapped in entries", put("index.json", `{"entries":`+index+`}`), []string{"entries", "a.md", "b.md"}},
		{"VERIFY-2 a value is no string", put("index.json", strings.Replace(index, `"`+fileA+`"`, "1", 1)), []string{"a.md"}},
		{"VERIFY-2 an id is missing", put("index.json", fmt.Sprintf(`{"a.md":%q}`, fileA)), []string{"b.md"}},
		{"VERIFY-2 an id more", put("index.json", strings.Replace(index, "{", `{"c.md":"x",`, 1)), []string{"c.md"}},
		{"VERIFY-2 an id twice", put("index.json", strings.Replace(index, "{", fmt.Sprintf(`{"a.md":%q,`, fileA), 1)), []string{"a.md"}},
		{"VERIFY-2 another file", put("index.json", strings.Replace(index, fileA, fileB, 1)), []string{"a.md"}},
		{"VERIFY-2 id in another case", put("index.json", strings.Replace(index, "a.md", "A.md", 1)), []string{"A.md", "a.md"}},
		{"VERIFY-2 index of nothing", put("index.json", "{}"), []string{"a.md", "b.md"}},
		{"VERIFY-2 index with a lone surrogate", put("index.json", strings.Replace(index, "{", `{"\ud800":"x",`, 1)), []string{"index.json"}},
		{"VERIFY-2 compact, escaped and in another order", put("index.json", fmt.Sprintf(` {"b.md":%q,"\u0061.md":%q}`+"\n", fileB, fileA)), nil},
		{"VERIFY-3 stray file", put(stray, textA), []string{stray}},
		{"VERIFY-3 stray hidden file", put("documents/.x", ""), []string{"documents/.x"}},
		{"VERIFY-3 stray directory", putDirectory("documents/more"), []string{"documents/more"}},
		{"CACHE-11 beside documents all is allowed", put("notes.txt", ""), nil},
		{"all together", both(both(put(fileA, "x"), remove(fileB)), both(put(stray, ""), put("index.json", "{}"))), []string{stray, "a.md", fileB, `"a.md" is missing`, `"b.md" is missing`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(above, fmt.Sprint(i))
			two.Write(t, dir)
			tt.alter(t, dir)
			problems, _, err := cache.Verify(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if len(problems) != len(tt.want) {
				t.Fatalf("problems %q, want those of %q", problems, tt.want)
			}
			for i, want := range tt.want {
				if !strings.Contains(problems[i], want) || strings.Contains(problems[i], "\n") {
					t.Errorf("problem %d is %q, want it to name %q on one line", i, problems[i], want)
				}
			}
			inspection, err := cache.Inspect(t.Context(), dir)
			if err != nil || inspection.Valid != (len(tt.want) == 0) {
				t.Errorf("Inspect: %+v, %v", inspection, err)
			}
		})
	}
}

// CLI-5 to CLI-7: what the command shows.
func TestInspect(t *testing.T) {
	sizeA, sizeB := int64(len(textA)), int64(len(textB))
	above := t.TempDir()
	for i, tt := range []struct {
		name  string
		alter func(*testing.T, string)
		want  cache.Inspection
	}{
		{"CLI-6 document files", nothing, cache.Inspection{TotalBytes: sizeA + sizeB, Valid: true}},
		{"CLI-6 not the others", both(put("notes.txt", "x"), put("documents/stray", "xx")), cache.Inspection{TotalBytes: sizeA + sizeB}},
		{"CLI-6 those that exist", remove(fileA), cache.Inspection{TotalBytes: sizeB}},
		{"CLI-6 none exists", remove("documents"), cache.Inspection{}},
		{"CLI-6 also damaged ones", put(fileA, "damaged"), cache.Inspection{TotalBytes: sizeB + 7}},
		{"CLI-6 no directories", putDirectory(fileB), cache.Inspection{TotalBytes: sizeA}},
		{"CLI-7 LOAD-5", put("manifest.json", strings.Replace(string(two.Manifest()), `"version": "1"`, `"version": "2"`, 1)), cache.Inspection{TotalBytes: sizeA + sizeB}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(above, fmt.Sprint(i))
			two.Write(t, dir)
			tt.alter(t, dir)
			tt.want.CacheVersion, tt.want.DocumentCount = two.CacheVersion(), 2
			got, err := cache.Inspect(t.Context(), dir)
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
	dir := filepath.Join(above, "claims")
	two.Write(t, dir)
	put("manifest.json", object(with(with(manifest, "cache_version", `"v\u0031\n"`), "document_count", "18446744073709551615")))(t, dir)
	got, err := cache.Inspect(t.Context(), dir)
	if text := string(got.AppendJSON(nil)); err != nil ||
		text != fmt.Sprintf(`{"cache_version":"v1\n","document_count":18446744073709551615,"total_bytes":%d,"valid":false}`, sizeA+sizeB) {
		t.Errorf("the manifest's claims are shown as %s, %v", text, err)
	}
}

// CLI-7: where there is nothing to show.
func TestInspectFails(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		path string
		want error
	}{{filepath.Join(dir, "absent"), cache.ErrMissing}, {dir, cache.ErrInvalid}} {
		if _, err := cache.Inspect(t.Context(), tt.path); isOne(err) != isOne(tt.want) {
			t.Errorf("Inspect: %v, want %v", err, tt.want)
		}
		if problems, _, err := cache.Verify(t.Context(), tt.path); isOne(err) != isOne(tt.want) || problems != nil {
			t.Errorf("Verify: %q, %v, want %v", problems, err, tt.want)
		}
	}
}

// CACHE-12 under VERIFY-3: a cache of nothing may have no documents directory,
// but nothing stray in one.
func TestVerifyCacheOfNothing(t *testing.T) {
	dir := t.TempDir()
	cachetest.Docs{}.Write(t, dir)
	for _, tt := range []struct {
		alter    func(*testing.T, string)
		problems int
	}{{nothing, 0}, {put("documents/x", ""), 1}, {remove("documents"), 0}, {remove("index.json"), 1}} {
		tt.alter(t, dir)
		if problems, _, err := cache.Verify(t.Context(), dir); err != nil || len(problems) != tt.problems {
			t.Errorf("problems %q, %v, want %d", problems, err, tt.problems)
		}
	}
}

// DET-3, DET-4: problems are the same in the same order, on any number of cores.
func TestVerifyIsDeterministic(t *testing.T) {
	docs := cachetest.Docs{}
	for i := range 100 {
		docs[fmt.Sprintf("%02d", i)] = fmt.Sprint("content ", i)
	}
	dir := t.TempDir()
	docs.Write(t, dir)
	var want []string
	for i := 0; i < 100; i += 3 {
		put(cachetest.File(docs[fmt.Sprintf("%02d", i)]), "damaged")(t, dir)
		want = append(want, fmt.Sprintf("%02d", i))
	}
	cachetest.Must(t, os.Remove(filepath.Join(dir, "index.json")))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first []string
	for _, cores := range []int{1, 2, 8, 64} {
		runtime.GOMAXPROCS(cores)
		problems, _, err := cache.Verify(t.Context(), dir)
		if err != nil || len(problems) != len(want)+1 {
			t.Fatalf("%d problems, %v", len(problems), err)
		}
		for i, id := range want {
			if !strings.Contains(problems[i], `"`+id+`"`) {
				t.Errorf("problem %d on %d cores is %q, want that of %q", i, cores, problems[i], id)
			}
		}
		if first == nil {
			first = problems
		}
		if !slices.Equal(first, problems) {
			t.Errorf("on %d cores (-one +many):\n%s", cores, cmp.Diff(first, problems))
		}
	}
}

func TestVerifyCancelled(t *testing.T) {
	dir := t.TempDir()
	two.Write(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if problems, _, err := cache.Verify(ctx, dir); !errors.Is(err, context.Canceled) || problems != nil {
		t.Errorf("%q, %v", problems, err)
	}
}
