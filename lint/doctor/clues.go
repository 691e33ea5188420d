package doctor

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"mcpworks/internal/bounded"
	"mcpworks/mcp/client"
)

// symptoms are what is known of a server that does not work.
type symptoms struct {
	command client.Command
	stdout  []string // lines that are no messages
	stderr  string
	ended   bool // the process is gone
	opened  bool // there was a session
}

// said is all that the server wrote for people.
func (s *symptoms) said() string { return strings.Join(s.stdout, "\n") + "\n" + s.stderr }

// A clue is how a cause shows.
type clue struct {
	id string
	// find returns the detail of the cause, and whether there is any sign of it.
	find func(*symptoms) (found string, ok bool)
}

// clues are looked for in this order, and the first that is found counts: what
// says most comes first. A crash names its reason before it prints how the
// program is used, and what is not found may be a file, a binding or a module.
var clues = []clue{
	{"docker-not-running", says("", `Cannot connect to the Docker daemon`, `[Dd]ocker daemon is not running`, `failed to connect to the docker API`)},
	{"docker-without-input", early(withoutInput)},
	{notFound, says("",
		`(?m)^(?:/\S+/)?(?:ba|da|k|z)?sh: (?:line )?(?:\d+: )?([^\s:]+): (?:command )?not found`,
		`(?m)^zsh:(?:\d+:)? command not found: (\S+)`,
		`(?m)^(?:/\S+/)?env: [‘'"]?([^\s’'":]+)[’'"]?: No such file or directory`,
		`\bspawn (\S+) ENOENT\b`,
		`'([^'\n]+)' is not recognized as an internal or external command`)},
	{"package-not-found", says("that was named",
		`(?s)npm (?:ERR!|error) (?:code E)?404.*?'([^'\s]+)' is not in this registry`,
		`The requested resource '([^'\s]+)' could not be found`,
		`npm (?:ERR!|error) code E404`,
		`Because (\S+) was not found in the package registry`,
		`No matching distribution found for (\S+)`,
		`pull access denied for ([^\s,]+)`,
		`manifest for (\S+) not found`)},
	{"package-without-command", says("", `could not determine executable to run`)},
	{"native-binding", says("it does not say which",
		`Cannot find module '([^'\n]+\.node)'`,
		`Could not locate the bindings file`,
		`The module '([^'\n]+\.node)'\s+was compiled against a different Node\.js version`,
		`(?m)^Error: ([^\n:]+\.node): `,
		`ERR_DLOPEN_FAILED`,
		`No native build was found for ([^\n]+)`,
		`(?:Cannot find|Failed to load) native binding`,
		`Could not load the "(\w+)" module using the`,
		`ImportError: ([^\s:]+): cannot open shared object file`,
		`ImportError: (DLL load failed while importing \w+)`,
		`error while loading shared libraries: ([^\s:]+):`)},
	{"file-not-found", says("",
		`(?s)Cannot find module '([^'\n]+)'\n(?:    at [^\n]+\n)*[^\n]*\{\n\s*code: 'MODULE_NOT_FOUND',\n\s*requireStack: \[\]`,
		`can't open file '([^'\n]+)'`,
		`Unable to access jarfile (\S+)`,
		`(?m)^(?:/\S+/)?(?:ba|da|k|z)?sh: (?:line )?(?:\d+: )?(?:cannot open |can't open )'?([^\s:']+)'?(?:: No such file|$)`,
		`(?m)^(?:/\S+/)?(?:ba|da|k|z)?sh: (?:line )?(?:\d+: )?([^\s:]+): No such file or directory`)},
	{"runtime-too-old", sentence(
		`(?i)\brequires? (?:at least )?node(?:\.js)?(?:[\s,:;>=^~]|$)`,
		`(?i)\brequires? (?:at least )?python ?(?:[>=~]|\d)`,
		`(?i)the engine "node" is incompatible with this module`,
		`(?i)\bnode(?:\.js)? (?:version )?v?\d[\d.]* (?:is (?:not|no longer) supported|is too old|or (?:higher|later|newer|above) is required)`,
		`(?i)\bunsupported (?:node(?:\.js)?|python) version`,
		`(?i)\bplease (?:upgrade|update) (?:to )?node\b`,
		`requires a different Python`,
		`No such built-in module: node:`,
		`The requested module 'node:[a-z/_]+' does not provide an export named`,
		`ReferenceError: (?:fetch|File|Blob|Headers|ReadableStream|WebSocket|CustomEvent|structuredClone|crypto) is not defined`,
		`SyntaxError: Unexpected token '(?:\?\?=|\|\|=|&&=|\?\?|\.|\?)'`,
		`UnsupportedClassVersionError`)},
	{"missing-module", says("",
		`Cannot find (?:module|package) ['"]([^'"\n]+)['"]`,
		`No module named '?([\w.]+)'?`,
		`ImportError: cannot import name '(\w+)'`,
		`cannot load such file -- (\S+)`,
		`Module not found "([^"\n]+)"`,
		`ClassNotFoundException: (\S+)`,
		`Could not find or load main class (\S+)`,
		`no required module provides package ([^\s;]+)`)},
	{"port-in-use", says("that it wants",
		`EADDRINUSE: address already in use (\S+)`,
		`EADDRINUSE\b`,
		`listen tcp (\S+): bind: address already in use`,
		`bind on address (\([^)\n]+\)): (?:\[[^\]\n]*\] )?address already in use`,
		`(?i)\baddress already in use\b`,
		`(?i)\bport (\d+) is (?:already )?(?:in use|taken|occupied)`)},
	{missingVariable, lacking},
	{"backend-unresolved", says("it does not say which",
		`getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S+)`,
		`lookup (\S+?)(?: on \S+)?: no such host`,
		`Could not resolve host: (\S+)`,
		`Name or service not known`,
		`Temporary failure in name resolution`)},
	{"backend-refused", says("it does not say what",
		`connect ECONNREFUSED (\S+)`,
		`dial tcp (\S+): connect: connection refused`,
		`(?i)\bconnection refused\b`)},
	{"runtime-too-old", sentence(`\bEBADENGINE\b[^\n]*required:[^\n]*`, `\bEBADENGINE\b`)},
	{"lsp-framing", early(says("",
		`(?im)^Content-Length: *\d+\s*$`,
		`Header must provide a Content-Length property`))},
	{"usage-text", early(dead(sentence(
		`(?im)^\s*usage:\s*[^\d\s]`,
		`(?i)\bthe following (?:required )?arguments (?:are required|were not provided)`,
		`(?i)\bmissing required argument`,
		`(?i)\bnot enough non-option arguments`,
		`(?im)^(?:error: )?missing (?:sub)?command\b`)))},
	{"serves-http", early(alive(sentence(
		`(?i)\b(?:listening|running|started|serving)\b[^\n]*(?:https?://|\bport:? ?\d)`)))},
	{"stdout-text", early(alive(func(s *symptoms) (string, bool) {
		if len(s.stdout) == 0 {
			return "", false
		}
		return fmt.Sprintf("%q", bounded.Bytes(s.stdout[0], 80, "…")), true
	}))},
}

