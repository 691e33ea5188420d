package templates

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Template is the outline of a page.
type Template struct {
	Path   string
	Digest string
	header
	Parts []Part

	place, section string // of its path
}

// header is what a template begins with.
type header struct {
	Role        string `yaml:"role"`
	Slug        string `yaml:"slug"`    // the one page it is for; empty means any
	Variant     string `yaml:"variant"` // the one tier it is for; empty means any
	Title       string `yaml:"title"`
	Description string `yaml:"description"`
	Focus       string `yaml:"focus"`
}

// A Part is a heading with what stands below it. The first part of a template has
// no heading.
type Part struct {
	Heading string
	Pieces  []Piece
}

// A Piece is a block, with the sentences that lead to it. A piece without a
// block is only sentences.
type Piece struct {
	Sentences []string
	Block     string
}

// An UnknownTokenError is a token that nothing can be put in for.
type UnknownTokenError struct{ Place, Token string }

func (e *UnknownTokenError) Error() string {
	return fmt.Sprintf("%s: nobody knows the token %s", e.Place, e.Token)
}

var token = regexp.MustCompile(`__([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)__`)

// Fill puts names into a text.
func Fill(text string, mappings map[string]string) (string, error) {
	var unknown error
	filled := token.ReplaceAllStringFunc(text, func(found string) string {
		value, known := mappings[strings.Trim(found, "_")]
		if !known {
			unknown = &UnknownTokenError{"text", found}
		}
		return value
	})
	return filled, unknown
}

func parse(file string, text []byte) (*Template, error) {
	folders := strings.Split(file, "/")
	if len(folders) != 4 || len(text) > maxFile {
		return nil, fmt.Errorf("%s: a template is a small file <version>/<place>/<section>/<name>.md", file)
	}
	sum := sha256.Sum256(text)
	t := &Template{Path: file, Digest: hex.EncodeToString(sum[:]), place: folders[1], section: folders[2]}
	rest, opened := strings.CutPrefix(string(text), "---\n")
	head, body, closed := strings.Cut(rest, "\n---\n")
	if !opened || !closed {
		return nil, fmt.Errorf("%s: a template begins with its header", file)
	}
	decoder := yaml.NewDecoder(bytes.NewReader([]byte(head)))
	decoder.KnownFields(true)
	if err := decoder.Decode(&t.header); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if t.Role == "" || t.Title == "" || t.Description == "" {
		return nil, fmt.Errorf("%s: role, title and description are needed", file)
	}
	for _, text := range []string{t.Title, t.Description, t.Focus} {
		if err := checkNames(file, text); err != nil {
			return nil, err
		}
	}
	return t, t.parts(body)
}

// parts reads the outline.
func (t *Template) parts(body string) error {
	t.Parts = []Part{{}}
	var sentences []string
	end := func(block string) {
		if last := &t.Parts[len(t.Parts)-1]; block != "" || len(sentences) > 0 {
			last.Pieces = append(last.Pieces, Piece{sentences, block})
		}
		sentences = nil
	}
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		heading, isHeading := strings.CutPrefix(line, "## ")
		block, isBlock := blockOf(line)
		switch {
		case line == "":
		case isHeading:
			end("")
			t.Parts = append(t.Parts, Part{Heading: heading})
		case isBlock && !slices.Contains(Blocks, block):
			return &UnknownTokenError{t.Path, line}
		case isBlock:
			end(block)
		default:
			sentences = append(sentences, line)
		}
		if !isBlock {
			if err := checkNames(t.Path, line); err != nil {
				return err
			}
		}
	}
	end("")
	return nil
}

func blockOf(line string) (string, bool) {
	if found := token.FindStringSubmatch(line); found != nil && found[0] == line {
		return strings.CutPrefix(found[1], "BODY_")
	}
	return "", false
}

func checkNames(file, text string) error {
	for _, found := range token.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(Names, found[1]) {
			return &UnknownTokenError{file, found[0]}
		}
	}
	return nil
}

// Has says whether a template has a block.
func (t *Template) Has(block string) bool {
	for _, part := range t.Parts {
		for _, piece := range part.Pieces {
			if piece.Block == block {
				return true
			}
		}
	}
	return false
}

// Sentences are the connecting sentences of a template.
func (t *Template) Sentences() []string {
	var all []string
	for _, part := range t.Parts {
		for _, piece := range part.Pieces {
			all = append(all, piece.Sentences...)
		}
	}
	return all
}
