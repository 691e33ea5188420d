// Package frontmatter reads and edits the settings at the head of a page: YAML
// between lines of ---, TOML between lines of +++, or a JSON object.
//
// An edit changes the lines of the named keys and nothing else, so that
// comments, order and style of a page stay as their authors left them.
package frontmatter

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// MaxSize bounds what is parsed, in bytes.
const MaxSize = 64 << 10

// A Format is a way to write settings.
type Format string

// The formats.
const (
	YAML Format = "yaml"
	TOML Format = "toml"
	JSON Format = "json"
)

// What can be wrong with a page's settings.
var (
	ErrMissing     = errors.New("page has no front matter")
	ErrUnclosed    = errors.New("front matter has no end")
	ErrTooLarge    = errors.New("front matter is too large")
	ErrUnsupported = errors.New("front matter is written in a way that cannot be edited")
)

// A Page is a page in two parts.
type Page struct {
	Format Format
	Head   string // the line that opens the settings; empty in JSON
	Text   string // the settings themselves, whole lines
	Tail   string // the line that closes them, and all after it
}

// Body is the page without its settings.
func (p Page) Body() string {
	if p.Format == JSON {
		return strings.TrimPrefix(p.Tail, "\n")
	}
	_, body, _ := strings.Cut(p.Tail, "\n")
	return body
}

// Split finds the settings of a page with LF line ends. ErrMissing says that
// there are none.
func Split(text string) (Page, error) {
	first, rest, _ := strings.Cut(text, "\n")
	for format, fence := range map[Format]string{YAML: "---", TOML: "+++"} {
		if strings.TrimRight(first, " \t") == fence {
			return splitFenced(format, fence, text[:len(text)-len(rest)], rest)
		}
	}
	if strings.HasPrefix(text, "{") {
		return splitJSON(text)
	}
	return Page{}, ErrMissing
}

func splitFenced(format Format, fence, head, rest string) (Page, error) {
	at := 0
	for line := range strings.Lines(rest) {
		if strings.TrimRight(line, " \t\n") == fence {
			return Page{format, head, rest[:at], rest[at:]}, nil
		}
		if at += len(line); at > MaxSize {
			return Page{}, ErrTooLarge
		}
	}
	return Page{}, ErrUnclosed
}

// Values returns the settings. Dates are strings, as they are written; numbers
// are int, int64, uint64 or float64.
func (p Page) Values() (map[string]any, error) {
	switch p.Format {
	case YAML:
		return yamlValues(p.Text)
	case TOML:
		return tomlValues(p.Text)
	}
	return jsonValues(p.Text)
}

// Values returns the settings of a page.
func Values(text string) (map[string]any, error) {
	page, err := Split(text)
	if err != nil {
		return nil, err
	}
	return page.Values()
}

// Edit sets the named keys in a page. Keys that have their value already are
// left alone, and new ones are added at the end in sorted order. If there is
// nothing to change, the page is returned as it is.
func Edit(text string, updates map[string]any) (string, error) {
	page, err := Split(text)
	if err != nil {
		return "", err
	}
	before, err := page.Values()
	if err != nil {
		return "", err
	}
	wanted := maps.Clone(before)
	if wanted == nil {
		wanted = map[string]any{}
	}
	for _, key := range slices.Sorted(maps.Keys(updates)) {
		value := Plain(updates[key])
		if value == nil {
			return "", fmt.Errorf("key %q: %w: a value cannot be null", key, ErrUnsupported)
		}
		if old, has := before[key]; has && Equal(old, value) {
			continue
		}
		wanted[key] = value
		if page.Text, err = setters[page.Format](page.Text, key, value); err != nil {
			return "", fmt.Errorf("key %q: %w", key, err)
		}
	}
	edited := page.Head + page.Text + page.Tail
	return edited, verify(edited, wanted)
}

var setters = map[Format]func(text, key string, value any) (string, error){YAML: setYAML, TOML: setTOML, JSON: setJSON}

// verify reads an edited page again: it must say what was wanted, neither more
// nor less. It makes every shortcut of the editors safe.
func verify(edited string, wanted map[string]any) error {
	got, err := Values(edited)
	if err != nil || !Equal(got, wanted) {
		return ErrUnsupported
	}
	return nil
}

// Equal compares settings across formats: 10 and 10.0 are equal, and a date is
// equal to the string that spells it.
func Equal(a, b any) bool { return reflect.DeepEqual(canonical(a), canonical(b)) }

// splice replaces the lines from start to end, both counted from 0, end not
// included.
func splice(lines []string, start, end int, with ...string) []string {
	return slices.Concat(lines[:start], with, lines[end:])
}

// lastOf returns where the statement ends that starts at a line and has another
// one or nothing after it at next: comments and empty lines between them belong
// to the next.
func lastOf(lines []string, start, next int) int {
	for next > start+1 && (strings.TrimSpace(lines[next-1]) == "" || strings.HasPrefix(lines[next-1], "#")) {
		next--
	}
	return next
}

func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func joinLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
