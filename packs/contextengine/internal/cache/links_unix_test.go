//go:build unix

package cache_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
)

// link replaces a file by a symbolic link. In its target, DIR is the cache, ROOT
// the cache root, and OUTSIDE a directory that has all a cache has.
func link(name, target string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		remove(name)(t, dir)
		root := filepath.Dir(dir)
		outside := filepath.Join(filepath.Dir(root), "root-outside")
		if _, err := os.Stat(outside); err != nil {
			two.Write(t, outside)
		}
		target := strings.NewReplacer("DIR", dir, "ROOT", root, "OUTSIDE", outside).Replace(target)
		cachetest.Must(t, os.Symlink(target, filepath.Join(dir, name)))
	}
}

// move renames inside the cache.
func move(from, to string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		cachetest.Must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, to)), 0o755))
		cachetest.Must(t, os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)))
	}
}

// moveAndLink puts a link where a file was.
func moveAndLink(name, to, target string) func(*testing.T, string) {
	return both(move(name, to), link(name, target))
}

// Where symbolic links may lead (LOAD-2, LOAD-8, SEC-7).
func TestLinks(t *testing.T) {
	cases := []loadCase{
		{"LOAD-2 manifest link inside", moveAndLink("manifest.json", "real.json", "real.json"), nil},
		{"LOAD-2 manifest link inside, deeper", moveAndLink("manifest.json", "deep/er/real.json", "deep/er/real.json"), nil},
		{"LOAD-2 manifest link inside, absolute", moveAndLink("manifest.json", "real.json", "DIR/real.json"), nil},
		{"LOAD-2 manifest link out and in again", moveAndLink("manifest.json", "real.json", "../cache/real.json"), nil},
		{"LOAD-2 manifest link into documents", moveAndLink("manifest.json", "documents/real.json", "documents/../documents/real.json"), nil},
		{"LOAD-2 manifest chain", both(moveAndLink("manifest.json", "real.json", "one"), both(link("one", "DIR/two"), link("two", "real.json"))), nil},
		{"LOAD-2 manifest link outside", link("manifest.json", "OUTSIDE/manifest.json"), cache.ErrInvalid},
		{"LOAD-2 manifest link outside, relative", link("manifest.json", "../../root-outside/manifest.json"), cache.ErrInvalid},
		{"LOAD-2 manifest chain outside", both(link("manifest.json", "one"), link("one", "OUTSIDE/manifest.json")), cache.ErrInvalid},
		{"LOAD-2 manifest link to /etc", link("manifest.json", "/etc/passwd"), cache.ErrInvalid},
		{"LOAD-2 manifest link to a directory", link("manifest.json", "documents"), cache.ErrInvalid},
		{"LOAD-2 manifest link to nothing", link("manifest.json", "absent"), cache.ErrInvalid},
		{"LOAD-2 manifest link to nothing outside", link("manifest.json", "OUTSIDE/absent"), cache.ErrInvalid},
		{"LOAD-2 manifest link below a file", link("manifest.json", "index.json/x"), cache.ErrInvalid},
		{"LOAD-2 manifest link to a neighbour", both(copyCache("../cache-2"), link("manifest.json", "../cache-2/manifest.json")), cache.ErrInvalid},
		{"LOAD-2 manifest link to the root's", both(copyCache(".."), link("manifest.json", "../manifest.json")), cache.ErrInvalid},

		{"LOAD-8 documents link inside", moveAndLink("documents", "real", "real"), nil},
		{"LOAD-8 documents link inside, absolute", moveAndLink("documents", "re/al", "DIR/re/al"), nil},
		{"LOAD-8 documents link out and in again", moveAndLink("documents", "real", "../../root/cache/real"), nil},
		{"LOAD-8 documents link outside", link("documents", "OUTSIDE/documents"), cache.ErrInvalid},
		{"LOAD-8 documents link outside, relative", link("documents", "../../root-outside/documents"), cache.ErrInvalid},
		{"LOAD-8 documents link to nothing", link("documents", "absent"), cache.ErrInvalid},
		{"LOAD-8 documents link to the cache itself", both(copyFile(fileA, filepath.Base(fileA)), both(copyFile(fileB, filepath.Base(fileB)), link("documents", "."))), nil},

		{"LOAD-8 document link inside", moveAndLink(fileA, "documents/real", "real"), nil},
		{"LOAD-8 document link inside, above documents", moveAndLink(fileA, "real/a", "../real/a"), nil},
		{"LOAD-8 document link inside, absolute", moveAndLink(fileA, "real/a", "DIR/real/a"), nil},
		{"LOAD-8 document link out and in again", moveAndLink(fileA, "real", "../../../root/cache/real"), nil},
		{"LOAD-8 documents and document links", both(moveAndLink(fileA, "a", "../a"), moveAndLink("documents", "real", "DIR/real")), nil},
		{"LOAD-8 document link outside", link(fileA, "OUTSIDE/"+fileA), cache.ErrInvalid},
		{"LOAD-8 document link outside, relative", link(fileA, "../../../root-outside/"+fileA), cache.ErrInvalid},
		{"LOAD-8 document link to a neighbour", both(copyCache("../cache-2"), link(fileA, "../../cache-2/"+fileA)), cache.ErrInvalid},
		{"LOAD-8 document link to nothing", link(fileA, "absent"), cache.ErrInvalid},
		{"LOAD-8 document link to a directory", link(fileA, ".."), cache.ErrInvalid},
		{"LOAD-9 document link to the wrong one", link(fileA, filepath.Base(fileB)), cache.ErrInvalid},

		{"LOAD-10 index link outside", link("index.json", "OUTSIDE/index.json"), nil},
		{"LOAD-11 stray links", both(link("documents/x", "OUTSIDE"), link("x", "x")), nil},
	}
	checkLoads(t, cases)
}

