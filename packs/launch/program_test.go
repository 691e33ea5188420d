package launch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mcpworks/mcp/transport/stdio"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/profiles"
)

// programFolder has the program, if a test needed it.
var programFolder string

func TestMain(m *testing.M) {
	code := m.Run()
	if programFolder != "" {
		os.RemoveAll(programFolder)
	}
	os.Exit(code)
}

// program builds foss-launcher-mcp once for all tests and returns its name.
var program = sync.OnceValues(func() (name string, err error) {
	if programFolder, err = os.MkdirTemp("", "launcher-program-"); err != nil {
		return "", err
	}
	name = filepath.Join(programFolder, "foss-launcher-mcp")
	if out, err := exec.Command("go", "build", "-o", name, "mcpworks/cmd/foss-launcher-mcp").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return name, nil
})

// A workplace is a data directory, and a product with a profile that lets runs
// read it.
type workplace struct{ data, profiles, repo string }

func newWorkplace(t *testing.T, product map[string]string) workplace {
	t.Helper()
	dir := t.TempDir()
	w := workplace{data: filepath.Join(dir, "data"), profiles: filepath.Join(dir, "profiles"), repo: localRepo(t, product)}
	allowing := strings.Replace(profileText(t, "default"), "allow_local_repos: false", "allow_local_repos: true", 1)
	fixtures.Write(t, w.profiles, map[string]string{"default.yaml": allowing})
	t.Cleanup(func() { _ = gitrepo.Remove(filepath.Join(w.data, "runs")) }) // some of it is read-only
	return w
}

// localRepo makes a repository and returns its address.
func localRepo(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "product")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	fixtures.Git(t, dir, files)
	return "file://" + dir
}

func profileText(t *testing.T, name string) string {
	t.Helper()
	text, err := profiles.Files.ReadFile(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// config is a run_config for the product, as JSON, with some members changed.
func (w workplace) config(changes map[string]any) string {
	config := map[string]any{
		"schema_version": "2.0", "product_slug": "acme", "product_name": "Acme", "family": "acme", "target_platform": "python", "locales": []string{"en"},
		"github_repo_url": w.repo, "github_ref": "main", "required_sections": []string{"products", "docs", "reference", "kb", "blog"},
		"allowed_paths": []string{"content/products/acme/", "content/docs/acme/", "content/reference/acme/", "content/kb/acme/", "content/blog/acme/"},
	}
	for name, value := range changes {
		config[name] = value
	}
	text, err := json.Marshal(config)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// A process is the program while it serves a client that has done the handshake.
type process struct {
	*session
	command *exec.Cmd
	stdin   io.Closer
	log     bytes.Buffer // its standard error, to be read when it has ended
}

// serve starts the program on the data directory.
func (w workplace) serve(t *testing.T, environ ...string) *process {
	t.Helper()
	name, err := program()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{command: exec.Command(name, "--data-dir", w.data, "--profiles-dir", w.profiles)}
	p.command.Env = append(append(os.Environ(), "LAUNCHER_LIMITS_CALLS_PER_MINUTE=100000"), environ...)
	p.command.Stderr = &p.log
	in, err := p.command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	conn := stdio.New(out, in, stdio.Options{MaxMessage: 16 << 20})
	p.stdin, p.session = in, &session{t: t, conn: conn, places: []string{w.data, w.profiles}}
	t.Cleanup(func() {
		p.kill()
		conn.Close(context.Background())
	})
	p.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"0"}}`)
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

// kill ends the process at once, if it has not ended.
func (p *process) kill() {
	if p.command.ProcessState == nil {
		_ = p.command.Process.Kill()
		_ = p.command.Wait()
	}
}

// leave closes the standard input of the process and returns its exit code.
func (p *process) leave() int {
	p.t.Helper()
	if err := p.stdin.Close(); err != nil {
		p.t.Error(err)
	}
	return p.exit()
}

// exit waits for the end of the process and returns its exit code.
func (p *process) exit() int {
	p.t.Helper()
	for {
		frame, err := p.conn.Read()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				p.t.Error(err)
			}
			break
		}
		if !json.Valid(frame) { // S-18
			p.t.Errorf("standard output has %q", frame)
		}
	}
	_ = p.command.Wait()
	return p.command.ProcessState.ExitCode()
}

// startRun starts a run of a config and returns its id.
func (s *session) startRun(config string) string {
	s.t.Helper()
	var started struct {
		RunID string `json:"run_id"`
	}
	s.call("launch_start_run", `{"run_config":`+config+`}`).structured(s.t, &started)
	return started.RunID
}
