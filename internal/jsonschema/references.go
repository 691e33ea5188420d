package jsonschema

import (
	"bytes"
	"net/url"
	"strings"

	"mcpworks/internal/rawjson"
)

// References knows what the references in one document lead to.
type References struct {
	root    []byte
	old     bool              // it is of draft-04, which says id for $id
	targets map[target]string // pointers
	partial bool              // there may be targets that are not known
	defined map[string][]byte // what is defined at the root, by pointer
	known   map[reference]destination
	budget  int // lookups that go through the document
}

// A target is what a reference can name. Its texts are not joined: there can be
// many anchors to one long URL.
type target struct {
	url, anchor string // the anchor may be empty
}

type reference struct{ base, text string }

// A Landing says where a reference leads.
type Landing int

// Found is something in the document, Missing is nothing in it. Outside is
// another document. Unknown is for documents with too many references, or with
// names that are too many or too long.
const (
	Found Landing = iota
	Missing
	Outside
	Unknown
)

type destination struct {
	pointer string
	schema  []byte
	landing Landing
}

const (
	// maxNamed bounds how many schemas of a document are searched for names.
	maxNamed = 10_000
	// maxName bounds a URL that schemas are known by, and the pointer to one.
	maxName = 4 << 10
	// maxLookups bounds how many different references are followed other than to
	// definitions at the root: each goes through the whole document.
	maxLookups = 200
)

// FindReferences looks through a schema, which is checked JSON, for what can be
// referred to.
func FindReferences(schema []byte) *References {
	r := &References{
		root: schema, targets: map[target]string{{}: ""}, defined: map[string][]byte{},
		known: map[reference]destination{}, budget: maxLookups,
	}
	if rawjson.KindOf(schema) != rawjson.Object {
		return r
	}
	dialect, _ := rawjson.Plain(rawjson.Member(schema, "$schema"))
	r.old = bytes.Contains(dialect, []byte("draft-04"))
	for _, keyword := range []string{"$defs", "definitions"} {
		for part := range Parts(schema) {
			if part.Keyword == keyword {
				r.defined[part.Pointer()] = part.Raw
			}
		}
	}
	left := maxNamed
	r.find(schema, "", "", 0, &left)
	return r
}

func (r *References) find(schema []byte, pointer, base string, depth int, left *int) {
	named := bytes.Contains(schema, []byte(`nchor"`)) || bytes.Contains(schema, []byte(`id"`))
	if !named {
		return
	}
	if *left--; *left < 0 || depth > maxDepth || len(pointer) > maxName {
		r.partial = true
		return
	}
	base = r.name(schema, pointer, base)
	for part := range Parts(schema) {
		r.find(part.Raw, pointer+part.Pointer(), base, depth+1, left)
	}
}

// name notes the names of one schema, and returns what references in it are
// relative to.
func (r *References) name(schema []byte, pointer, base string) string {
	base = r.Base(base, schema)
	if id, ok := r.identifier(schema); ok {
		if _, fragment, _ := strings.Cut(id, "#"); fragment != "" && !strings.HasPrefix(fragment, "/") {
			r.add(target{base, fragment}, pointer)
		} else {
			r.add(target{url: base}, pointer)
		}
	}
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if anchor, ok := member(schema, keyword); ok {
			r.add(target{base, anchor}, pointer)
		}
	}
	return base
}

func (r *References) add(t target, pointer string) {
	if _, ok := r.targets[t]; !ok {
		r.targets[t] = pointer
	}
}

func (r *References) identifier(schema []byte) (string, bool) {
	if r.old {
		return member(schema, "id")
	}
	return member(schema, "$id")
}

// member is a member of a schema that is a string.
func member(schema []byte, name string) (string, bool) {
	if rawjson.KindOf(schema) != rawjson.Object {
		return "", false
	}
	return rawjson.String(rawjson.Member(schema, name))
}

// Base is what references in a schema are relative to, given what it is for the
// schema around it.
func (r *References) Base(around string, schema []byte) string {
	id, ok := r.identifier(schema)
	if !ok || strings.HasPrefix(id, "#") {
		return around
	}
	id, _, _ = strings.Cut(id, "#")
	if len(around)+len(id) > maxName {
		r.partial = true
		return around
	}
	return absolute(around, id)
}

func absolute(base, text string) string {
	b, err := url.Parse(base)
	if err != nil {
		return text
	}
	whole, err := b.Parse(text)
	if err != nil {
		return text
	}
	return whole.String()
}

// Resolve finds what a reference leads to: its pointer and the schema itself.
func (r *References) Resolve(base, text string) (pointer string, schema []byte, landing Landing) {
	key := reference{base, text}
	d, ok := r.known[key]
	if !ok {
		if d = r.resolve(base, text); r.partial && d.landing != Found {
			d.landing = Unknown
		}
		r.known[key] = d
	}
	return d.pointer, d.schema, d.landing
}

func (r *References) resolve(base, text string) destination {
	address, fragment, _ := strings.Cut(text, "#")
	if address != "" {
		base = absolute(base, address)
	}
	pointer, ok := r.targets[target{url: base}]
	if !ok {
		return destination{landing: Outside}
	}
	if text, err := url.PathUnescape(fragment); err == nil {
		fragment = text
	}
	if fragment != "" && !strings.HasPrefix(fragment, "/") {
		if pointer, ok = r.targets[target{base, fragment}]; !ok {
			return destination{landing: Missing}
		}
		fragment = ""
	}
	return r.lookUp(pointer + fragment)
}

func (r *References) lookUp(pointer string) destination {
	if schema, ok := r.defined[pointer]; ok {
		return destination{pointer, schema, Found}
	}
	if r.budget--; r.budget < 0 {
		return destination{landing: Unknown}
	}
	if schema := At(r.root, pointer); schema != nil {
		return destination{pointer, schema, Found}
	}
	return destination{landing: Missing}
}
