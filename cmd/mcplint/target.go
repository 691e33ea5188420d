package main

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"mcpworks/internal/cmdline"
	"mcpworks/lint/conceal"
	"mcpworks/mcp/client"
)

// The values of --transport.
const (
	transportAuto  = "auto"
	transportStdio = "stdio"
	transportHTTP  = "http"
	transportSSE   = "sse"
)

// A target is where the server is (A8.1).
type target struct {
	client.Target
	way   client.Way
	words []string // of a command; nil for a URL
	name  string   // for messages; nothing in it is secret
}

var (
	webAddress = regexp.MustCompile(`(?i)^https?://`)
	scoped     = regexp.MustCompile(`^@[a-z0-9~][a-z0-9._~-]*/[a-z0-9~][a-z0-9._~-]*(@[A-Za-z0-9._~^*-]+)?$`)
	unscoped   = regexp.MustCompile(`^[a-z0-9~][a-z0-9._~-]*(@[A-Za-z0-9._~^*-]+)?$`)
)

// interpreters say what runs a file, by how its name ends.
var interpreters = map[string][]string{
	".js": {"node"}, ".mjs": {"node"}, ".cjs": {"node"}, ".ts": {"npx", "tsx"}, ".py": {"python3"},
}

// programs are no packages of npm, whatever there is by their names: where they
// come from.
var programs = map[string]string{
	"node": "Node.js", "npx": "Node.js", "npm": "Node.js", "python": "Python", "python3": "Python", "pip": "Python", "pipx": "Python",
	"uv": "uv", "uvx": "uv", "docker": "Docker", "podman": "Podman", "go": "Go", "cargo": "Rust", "deno": "Deno", "bun": "Bun", "bunx": "Bun",
	"java": "a Java runtime", "ruby": "Ruby", "php": "PHP", "dotnet": ".NET", "bash": "Bash", "sh": "every system", "zsh": "Zsh",
}

func isPackageName(word string) bool { return unscoped.MatchString(word) && programs[word] == "" }

// resolve finds out what the words of a target mean.
func (v verb) resolve(c *call) (target, error) {
	if names := grammar.Swallowed(v.Verb, c.Target); len(names) > 0 {
		c.notice("%s behind the target was passed to the server; options of mcplint stand before the target", strings.Join(names, ", "))
	}
	transport, word := c.Value(optTransport), c.Target[0]
	isWeb := webAddress.MatchString(word)
	switch {
	case transport == transportHTTP || transport == transportSSE:
		if !isWeb {
			if err := v.checkAddress(word); err != nil {
				return target{}, err
			}
			return target{}, v.usage("--transport %s needs a URL, and %q is none", transport, word)
		}
		return v.resolveURL(c, transport)
	case isWeb && transport != transportStdio:
		return v.resolveURL(c, transportAuto)
	}
	if err := v.checkAddress(word); err != nil && transport != transportStdio {
		return target{}, err
	}
	for _, name := range []string{optHeader, optBearerEnv, optInsecure, optCAFile} {
		if c.Has(name) {
			return target{}, v.usage("%s is for URLs, and %q is a command", name, word)
		}
	}
	words, err := commandLine(c)
	if err != nil {
		return target{}, err
	}
	command := client.Command{Args: words, Dir: c.Value(optCwd), Env: c.Values[optEnv], InheritEnv: c.Has(optInherit)}
	_, secrets := conceal.Target(command)
	c.hidden.add(secrets...)
	return target{Target: command, words: words, name: words[0]}, nil
}

var (
	otherScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)
	// hostAndMore matches what lacks nothing but a scheme: a host with a port, a
	// path, or both.
	hostAndMore = regexp.MustCompile(`^(localhost|[0-9]+(?:\.[0-9]+){3}|\[[0-9A-Fa-f:]+\]|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}|[A-Za-z0-9-]+(:[0-9]+))(?::[0-9]+(?:/.*)?|/.*)?$`)
)

// checkAddress refuses what is meant to be a URL and is none that can be used.
func (v verb) checkAddress(word string) error {
	if _, err := exec.LookPath(word); err == nil {
		return nil
	}
	if _, err := os.Stat(word); err == nil {
		return nil
	}
	match := hostAndMore.FindStringSubmatch(word)
	switch {
	case otherScheme.MatchString(word):
		return v.usage("a URL of a server begins with http:// or https://, and %q does not", conceal.Bare(word))
	case match == nil || match[2] == "" && !strings.ContainsAny(word, ":/") && match[1] != "localhost":
		return nil
	}
	scheme := "https://"
	if match[1] == "localhost" || match[2] != "" || strings.Trim(match[1], "0123456789.") == "" || strings.HasPrefix(match[1], "[") {
		scheme = "http://"
	}
	return cmdline.Mistaken(fmt.Sprintf("%q is neither a command nor a file here, nor a URL", word), "did you mean "+scheme+word+"?")
}

func (v verb) resolveURL(c *call, transport string) (target, error) {
	address, err := url.Parse(c.Target[0])
	switch {
	case err != nil || address.Host == "":
		return target{}, v.usage("the target is not a URL that can be used")
	case len(c.Target) > 1:
		return target{}, v.usage("a URL takes no arguments, and %q follows it", c.Target[1])
	}
	for _, name := range []string{optEnv, optInherit, optCwd} {
		if c.Has(name) {
			return target{}, v.usage("%s is for commands, and the target is a URL", name)
		}
	}
	shown, secrets := conceal.Address(c.Target[0])
	c.hidden.add(secrets...)
	ways := map[string]client.Way{transportHTTP: client.Streamable, transportSSE: client.SSE}
	return target{Target: client.URL(address.String()), way: ways[transport], name: shown}, nil
}

// commandLine makes the words of a target a command: a file is run by what is
// made for it, and a package of npm by npx.
func commandLine(c *call) ([]string, error) {
	word, rest := c.Target[0], c.Target[1:]
	_, missing := exec.LookPath(word)
	info, err := os.Stat(word)
	if err == nil && info.Mode().IsRegular() {
		whole, err := filepath.Abs(word)
		if err != nil {
			return nil, err
		}
		if interpreter := interpreters[strings.ToLower(filepath.Ext(word))]; interpreter != nil {
			return append(append(append([]string{}, interpreter...), whole), rest...), nil
		}
		if missing != nil || strings.ContainsRune(word, filepath.Separator) {
			return append([]string{whole}, rest...), nil
		}
	}
	if err == nil && info.IsDir() && missing != nil {
		return nil, &failure{exit: exitUnreachable, err: fmt.Errorf("%q is a directory, not a server", word)}
	}
	isPackage := scoped.MatchString(word) || len(rest) == 0 && isPackageName(word)
	if _, err := exec.LookPath("npx"); err == nil && missing != nil && isPackage && c.Value(optTransport) != transportStdio {
		c.notice("%q is no command here, so it is run as a package of npm: npx -y %s", word, word)
		return append([]string{"npx", "-y", word}, rest...), nil
	}
	return c.Target, nil
}