// recognise returns the cause that the first clue shows, or nil.
func recognise(s *symptoms) *Cause {
	for _, c := range clues {
		found, ok := c.find(s)
		switch {
		case !ok:
		case c.id == missingVariable:
			return lackOf(s.command, wanted(s.said()))
		default:
			return because(c.id, found)
		}
	}
	return nil
}

// says finds the first of some patterns in what the server wrote. The detail is
// the pattern's group; what has none is called otherwise.
func says(otherwise string, patterns ...string) func(*symptoms) (string, bool) {
	compiled := compile(patterns)
	return func(s *symptoms) (string, bool) {
		text := s.said()
		for _, pattern := range compiled {
			if match := pattern.FindStringSubmatch(text); match != nil {
				if len(match) > 1 && match[1] != "" {
					return match[1], true
				}
				return otherwise, true
			}
		}
		return "", false
	}
}

// sentence is says with the line of the match as detail.
func sentence(patterns ...string) func(*symptoms) (string, bool) {
	compiled := compile(patterns)
	return func(s *symptoms) (string, bool) {
		text := s.said()
		for _, pattern := range compiled {
			at := pattern.FindStringIndex(text)
			if at == nil {
				continue
			}
			begin := strings.LastIndexByte(text[:at[1]], '\n') + 1
			line, _, _ := strings.Cut(text[begin:], "\n")
			return bounded.Bytes(strings.TrimSpace(line), 160, "…"), true
		}
		return "", false
	}
}

func compile(patterns []string) (all []*regexp.Regexp) {
	for _, pattern := range patterns {
		all = append(all, regexp.MustCompile(pattern))
	}
	return all
}

// early is for what explains only a server that never answered.
func early(find func(*symptoms) (string, bool)) func(*symptoms) (string, bool) {
	return func(s *symptoms) (string, bool) {
		if s.opened {
			return "", false
		}
		return find(s)
	}
}

// dead is for what explains only a process that ended.
func dead(find func(*symptoms) (string, bool)) func(*symptoms) (string, bool) {
	return func(s *symptoms) (string, bool) {
		if !s.ended {
			return "", false
		}
		return find(s)
	}
}

// alive is for what explains only a process that did not.
func alive(find func(*symptoms) (string, bool)) func(*symptoms) (string, bool) {
	return func(s *symptoms) (string, bool) {
		if s.ended {
			return "", false
		}
		return find(s)
	}
}

var interactive = regexp.MustCompile(`^(?:-[a-zA-Z]*i[a-zA-Z]*|--interactive(?:=true)?)$`)

// withoutInput finds a container that was started without an input.
func withoutInput(s *symptoms) (string, bool) {
	args := s.command.Args
	if len(args) < 2 || args[1] != "run" {
		return "", false
	}
	if name := filepath.Base(args[0]); name != "docker" && name != "podman" {
		return "", false
	}
	for _, arg := range args[2:] {
		if interactive.MatchString(arg) {
			return "", false
		}
	}
	return "", true
}