// copyCache makes a second cache, relative to the first.
func copyCache(to string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { two.Write(t, filepath.Join(dir, to)) }
}

func copyFile(from, to string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		text, err := os.ReadFile(filepath.Join(dir, from))
		cachetest.Must(t, err)
		cachetest.Must(t, os.WriteFile(filepath.Join(dir, to), text, 0o644))
	}
}

// What is not a regular file is not waited for (LOAD-2, LOAD-8).
func TestSpecialFiles(t *testing.T) {
	var cases []loadCase
	for kind, put := range map[string]func(string) func(*testing.T, string){"pipe": pipe, "socket": socket, "device": device(1, 3), "no device": device(240, 77)} {
		cases = append(cases,
			loadCase{"LOAD-2 manifest is a " + kind, put("manifest.json"), cache.ErrInvalid},
			loadCase{"LOAD-2 manifest links to a " + kind, both(put("p"), link("manifest.json", "p")), cache.ErrInvalid},
			loadCase{"LOAD-2 manifest links to a " + kind + " by its path", both(put("p"), link("manifest.json", "DIR/p")), cache.ErrInvalid},
			loadCase{"LOAD-8 document is a " + kind, put(fileB), cache.ErrInvalid},
			loadCase{"LOAD-8 document links to a " + kind, both(put("p"), link(fileB, "../p")), cache.ErrInvalid},
			loadCase{"LOAD-10 index is a " + kind, put("index.json"), nil},
			loadCase{"LOAD-11 extra " + kind, put("documents/p"), nil},
		)
	}
	checkLoads(t, cases)
}

func pipe(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		remove(name)(t, dir)
		cachetest.Must(t, syscall.Mkfifo(filepath.Join(dir, name), 0o644))
	}
}

