package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A product is a repository that pages are made for.
type product struct {
	name    string
	url     string
	commits []string
}

var formats = []string{"CSV", "JSON", "XML", "YAML", "TOML", "HTML", "PDF", "SVG", "PNG", "XLSX"}

// newProduct makes a repository of a Python library with about so many files and
// some commits: modules with their tests, examples, and pages about them.
func (b *bench) newProduct(ctx context.Context, name string, files, commits int) (product, error) {
	p := product{name: name, url: "file://" + filepath.Join(b.dir, name)}
	tree := map[string]string{
		"README.md":      fmt.Sprintf("# %s\n\n%[1]s reads CSV files and writes JSON files.\n\n## Installation\n\n```sh\npip install %[1]s\n```\n\n## Features\n\n- Reads CSV files\n- Writes JSON files\n", name),
		"LICENSE":        "MIT License\n",
		"pyproject.toml": fmt.Sprintf("[project]\nname = %q\nversion = \"1.2.0\"\nlicense = \"MIT\"\nrequires-python = \">=3.9\"\n", name),
	}
	for i := 0; len(tree) < files; i++ {
		format := formats[i%len(formats)]
		module, title := fmt.Sprintf("part%03d", i), fmt.Sprintf("%s part %d", format, i)
		tree["src/"+name+"/"+module+".py"] = fmt.Sprintf("\"\"\"%s: reads %s files.\"\"\"\n\n\ndef read_%s(path):\n    \"\"\"Read a %[2]s file and return its rows.\"\"\"\n    with open(path) as source:\n        return source.read().splitlines()\n", title, format, module)
		tree["tests/test_"+module+".py"] = fmt.Sprintf("from %s.%s import read_%[2]s\n\n\ndef test_read(tmp_path):\n    (tmp_path / \"a\").write_text(\"x\")\n    assert read_%[2]s(tmp_path / \"a\") == [\"x\"]\n", name, module)
		tree["docs/"+module+".md"] = fmt.Sprintf("# %s\n\nThe function `read_%s` reads %s files.\n\n```python\nfrom %[4]s.%[2]s import read_%[2]s\n\nrows = read_%[2]s(\"input\")\n```\n", title, module, format, name)
		tree["examples/"+module+".py"] = fmt.Sprintf("from %s.%s import read_%[2]s\n\nfor row in read_%[2]s(\"input\"):\n    print(row)\n", name, module)
	}
	for path, text := range tree {
		if err := write(filepath.Join(b.dir, name, path), text); err != nil {
			return p, err
		}
	}
	if err := p.git(ctx, "init", "-q", "-b", "main"); err != nil {
		return p, err
	}
	if err := p.git(ctx, "config", "uploadpack.allowAnySHA1InWant", "true"); err != nil {
		return p, err
	}
	for i := range commits {
		if err := write(filepath.Join(b.dir, name, "CHANGELOG.md"), fmt.Sprintf("# Changes\n\n- Version 1.2.%d\n", i)); err != nil {
			return p, err
		}
		if err := p.commit(ctx); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (p *product) commit(ctx context.Context) error {
	if err := p.git(ctx, "add", "-A"); err != nil {
		return err
	}
	if err := p.git(ctx, "commit", "-q", "-m", "a version"); err != nil {
		return err
	}
	sha, err := gitIn(ctx, strings.TrimPrefix(p.url, "file://"), "rev-parse", "HEAD")
	p.commits = append(p.commits, sha)
	return err
}

func (p *product) git(ctx context.Context, args ...string) error {
	_, err := gitIn(ctx, strings.TrimPrefix(p.url, "file://"), args...)
	return err
}

// gitIn runs git in a folder, with nothing of this machine's configuration.
func gitIn(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=bench", "GIT_AUTHOR_EMAIL=bench@example.org", "GIT_COMMITTER_NAME=bench", "GIT_COMMITTER_EMAIL=bench@example.org")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, lastLines(said.String(), 3))
	}
	return strings.TrimSpace(string(out)), err
}

// config is a run_config for a commit of the product.
func (p product) config(site, commit, stopAt string) map[string]any {
	var allowed []string
	sections := []string{"products", "docs", "reference", "kb", "blog"}
	for _, section := range sections {
		allowed = append(allowed, "content/"+section+"/"+p.name+"/")
	}
	return map[string]any{
		"schema_version": "2.0", "product_slug": p.name, "product_name": strings.ToUpper(p.name[:1]) + p.name[1:], "family": p.name, "locale": "en",
		"site_profile": site, "github_repo_url": p.url, "github_ref": commit, "required_sections": sections, "allowed_paths": allowed,
		"validation_profile": "ci", "stop_at": stopAt,
	}
}

// writeConfig is config as a file.
func (p product) writeConfig(name, site, stopAt string) error {
	text, err := json.Marshal(p.config(site, p.commits[len(p.commits)-1], stopAt))
	if err != nil {
		return err
	}
	return write(name, string(text))
}
