package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcpworks/lint"
)

// An npmPackage is what a command of npm runs; the zero one is nothing.
type npmPackage struct {
	name string
	spec string // the name with the version that was asked for, as it was written
	dir  string // where the command runs
}

// npmPackageOf reads the package off the words of a command.
func npmPackageOf(words []string, dir string) npmPackage {
	switch strings.TrimSuffix(filepath.Base(words[0]), ".cmd") {
	case "npx":
	case "node":
		return packageOfFile(words[min(1, len(words)-1)])
	default:
		return packageOfFile(words[0])
	}
	for i := 1; i < len(words); i++ {
		option, value, inline := strings.Cut(words[i], "=")
		switch {
		case option == "-p" || option == "--package":
			if !inline && i+1 < len(words) {
				value = words[i+1]
			}
			return packageOfSpec(value, dir)
		case words[i] == "-c" || words[i] == "--call":
			return npmPackage{} // a line of a shell
		case strings.HasPrefix(words[i], "-"):
		default:
			return packageOfSpec(words[i], dir)
		}
	}
	return npmPackage{}
}

// packageOfFile is the package that a file is part of, wherever a link to it
// stands.
func packageOfFile(file string) npmPackage {
	if found, err := exec.LookPath(file); err == nil {
		file = found
	}
	whole, err := filepath.EvalSymlinks(file)
	if err != nil {
		return npmPackage{}
	}
	folder := string(filepath.Separator) + "node_modules" + string(filepath.Separator)
	at := strings.LastIndex(whole, folder)
	if at < 0 {
		return npmPackage{}
	}
	parts := strings.SplitN(filepath.ToSlash(whole[at+len(folder):]), "/", 3)
	name := parts[0]
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		name += "/" + parts[1]
	}
	return npmPackage{name: name, dir: whole[:at]}
}

func packageOfSpec(spec, dir string) npmPackage {
	if !scoped.MatchString(spec) && !unscoped.MatchString(spec) {
		return npmPackage{}
	}
	name := spec
	if at := strings.LastIndexByte(spec, '@'); at > 0 {
		name = spec[:at]
	}
	return npmPackage{name: name, spec: spec, dir: dir}
}

// mostCached is how many installations of npx are looked at.
const mostCached = 1000

// installed finds the version that npx runs: that of the directory, or else the
// newest of those that were installed for the same words. It is empty if that
// is not known.
func (p npmPackage) installed() lint.Package {
	if p.name == "" {
		return lint.Package{}
	}
	if version, _ := p.versionIn(p.dir); version != "" {
		return lint.Package{Name: p.name, Version: version}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return lint.Package{}
	}
	found, err := filepath.Glob(filepath.Join(npmCache(home), "_npx", "*", "package.json"))
	if err != nil {
		return lint.Package{}
	}
	var newest time.Time
	var version string
	for _, manifest := range found[:min(len(found), mostCached)] {
		if !p.isFor(manifest) {
			continue
		}
		if candidate, changed := p.versionIn(filepath.Dir(manifest)); candidate != "" && changed.After(newest) {
			version, newest = candidate, changed
		}
	}
	if version == "" {
		return lint.Package{}
	}
	return lint.Package{Name: p.name, Version: version}
}

// npmCache is where npm keeps what it has fetched.
func npmCache(home string) string {
	if dir := os.Getenv("npm_config_cache"); dir != "" {
		return dir
	}
	return filepath.Join(home, ".npm")
}

// isFor says whether npx made an installation for the same words.
func (p npmPackage) isFor(manifest string) bool {
	var installation struct {
		NPX struct{ Packages []string } `json:"_npx"`
	}
	_, ok := readManifest(manifest, &installation)
	return ok && slices.Contains(installation.NPX.Packages, p.spec)
}

// versionIn is that of the package as it is installed below a directory.
func (p npmPackage) versionIn(dir string) (version string, changed time.Time) {
	var manifest struct{ Version string }
	changed, _ = readManifest(filepath.Join(dir, "node_modules", filepath.FromSlash(p.name), "package.json"), &manifest)
	return manifest.Version, changed
}

// manifestBytes bounds a package.json.
const manifestBytes = 1 << 20

func readManifest(file string, to any) (changed time.Time, ok bool) {
	in, err := os.Open(file)
	if err != nil {
		return changed, false
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return changed, false
	}
	text, err := io.ReadAll(io.LimitReader(in, manifestBytes))
	return info.ModTime(), err == nil && json.Unmarshal(text, to) == nil
}