// socket binds a socket by a short path, as there is a limit.
func socket(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		remove(name)(t, dir)
		short, err := os.MkdirTemp("", "s")
		cachetest.Must(t, err)
		defer os.RemoveAll(short)
		listener, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: filepath.Join(short, "s")})
		cachetest.Must(t, err)
		listener.SetUnlinkOnClose(false)
		t.Cleanup(func() { listener.Close() })
		cachetest.Must(t, os.Rename(filepath.Join(short, "s"), filepath.Join(dir, name)))
	}
}

// CLI-8: the person at the command is trusted with any path. SEC-3: a client is
// not.
func TestPathsToTheCache(t *testing.T) {
	above := t.TempDir()
	root := filepath.Join(above, "root")
	two.Write(t, filepath.Join(root, "cache"))
	two.Write(t, filepath.Join(root, "team", "hand book"))
	two.Write(t, filepath.Join(above, "outside"))
	two.Write(t, filepath.Join(above, "root-x"))
	for name, target := range map[string]string{
		"inside": "cache", "inside-absolute": filepath.Join(root, "cache"), "inside-chain": "inside", "inside-around": "../root/cache", "root-itself": ".",
		"outside": "../outside", "outside-absolute": filepath.Join(above, "outside"), "outside-chain": "outside", "prefix": "../root-x", "above": "..",
		"broken": "absent", "loop": "loop", "team/up": "../cache", "team/out": "../../outside",
	} {
		cachetest.Must(t, os.Symlink(target, filepath.Join(root, name)))
	}
	cachetest.Must(t, os.Symlink(root, filepath.Join(above, "root-link")))
	cachetest.Must(t, os.Symlink("cache", filepath.Join(root, "name..link")))
	for _, tt := range []struct {
		rule, name      string
		command, server error
	}{
		{"SEC-5", "cache", nil, nil},
		{"SEC-5 dot", "./cache", nil, nil},
		{"SEC-5 slash", "cache/", nil, nil},
		{"SEC-5 dots and slashes", ".//./cache/./", nil, nil},
		{"SEC-5 nested", "team/hand book", nil, nil},
		{"SEC-5 empty is the root", "", cache.ErrInvalid, cache.ErrInvalid},
		{"SEC-5 dot is the root", ".", cache.ErrInvalid, cache.ErrInvalid},
		{"SEC-5 a directory without manifest", "team", cache.ErrInvalid, cache.ErrInvalid},
		{"SEC-3 link inside", "inside", nil, nil},
		{"SEC-3 absolute link inside", "inside-absolute", nil, nil},
		{"SEC-3 chain inside", "inside-chain", nil, nil},
		{"SEC-3 out and in again", "inside-around", nil, nil},
		{"SEC-3 link to the root", "root-itself/cache", nil, nil},
		{"SEC-3 nested link", "team/up", nil, nil},
		{"SEC-3 link outside", "outside", nil, cache.ErrMissing},
		{"SEC-3 absolute link outside", "outside-absolute", nil, cache.ErrMissing},
		{"SEC-3 chain outside", "outside-chain", nil, cache.ErrMissing},
		{"SEC-3 nested link outside", "team/out", nil, cache.ErrMissing},
		{"SEC-3 whole components", "prefix", nil, cache.ErrMissing},
		{"SEC-3 above", "above/outside", nil, cache.ErrMissing},
		{"SEC-3 above and back", "above/root/cache", nil, nil},
		{"SEC-2 broken link", "broken", cache.ErrMissing, cache.ErrMissing},
		{"SEC-1 two dots", "../root/cache", nil, cache.ErrMissing},
		{"SEC-1 two dots inside", "team/../cache", nil, cache.ErrMissing},
		{"SEC-1 two dots anywhere", "name..link", nil, cache.ErrMissing},
		{"SEC-1 only dots", "..", cache.ErrMissing, cache.ErrMissing},
		{"SEC-1 four dots", "....", cache.ErrMissing, cache.ErrMissing},
		{"SEC-1 absolute", "/cache", nil, cache.ErrMissing},
		{"SEC-1 absolute path of a cache", root + "/cache", cache.ErrMissing, cache.ErrMissing},
		{"SEC-1 backslash", `\cache`, cache.ErrMissing, cache.ErrMissing},
		{"SEC-2 backslash inside", `team\cache`, cache.ErrMissing, cache.ErrMissing},
		{"SEC-4 not a directory", "cache/manifest.json", cache.ErrMissing, cache.ErrMissing},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			if tt.name != ".." { // which has no manifest, for the command
				checkLoad(t, tt.command, func() (cachetest.Docs, error) { return openAll(t, root+"/"+tt.name) })
			}
			for _, from := range []string{root, root + "/", root + "/.", filepath.Join(above, "root-link"), root + "/../root"} {
				checkLoad(t, tt.server, func() (cachetest.Docs, error) { return openAllBelow(t, from, tt.name) })
				path, err := cache.Locate(from, tt.name)
				if isMissing := errors.Is(err, cache.ErrMissing); isMissing != (tt.server == cache.ErrMissing) || err == nil && !strings.HasPrefix(path, root) {
					t.Errorf("Locate: %q, %v", path, err)
				}
				inspection, err := cache.InspectBelow(from, tt.name)
				if isMissing := errors.Is(err, cache.ErrMissing); isMissing != (tt.server == cache.ErrMissing) || inspection.Valid != (tt.server == nil) {
					t.Errorf("INS-1: %+v, %v", inspection, err)
				}
			}
		})
	}
}

