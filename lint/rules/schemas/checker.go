package schemas

import (
	"bytes"
	"errors"
	"slices"

	"mcpworks/internal/bounded"
	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
)

// A checker validates values that are in a document against the schemas beside
// them.
type checker struct {
	doc     *document
	foreign *jsonschema.Foreign // nil until it is needed
	err     error               // why it cannot be had
}

// errUnknownDialect is why nothing can be said; SCH-002 says it.
var errUnknownDialect = errors.New("its dialect is not known")

func (c *checker) prepare() {
	if c.doc.dialect == "" {
		c.err = errUnknownDialect
	} else if c.foreign == nil && c.err == nil {
		c.foreign, c.err = jsonschema.ReadForeign(c.doc.raw, c.doc.dialect)
	}
}

// value checks one, and reports it in a format that has room for what is wrong.
func (c *checker) value(n *node, value []byte, at, format string) {
	if c.doc.dialect != "" && n.clearlyFits(value) {
		c.doc.view.Saw()
		return
	}
	c.prepare()
	decoded, err := rawjson.Decode(value)
	if err := errors.Join(c.err, err); err != nil {
		c.doc.view.NotVerified("a schema cannot be used: %v", err)
		return
	}
	violations, err := c.foreign.Validate(n.inside(), decoded)
	if err != nil {
		c.doc.view.NotVerified("a schema cannot be used: %v", err)
		return
	}
	c.doc.view.Saw()
	if len(violations) > 0 {
		v := violations[0]
		n.failf(at, format, bounded.Runes(v.Path+" "+v.Message, 200))
	}
}

// clearlyFits says whether a value fits a schema that says little: most are
// decided without the cost of compiling them.
func (n *node) clearlyFits(value []byte) bool {
	if rawjson.KindOf(n.raw) != rawjson.Object {
		return string(n.raw) == "true"
	}
	for key, wanted := range rawjson.Members(n.raw) {
		switch string(key) {
		case "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment":
		case "type":
			if types := n.types(); len(types) == 0 || !isOf(value, types) {
				return false
			}
		case "enum":
			if !slices.ContainsFunc(elements(wanted), func(allowed []byte) bool { return bytes.Equal(allowed, value) }) {
				return false
			}
		case "minimum", "maximum":
			bound, ok := number(wanted)
			given, isNumber := number(value)
			if !ok || !isNumber || string(key) == "minimum" && given < bound || string(key) == "maximum" && given > bound {
				return false
			}
		default:
			return false
		}
	}
	return true
}
