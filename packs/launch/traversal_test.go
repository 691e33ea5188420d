package launch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/packs/launch"

	"pgregory.net/rapid"
)

// S-32: whatever a client names, in any argument that names something, it does not
// get at a file outside. The house stands in a folder with such files, beside and
// above everything that may be read.
func TestS32Traversal(t *testing.T) {
	const secret = "nobody may read this"
	outside := t.TempDir()
	data, cards := filepath.Join(outside, "data"), filepath.Join(outside, "cards")
	for _, name := range []string{"x", "x.md", "TC-1.md", "TC-1_x.md", "cards-x/TC-1.md", "data-x/x", "events.ndjson", "snapshot.json"} {
		file := filepath.Join(outside, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(secret), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(cards, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "TC-1.md"), filepath.Join(cards, "TC-1.md")); err != nil {
		t.Fatal(err)
	}
	h := newHouse(t, launch.Config{DataDir: data, TaskcardsDir: cards, CallsPerMinute: 1_000_000}, nil, false)
	s := h.open(t)
	run := s.start("one")
	pieces := rapid.SampledFrom([]string{"..", ".", "/", "\\", "%2e%2e", "~", "$HOME", "x", "x.md", "TC-1.md", "data", "runs", run, outside, "\x00", "ü", "reports", "cards"})
	rapid.Check(t, func(rt *rapid.T) {
		name := quote(strings.Join(rapid.SliceOfN(pieces, 1, 8).Draw(rt, "pieces"), rapid.SampledFrom([]string{"", "/"}).Draw(rt, "between")))
		for _, call := range []struct{ tool, arguments string }{
			{"get_run_status", `{"run_id":` + name + `}`},
			{"get_artifact", `{"run_id":` + name + `,"artifact_name":"snapshot.json"}`},
			{"get_artifact", `{"run_id":"` + run + `","artifact_name":` + name + `}`},
			{"validate_taskcard", `{"path":` + name + `}`},
			{"validate_taskcard", `{"taskcard_id":"TC-1"}`},
			{"list_taskcards", `{}`},
			{"list_runs", `{"cursor":` + name + `}`},
			{"list_taskcards", `{"cursor":` + name + `}`},
			{"get_telemetry", `{"run_id":"` + run + `","cursor":` + name + `}`},
		} {
			s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + call.tool + `","arguments":` + call.arguments + `}}`)
			frame, err := s.conn.Read()
			if err != nil {
				rt.Fatal(err)
			}
			if text := string(frame); strings.Contains(text, secret) {
				rt.Fatalf("%s %s is answered with %s", call.tool, call.arguments, text)
			}
			named := strings.Contains(call.arguments, name) && call.tool != "list_taskcards" && name != quote(run)
			refused := strings.Contains(string(frame), `"error":{"code":-326`) || strings.Contains(string(frame), `the file cannot be read`) // the link TC-1.md
			if named && !refused {
				rt.Fatalf("%s takes %s: %s", call.tool, call.arguments, frame)
			}
		}
	})
}
