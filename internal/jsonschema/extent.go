package jsonschema

import "mcpworks/internal/rawjson"

// An Extent is how large a schema is to whoever checks a value against it: every
// reference counts as what it leads to, each time anew.
type Extent struct {
	Schemas   int // up to a million
	Depth     int // of schemas in schemas
	Recursive bool
	Deep      bool // deeper, or larger, than what was measured
}

// MaxSchemas is where counting ends.
const MaxSchemas = 1_000_000

// maxSpread is how deep Measure follows a schema, references included.
const maxSpread = 1000

// Measure finds the extent of a schema, which is checked JSON. What is only
// defined and never referred to counts for nothing.
func Measure(schema []byte) Extent {
	m := measurer{left: maxPasses*len(schema) + maxBytes, refs: FindReferences(schema), known: map[string]Extent{}, open: map[string]bool{}}
	e := m.measure(schema, "", 0)
	e.Recursive, e.Deep = m.recursive, m.deep
	return e
}

// maxPasses bounds how often each byte of a schema is read: once for every level
// that it is in.
const maxPasses = 64

type measurer struct {
	left            int // bytes
	refs            *References
	known           map[string]Extent // by pointer, of what is referred to
	open            map[string]bool   // those of them being measured
	recursive, deep bool
}

func (m *measurer) measure(schema []byte, base string, depth int) Extent {
	e := Extent{Schemas: 1, Depth: 1}
	if rawjson.KindOf(schema) != rawjson.Object {
		return e
	}
	if m.left -= len(schema); depth > maxSpread || m.left < 0 {
		m.deep = true
		return e
	}
	base = m.refs.Base(base, schema)
	for part := range Parts(schema) {
		if part.Keyword != "$defs" && part.Keyword != "definitions" {
			e.add(m.measure(part.Raw, base, depth+1))
		}
	}
	for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		if ref, ok := member(schema, keyword); ok {
			e.add(m.follow(base, ref, depth+1))
		}
	}
	return e
}

func (e *Extent) add(part Extent) {
	e.Schemas = min(e.Schemas+part.Schemas, MaxSchemas)
	e.Depth = max(e.Depth, part.Depth+1)
}

func (m *measurer) follow(base, ref string, depth int) Extent {
	pointer, schema, landing := m.refs.Resolve(base, ref)
	if landing != Found {
		return Extent{}
	}
	if pointer == "" || m.open[pointer] {
		m.recursive = true
		return Extent{}
	}
	if e, ok := m.known[pointer]; ok {
		return e
	}
	m.open[pointer] = true
	e := m.measure(schema, base, depth)
	delete(m.open, pointer)
	m.known[pointer] = e
	return e
}
