//go:build unix

package doctor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/internal/version"
	"mcpworks/lint/doctor"
)

func write(t *testing.T, text string, mode os.FileMode, path ...string) string {
	t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return file
}

// B4 without a target: which programs there are. One that is missing is no
// failure, one that does not answer is worth a word.
func TestPrograms(t *testing.T) {
	bin := t.TempDir()
	write(t, "#!/bin/sh\necho v20.1.0\n", 0o700, bin, "node")
	write(t, "#!/bin/sh\necho 'Docker version 27.0.3, build abc'\n", 0o700, bin, "docker")
	write(t, "#!/bin/sh\n[ \"$1 $GOTOOLCHAIN\" = 'version local' ] && echo 'go version go1.99.1 linux/amd64'\n", 0o700, bin, "go")
	write(t, "#!/bin/sh\nexit 3\n", 0o700, bin, "uv")
	t.Setenv("PATH", bin)
	d := doctor.ExamineMachine(t.Context(), doctor.Places{})
	if d.Failed() || d.Cause != nil {
		t.Errorf("it fails:\n%s", d.Text())
	}
	for name, want := range map[string]string{
		"mcplint": "ok version " + version.Number + ",", "node": "ok 20.1.0, " + bin, "docker": "ok 27.0.3, " + bin, "go": "ok 1.99.1, " + bin,
		"npx": "skipped it is not installed", "uvx": "skipped it is not installed", "python3": "skipped it is not installed",
		"uv": "warning it does not tell its version", "configurations": "skipped none",
	} {
		if s := step(t, d, name); !strings.HasPrefix(string(s.State)+" "+s.Found, want) {
			t.Errorf("%s: %s %s, want %s", name, s.State, s.Found, want)
		}
	}
}

// B10: the configurations that are there, and whether they can be read.
func TestConfigurations(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	home := filepath.Join(t.TempDir(), "odd [name]*")
	at := doctor.Places{Home: home, Config: filepath.Join(home, ".config"), Project: filepath.Join(home, "project")}
	files := map[string]string{
		write(t, `{"mcpServers":{"a":{"command":"x"},"b":{}},"projects":{"/p":{"mcpServers":{"c":{}}}}}`, 0o600, home, ".claude.json"):              "it can be read, with 3 servers",
		write(t, "\xef\xbb\xbf{\n  // mine\n  \"mcpServers\": {\"a\": {\"url\": \"http://x\",},}, /* all */\n}\n", 0o600, home, ".cursor/mcp.json"): "it can be read, with 1 server",
		write(t, "[mcp_servers.a]\n", 0o600, home, ".codex/config.toml"):                                                                            "it is there; its format is not looked into",
		write(t, "name: x\n", 0o600, home, ".continue/mcpServers/one.yaml"):                                                                         "it is there; its format is not looked into",
		write(t, `{"servers":{}}`, 0o600, at.Config, "Code/User/mcp.json"):                                                                          "it can be read, with 0 servers",
		write(t, `{"mcp.servers":{"a":{}}}`, 0o600, at.Config, "Code/User/settings.json"):                                                           "it can be read, with 1 server",
		write(t, `{"mcp":{"servers":{"a":{}}}}`, 0o600, at.Config, "Code - Insiders/User/settings.json"):                                            "it can be read, with 1 server",
		write(t, `{"context_servers":{"a":{}}}`, 0o600, home, ".config/zed/settings.json"):                                                          "it can be read, with 1 server",
		write(t, `{"mcpServers":{"a":{}}}`, 0o600, at.Project, ".mcp.json"):                                                                         "it can be read, with 1 server",
	}
	d := doctor.ExamineMachine(t.Context(), at)
	if d.Failed() {
		t.Errorf("it fails:\n%s", d.Text())
	}
	for file, want := range files {
		found := false
		for _, s := range d.Steps {
			if strings.HasSuffix(s.Name, ": "+file) {
				found = true
				if s.State != doctor.OK || s.Found != want {
					t.Errorf("%s: %s %s, want %s", file, s.State, s.Found, want)
				}
			}
		}
		if !found {
			t.Errorf("%s was not found:\n%s", file, d.Text())
		}
	}
}

// Exit 0 only if every required step passed: a file that its client cannot read
// is a failure, and what is secret in it is not shown.
func TestBrokenConfigurations(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for name, text := range map[string]string{
		"cut off":   `{"mcpServers": {"a": {"env": {"TOKEN": "hunter2-hunter2"`,
		"no comma":  `{"mcpServers": {} "token": "hunter2-hunter2"}`,
		"empty":     ``,
		"a comment": `{} /* hunter2-hunter2`,
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			file := write(t, text, 0o600, home, ".mcp.json")
			d := doctor.ExamineMachine(t.Context(), doctor.Places{Project: home})
			s := step(t, d, "Claude Code: "+file)
			if !d.Failed() || s.State != doctor.Failed || !strings.HasPrefix(s.Found, "it is no JSON") || s.Action == "" || strings.Contains(d.Text(), "hunter2") {
				t.Errorf("it is %+v", s)
			}
		})
	}
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".mcp.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if d := doctor.ExamineMachine(t.Context(), doctor.Places{Project: home}); !d.Failed() {
		t.Errorf("a folder passes for a file:\n%s", d.Text())
	}
}
