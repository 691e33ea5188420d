package launch_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/mcp/transport"
	"mcpworks/packs/launch/internal/fixtures"
)

// A recorder keeps all that is received.
type recorder struct {
	transport.Conn
	heard bytes.Buffer
}

func (r *recorder) Read() ([]byte, error) {
	frame, err := r.Conn.Read()
	r.heard.Write(frame)
	r.heard.WriteByte('\n')
	return frame, err
}

// seeds are secrets, by where they stand.
var seeds = map[string]string{
	"a variable that looks like a secret": "plain-words-0123456789",
	"a variable that a config names":      "other-words-0123456789",
	"an argument":                         "ghp_0123456789abcdefghijABCDEFGHIJ0123",
	"an address":                          "hunter2-in-an-address",
	"the repository":                      "AKIAABCDEFGHIJKLMNOP",
}

// S-36, S-39: after a run from its start to its pull request, and after calls that
// fail in many ways, no secret stands in any answer, event, record, log line or
// file, and no place of this machine does. The repository is not searched, which
// is where one of them comes from.
func TestS36NothingLeaks(t *testing.T) {
	product := fixtures.Sparse()
	product["README.md"] += "\n## Features\n\n- Reads CSV files with the key " + seeds["the repository"] + ".\n- Counts lines of text files.\n"
	w := newWorkplace(t, product)
	dir := t.TempDir()
	places := map[string]string{"the data directory": w.data, "the home directory": filepath.Join(dir, "home"), "the temporary directory": filepath.Join(dir, "temporary")}
	for _, place := range []string{"home", "temporary"} {
		if err := os.Mkdir(filepath.Join(dir, place), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p := w.serve(t, "ACME_TOKEN="+seeds["a variable that looks like a secret"], "GITHUB_TOKEN="+seeds["a variable that a config names"],
		"HOME="+places["the home directory"], "TMPDIR="+places["the temporary directory"])
	heard := &recorder{Conn: p.conn}
	p.conn = heard
	run := p.startRun(w.config(map[string]any{"commit_service": map[string]any{"github_token_env": "GITHUB_TOKEN"}}))
	if state := p.rest(run); state != "READY_FOR_PR" {
		t.Fatalf("the run rests in %s", state)
	}
	p.leak(t, w, run, places)
	p.call("launch_open_pr", `{"run_id":"`+run+`"}`).structured(t, nil)
	p.readAll(t, run)
	if code := p.leave(); code != 0 {
		t.Errorf("the program ends with %d", code)
	}
	found := kept(t, w.data)
	found["the answers"], found["standard error"] = heard.heard.Bytes(), p.log.Bytes()
	for name, content := range found {
		for what, secret := range seeds {
			if bytes.Contains(content, []byte(secret)) {
				t.Errorf("S-36: the secret from %s is in %s", what, name)
			}
		}
		for what, place := range places {
			if bytes.Contains(content, []byte(place)) {
				t.Errorf("S-39: %s is named in %s", what, name)
			}
		}
		if name == "the answers" && bytes.Contains(content, []byte("goroutine ")) {
			t.Error("S-36: an answer has a stack trace")
		}
	}
	for _, place := range []string{"home", "temporary"} { // nothing is left behind there, either
		if left, err := os.ReadDir(filepath.Join(dir, place)); err != nil || len(left) > 0 {
			t.Errorf("in the %s directory there is %v, %v", place, left, err)
		}
	}
	if len(found) < 30 {
		t.Errorf("only %d files were searched", len(found))
	}
}

// leak says secrets and places in every way that a client can.
func (p *process) leak(t *testing.T, w workplace, run string, places map[string]string) {
	t.Helper()
	words := quote(strings.Join([]string{
		seeds["a variable that looks like a secret"], seeds["a variable that a config names"], seeds["an argument"], places["the data directory"],
		places["the home directory"] + "/x", places["the temporary directory"] + "/x",
	}, " "))
	address := quote("https://user:" + seeds["an address"] + "@github.com/acme/acme")
	for _, call := range []struct{ tool, arguments string }{
		{"no_such_" + seeds["an argument"], `{"api_key":` + words + `}`},
		{"get_run_status", `{"run_id":` + words + `}`},
		{"get_run_status", `{"run_id":"` + run + `","note":` + words + `}`},
		{"get_artifact", `{"run_id":"` + run + `","artifact_name":` + words + `}`},
		{"list_runs", `{"cursor":` + words + `}`},
		{"list_runs", `{"filter":{"product_slug":` + words + `}}`},
		{"validate_taskcard", `{"path":` + words + `}`},
		{"validate_taskcard", `{"content":` + words + `}`},
		{"validate_run", `{"run_id":"` + run + `","gates":[` + words + `]}`},
		{"launch_start_run", `{"run_config":` + w.config(map[string]any{"product_slug": "x y", "product_name": seeds["an argument"], "api_key": json.RawMessage(words)}) + `}`},
		{"launch_start_run", `{"run_config":` + w.config(map[string]any{"github_repo_url": json.RawMessage(address)}) + `,"idempotency_key":` + words + `}`},
		{"launch_start_run_from_github_repo_url", `{"github_repo_url":` + address + `}`},
		{"launch_start_run_from_product_url", `{"url":` + strings.Replace(address, "github.com", "products.aspose.org", 1) + `}`},
	} {
		p.call(call.tool, call.arguments)
	}
	other := p.startRun(w.config(map[string]any{"stop_at": "PLAN_READY"}))
	p.call("cancel_run", `{"run_id":"`+other+`","reason":`+quote(seeds["a variable that looks like a secret"]+" "+places["the data directory"])+`}`).structured(t, nil)
	p.call("get_telemetry", `{"run_id":"`+other+`","include":["summary","runs","events","tool_calls"]}`).structured(t, nil)
}

// readAll reads all files of a run that it lists, and what is known of it.
func (p *process) readAll(t *testing.T, run string) {
	t.Helper()
	var status struct{ Artifacts []struct{ Name string } }
	p.call("get_run_status", `{"run_id":"`+run+`"}`).structured(t, &status)
	for _, listed := range status.Artifacts {
		p.call("get_artifact", `{"run_id":"`+run+`","artifact_name":"`+listed.Name+`"}`).structured(t, nil)
	}
	for _, name := range []string{"events.ndjson", "snapshot.json", "run_config.yaml"} {
		p.call("get_artifact", `{"run_id":"`+run+`","artifact_name":"`+name+`"}`).structured(t, nil)
	}
	p.call("get_telemetry", `{"run_id":"`+run+`","include":["summary","runs","events","tool_calls"]}`).structured(t, nil)
}

// kept are the files of a data directory that are not git's.
func kept(t *testing.T, data string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(data, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(data, name)
		if err != nil {
			return err
		}
		if base := entry.Name(); entry.IsDir() && (base == "work" || strings.HasSuffix(base, ".git") || relative == "cache") {
			return filepath.SkipDir
		}
		if entry.Type().IsRegular() {
			files[relative], err = os.ReadFile(name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
