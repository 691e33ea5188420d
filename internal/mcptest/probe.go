package mcptest

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"
)

// A Probe is one conversation from testdata/probes and the answers that the
// protocol statements it cites ask for. See testdata/probes/README.md for the
// format; a new probe needs no Go.
type Probe struct {
	Name    string   // file name and probe name: "frames/truncated"
	Cites   []string // statement ids: "STD-4"
	Session string   // revision of the handshake done first, or "none"
	Needs   []string // tools that the server has to offer
	steps   []step
}

// A step is one directive. Only the fields of its verb are set.
type step struct {
	verb   string // > >> < fence silence alive close signal exit
	where  string // file:line
	text   string // > and >>: what to send
	wait   time.Duration
	code   int
	expect []expectation // <: alternatives
}

// An expectation describes one response message.
type expectation struct {
	text   string          // as written
	result bool            // result wanted, else error
	code   int             // of the error; 0: any
	id     json.RawMessage // nil: absent or null
	checks []check
}

// A check looks at one place inside a response.
type check struct {
	text    string
	pointer []string
	op      string // == contains lacks is absent
	value   any
}

//go:embed testdata/probes
var probeFiles embed.FS

// Probes reads all probes, ordered by file and position.
func Probes() ([]Probe, error) {
	files, err := fs.Glob(probeFiles, "testdata/probes/*.txt")
	if err != nil {
		return nil, err
	}
	var all []Probe
	for _, file := range files {
		data, err := probeFiles.ReadFile(file)
		if err != nil {
			return nil, err
		}
		probes, err := parseProbes(path.Base(file), string(data))
		if err != nil {
			return nil, err
		}
		all = append(all, probes...)
	}
	seen := make(map[string]bool)
	for _, p := range all {
		if seen[p.Name] {
			return nil, fmt.Errorf("probe %s: defined twice", p.Name)
		}
		seen[p.Name] = true
	}
	return all, nil
}

func parseProbes(file, text string) ([]Probe, error) {
	var all []Probe
	for n, line := range strings.Split(text, "\n") {
		where := fmt.Sprintf("%s:%d", file, n+1)
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		if name, ok := strings.CutPrefix(line, "probe "); ok {
			all = append(all, Probe{Name: strings.TrimSuffix(file, ".txt") + "/" + name, Session: "2025-06-18"})
			continue
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("%s: before the first probe", where)
		}
		if err := all[len(all)-1].parseLine(where, line); err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
	}
	for _, p := range all {
		if err := p.validate(); err != nil {
			return nil, fmt.Errorf("probe %s: %w", p.Name, err)
		}
	}
	return all, nil
}

func (p *Probe) validate() error {
	if len(p.Cites) == 0 {
		return fmt.Errorf("cites no statement")
	}
	if len(p.steps) == 0 || !slices.Contains([]string{"alive", "exit"}, p.steps[len(p.steps)-1].verb) {
		return fmt.Errorf("does not end with alive or exit")
	}
	return nil
}

func (p *Probe) parseLine(where, line string) error {
	verb, rest, _ := strings.Cut(line, " ")
	rest, err := expand(rest)
	if err != nil {
		return err
	}
	s := step{verb: verb, where: where}
	switch verb {
	case "cites":
		p.Cites = strings.Fields(rest)
		return nil
	case "session":
		p.Session = rest
		return nil
	case "needs":
		p.Needs = strings.Fields(rest)
		return nil
	case ">", ">>":
		s.text = rest
	case "<":
		e, err := parseExpectation(rest)
		if err != nil {
			return err
		}
		s.expect = []expectation{e}
	case "|", "":
		return p.extend(verb, rest)
	case "fence", "alive", "close":
	case "silence":
		s.wait = 50 * time.Millisecond
		if rest != "" {
			if s.wait, err = time.ParseDuration(rest); err != nil {
				return err
			}
		}
	case "signal":
		if rest != "TERM" {
			return fmt.Errorf("unknown signal %q", rest)
		}
	case "exit":
		if s.code, err = strconv.Atoi(rest); err != nil {
			return err
		}
	default:
		return fmt.Errorf("unknown directive %q", verb)
	}
	p.steps = append(p.steps, s)
	return nil
}

// extend adds an alternative (|) or an indented check to the last expectation.
func (p *Probe) extend(verb, rest string) error {
	if len(p.steps) == 0 || p.steps[len(p.steps)-1].verb != "<" {
		return fmt.Errorf("no expectation to add to")
	}
	last := &p.steps[len(p.steps)-1]
	if verb == "|" {
		e, err := parseExpectation(rest)
		last.expect = append(last.expect, e)
		return err
	}
	c, err := parseCheck(strings.TrimSpace(rest))
	e := &last.expect[len(last.expect)-1]
	e.checks = append(e.checks, c)
	return err
}

// parseExpectation reads "result id X", "error id X", "code N id X" and the
// same with "noid".
func parseExpectation(text string) (expectation, error) {
	e := expectation{text: text}
	kind, rest, _ := strings.Cut(text, " ")
	switch kind {
	case "result":
		e.result = true
	case "error":
	case "code":
		var n string
		n, rest, _ = strings.Cut(rest, " ")
		code, err := strconv.Atoi(n)
		if err != nil {
			return e, err
		}
		e.code = code
	default:
		return e, fmt.Errorf("unknown expectation %q", text)
	}
	if rest == "noid" {
		return e, nil
	}
	id, ok := strings.CutPrefix(rest, "id ")
	if !ok || !json.Valid([]byte(id)) {
		return e, fmt.Errorf("want noid or an id in JSON, got %q", rest)
	}
	e.id = json.RawMessage(id)
	return e, nil
}

// parseCheck reads "POINTER absent", "POINTER is TYPE" and
// "POINTER ==|contains|lacks JSON".
func parseCheck(text string) (check, error) {
	ptr, rest, _ := strings.Cut(text, " ")
	op, value, _ := strings.Cut(rest, " ")
	c := check{text: text, op: op}
	if !strings.HasPrefix(ptr, "/") {
		return c, fmt.Errorf("check %q does not start with a JSON pointer", text)
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for _, seg := range strings.Split(ptr[1:], "/") {
		c.pointer = append(c.pointer, unescape.Replace(seg))
	}
	switch op {
	case "absent":
		return c, nil
	case "is":
		c.value = value
		return c, nil
	case "==", "contains", "lacks":
		return c, json.Unmarshal([]byte(value), &c.value)
	}
	return c, fmt.Errorf("unknown check %q", text)
}

const modernMeta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

var probeFuncs = template.FuncMap{
	"repeat": strings.Repeat,
	"meta":   func() string { return modernMeta },
	"init":   initializeParams,
}

// initializeParams is what a client of the given revision sends.
func initializeParams(version string) string {
	return `{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"probe","version":"1"}}`
}

func expand(text string) (string, error) {
	if !strings.Contains(text, "{{") {
		return text, nil
	}
	t, err := template.New("").Funcs(probeFuncs).Parse(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, nil)
	return b.String(), err
}
