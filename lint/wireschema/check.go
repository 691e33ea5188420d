package wireschema

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"mcpworks/internal/jsonschema"
)

// check collects the problems of one message.
type check struct {
	*revision
	from Direction
	list []Problem
}

// message checks a message, or each message of a batch.
func (c *check) message(v any, method string) {
	batch, ok := v.([]any)
	switch {
	case !ok:
		c.single("", v, method)
	case !c.batches:
		c.add("", "type", "must be object, got array")
	case len(batch) == 0:
		c.add("", "minItems", "must have at least 1 items, got 0")
	default:
		for i, element := range batch {
			if len(c.list) < maxProblems {
				c.single("/"+strconv.Itoa(i), element, "")
			}
		}
	}
}

// single checks the message at a pointer. What it is follows from the members it
// has (A2.5).
func (c *check) single(at string, v any, method string) {
	message, ok := v.(map[string]any)
	if !ok {
		c.fit(at, v, "JSONRPCRequest") // which says that it must be an object
		return
	}
	_, hasMethod := message["method"]
	_, hasID := message["id"]
	_, hasResult := message["result"]
	_, hasError := message["error"]
	switch {
	case hasMethod && hasID:
		c.fit(at, v, "JSONRPCRequest")
		c.call(at, message, method)
	case hasMethod:
		c.fit(at, v, "JSONRPCNotification")
		c.call(at, message, method)
	case hasResult && hasError:
		c.add(at, "anyOf", "must have either a result or an error, has both")
	case hasResult:
		c.fit(at, v, "JSONRPCResultResponse", "JSONRPCResponse")
		c.result(at+"/result", message["result"], method)
	case hasError:
		c.fit(at, v, "JSONRPCErrorResponse", "JSONRPCError")
		c.failure(at, message)
	default:
		c.add(at, "anyOf", "must have a method, a result or an error, has none of them")
	}
}

// call checks a request or notification by its method.
func (c *check) call(at string, message map[string]any, method string) {
	if method == "" {
		method, _ = message["method"].(string)
	}
	switch name, ok := c.sent[c.from][method]; {
	case ok:
		c.fit(at, message, name)
	case c.known[method]:
		c.add(at+"/method", "enum", "is not a method that a "+c.from.String()+" sends in this revision")
	}
}

func (c *check) result(at string, v any, method string) {
	result, ok := v.(map[string]any)
	if !ok {
		return // of which the envelope has told
	}
	if schema := c.revision.result(method, result); schema != nil {
		c.explain(at, v, schema)
	}
}

func (c *check) failure(at string, message map[string]any) {
	object, _ := message["error"].(map[string]any)
	code, _ := object["code"].(json.Number)
	if name, ok := c.failures[code.String()]; ok {
		c.fit(at, message, name)
	}
}

// fit checks a value against the first of the named definitions that exists.
func (c *check) fit(at string, v any, names ...string) {
	for _, name := range names {
		if schema := c.definitions[name]; schema != nil {
			c.explain(at, v, schema)
			return
		}
	}
}

func (c *check) explain(at string, v any, schema *jsonschema.Schema) {
	for _, violation := range schema.Explain(v, maxProblems) {
		c.add(at+violation.Path, violation.Keyword, violation.Message)
	}
}

func (c *check) add(pointer, keyword, message string) {
	c.list = append(c.list, Problem{Pointer: pointer, Message: message, Keyword: keyword})
}

// problems puts the problems in order. The envelope and the definition of a
// method may both have found the same.
func (c *check) problems() []Problem {
	slices.SortStableFunc(c.list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Keyword, b.Keyword))
	})
	list := slices.CompactFunc(c.list, func(a, b Problem) bool { return a.Pointer == b.Pointer && a.Keyword == b.Keyword })
	return list[:min(maxProblems, len(list))]
}
