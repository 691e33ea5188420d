package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/mcp/client"
)

// runtimes are the programs that run servers. They are known to tell their
// version and nothing else when they are asked; no other program is asked.
var runtimes = []string{"node", "npx", "python3", "uv", "uvx", "docker", "go"}

func isRuntime(name string) bool {
	return slices.Contains(runtimes, name) || slices.Contains([]string{"npm", "python", "deno", "bun", "podman"}, name)
}

// program is the name of a program without its folder, and without the ending
// that it has on Windows.
func program(path string) string {
	name := strings.ToLower(filepath.Base(path))
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

var firstLine = regexp.MustCompile(`^#!\s*(\S+)(?:[ \t]+(?:-S[ \t]+)?([^\s-]\S*))?`)

// interpreter is the program that the first line of a script names; empty if
// the file is none.
func interpreter(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	head, _, _ := bounded.Read(file, 256) // what is no script has no such line
	match := firstLine.FindSubmatch(head)
	switch {
	case match == nil:
		return ""
	case program(string(match[1])) == "env":
		return string(match[2])
	}
	return string(match[1])
}

// versionTime is how long a program may take to tell its version.
const versionTime = 5 * time.Second

var versionNumber = regexp.MustCompile(`\d+(?:\.\d+)+\S*`)

// versionOf asks a runtime for its version. Nothing is left of it after that.
func versionOf(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	question := "--version"
	if program(path) == "go" {
		question = "version"
	}
	line, err := client.Dial(ctx,
		client.Command{Args: []string{path, question}, Env: []string{"GOTOOLCHAIN=local"}}, // another one would be fetched
		client.Options{Limits: client.Limits{Message: 4 << 10}})
	if err != nil {
		return "", err
	}
	defer line.Close(ctx)
	defer context.AfterFunc(ctx, func() { _ = line.Close(ctx) })()
	answer, err := line.Receive()
	if ctx.Err() != nil {
		return "", errors.New("it did not tell its version in time")
	}
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(plainLine(string(answer)))
	if number := versionNumber.FindString(text); number != "" {
		text = strings.TrimRight(number, ",;")
	}
	return bounded.Bytes(text, 60, "…"), nil
}
