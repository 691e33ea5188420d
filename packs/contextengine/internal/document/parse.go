package document

import (
	"errors"
	"fmt"

	"mcpworks/internal/rawjson"
)

// maxDepth bounds the nesting of a document file. What is known of it has two
// levels; unknown members may have more.
const maxDepth = 128

// Parse reads a document file: one JSON object with the five members of a
// [Document], each once and of its type. Names match exactly and unknown
// members are passed over. Metadata is kept as AppendJSON writes it.
//
// Parse believes the id and the version that it reads: whether they are those
// of a manifest, and of the content, is for the caller to see. Nothing of the
// result aliases text.
func Parse(text []byte) (Document, error) {
	if err := rawjson.Check(text, rawjson.Limits{Depth: maxDepth}); err != nil {
		return Document{}, fmt.Errorf("parse document: %w", err)
	}
	if rawjson.KindOf(text) != rawjson.Object {
		return Document{}, errors.New("parse document: not an object")
	}
	var m members
	if err := m.collect(text); err != nil {
		return Document{}, fmt.Errorf("parse document: %w", err)
	}
	d, err := m.document()
	if err != nil {
		return Document{}, fmt.Errorf("parse document: %w", err)
	}
	return d, nil
}

// members has the text of each value in a document file.
type members struct{ id, version, source, content, metadata []byte }

func (m *members) collect(text []byte) error {
	for name, value := range rawjson.Members(text) {
		var known *[]byte
		switch string(name) {
		case "id":
			known = &m.id
		case "version":
			known = &m.version
		case "source":
			known = &m.source
		case "content":
			known = &m.content
		case "metadata":
			known = &m.metadata
		default:
			continue
		}
		if *known != nil {
			return fmt.Errorf("two members %q", name)
		}
		*known = value
	}
	return nil
}

func (m *members) document() (d Document, err error) {
	if d.Version, err = versionMember(m.version); err != nil {
		return Document{}, err
	}
	if d.ID, err = stringMember("id", m.id); err != nil {
		return Document{}, err
	}
	if rawjson.IsString(m.source, d.ID) { // most paths are lower-case: share one copy
		d.Source = d.ID
	} else if d.Source, err = stringMember("source", m.source); err != nil {
		return Document{}, err
	}
	if d.Metadata, err = parseMetadata(m.metadata); err != nil {
		return Document{}, err
	}
	// Last, for a document with a fault elsewhere need not be copied.
	if d.Content, err = stringMember("content", m.content); err != nil {
		return Document{}, err
	}
	return d, nil
}

func stringMember(name string, raw []byte) (string, error) {
	s, ok := rawjson.String(raw)
	switch {
	case raw == nil:
		return "", missing(name)
	case !ok:
		return "", fmt.Errorf("member %q is not a string", name)
	}
	return s, nil
}

func versionMember(raw []byte) (Version, error) {
	if plain, ok := rawjson.Plain(raw); ok {
		if v, ok := parseVersion(plain); ok {
			return v, nil
		}
	}
	s, err := stringMember("version", raw)
	if err != nil {
		return Version{}, err
	}
	v, ok := ParseVersion(s)
	if !ok {
		return Version{}, errors.New(`member "version" is not the name of a hash`)
	}
	return v, nil
}

func missing(name string) error { return fmt.Errorf("no member %q", name) }
