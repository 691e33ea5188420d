// Package peers makes the servers of bench/peers ready to run.
package peers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Names lists the known peers in the order of reports.
var Names = []string{"mcpworks", "gosdk", "mcpgo", "typescript", "floor"}

// ErrUnavailable says that a peer cannot be built or installed here. The error
// text says why.
var ErrUnavailable = errors.New("not available")

// Root returns the folder of this module.
func Root(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "mcpworks").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: run this inside its tree: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// Prepare builds or installs the peer and returns the command that starts it.
// Go peers are built into dir; packages from npm are kept in bench/out.
func Prepare(ctx context.Context, root, dir, name string) ([]string, error) {
	source := filepath.Join(root, "bench", "peers", name)
	switch _, err := os.Stat(source); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: there is no bench/peers/%s", ErrUnavailable, name)
	case err != nil:
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(source, "package.json")); err == nil {
		return install(ctx, source, filepath.Join(root, "bench", "out", name))
	}
	binary := filepath.Join(dir, name)
	cmd := exec.CommandContext(ctx, "go", "build", "-o", binary, "./bench/peers/"+name)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	return []string{binary}, nil
}

// install copies a Node peer next to its packages and installs those.
func install(ctx context.Context, source, target string) ([]string, error) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, fmt.Errorf("%w: %s is not installed", ErrUnavailable, tool)
		}
	}
	if err := os.MkdirAll(target, 0o777); err != nil {
		return nil, err
	}
	if err := copyFiles(source, target); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error")
	cmd.Dir = target
	if out, err := cmd.CombinedOutput(); err != nil {
		last := strings.TrimSpace(string(out))
		first, _, _ := strings.Cut(last, "\n")
		return nil, fmt.Errorf("%w: npm install: %w: %s", ErrUnavailable, err, first)
	}
	return []string{"node", filepath.Join(target, "server.mjs")}, nil
}

func copyFiles(source, target string) error {
	files, err := os.ReadDir(source)
	if err != nil {
		return err
	}
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(source, file.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(target, file.Name()), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