// SEC-1: a directory whose name a client may not say, though it is there.
func TestForbiddenNames(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a..b", "..a", "a..", "...", `\a`, `\\server`} {
		two.Write(t, filepath.Join(root, name))
		if docs, err := openAllBelow(t, root, name); !errors.Is(err, cache.ErrMissing) {
			t.Errorf("%q: %v, %v", name, docs, err)
		}
	}
	for _, name := range []string{"a.b", ".a", "a.", ". .", `a\b`, "日本 \U0001f600", "e\u0301", "\u202egnp", "a\nb", "-", "--help", "a:b", "con", "%2e%2e", "a\xffb", strings.Repeat("n", 255)} {
		two.Write(t, filepath.Join(root, name))
		checkLoad(t, nil, func() (cachetest.Docs, error) { return openAllBelow(t, root, name) })
	}
}

// SEC-6.
func TestMissingRoot(t *testing.T) {
	above := t.TempDir()
	cachetest.Must(t, os.WriteFile(filepath.Join(above, "file"), nil, 0o644))
	cachetest.Must(t, os.Symlink("loop", filepath.Join(above, "loop")))
	cachetest.Must(t, os.Symlink("absent", filepath.Join(above, "broken")))
	for _, root := range []string{"absent", "file", "loop", "broken", "absent/x", "file/x", "nul\x00"} {
		path := above + "/" + root
		_, openErr := cache.OpenBelow(path, "")
		_, inspectErr := cache.InspectBelow(path, "")
		_, listErr := cache.List(path)
		_, locateErr := cache.Locate(path, "")
		for i, err := range []error{openErr, inspectErr, listErr, locateErr} {
			if !errors.Is(err, cache.ErrMissing) || isOne(err) != 1 {
				t.Errorf("%q, question %d: %v", root, i, err)
			}
		}
	}
	if docs, err := openAll(t, filepath.Join(above, "broken")); !errors.Is(err, cache.ErrMissing) {
		t.Errorf("LOAD-1 broken link: %v, %v", docs, err)
	}
}

// The root may itself be a cache (SEC-5).
func TestRootIsACache(t *testing.T) {
	root := t.TempDir()
	two.Write(t, root)
	for _, name := range []string{"", ".", "./", "././"} {
		checkLoad(t, nil, func() (cachetest.Docs, error) { return openAllBelow(t, root, name) })
		if got, err := cache.InspectBelow(root, name); err != nil || !got.Valid || got.DocumentCount != 2 {
			t.Errorf("%q: %+v, %v", name, got, err)
		}
	}
}
