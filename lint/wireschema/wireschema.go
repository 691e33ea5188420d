// Package wireschema checks a message against the JSON Schema that the protocol
// publishes with each of its revisions (A3.4).
//
// The files under schema hold the facts of the official schema.json of each
// revision, in the repository modelcontextprotocol/modelcontextprotocol under
// schema/<revision>, and nothing else: titles, descriptions, comments, examples
// and defaults are left out, definitions are called $defs, keys are sorted. Where
// a published schema refuses what the prose of its revision allows, a table says
// so (see corrections) and the prose wins. Format is kept but not checked.
//
// A whole schema says of a bad message that it fits none of fifty alternatives.
// So the definition is chosen first: by the method, by the code of an error, by
// resultType, and within a message by members such as the type of a content block.
package wireschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"mcpworks/internal/rawjson"
)

// Direction says who sent a message.
type Direction int

// The two sides of a connection.
const (
	Client Direction = iota
	Server
)

func (d Direction) String() string {
	if d == Server {
		return "server"
	}
	return "client"
}

// Bounds of a check. Within them the largest message takes well under a second;
// see the benchmarks.
const (
	maxBytes    = 8 << 20
	maxDepth    = 1000 // A2.9
	maxValues   = 500_000
	maxProblems = 50
)

// ErrTooLarge is returned for a message that is beyond the bounds of a check:
// 8 MiB, 500,000 values, 1,000 arrays and objects inside each other.
var ErrTooLarge = errors.New("too large to be checked against a schema")

// Problem is one way in which a message breaks the schema of its revision.
type Problem struct {
	// Pointer is a JSON Pointer into the message. A member that is missing is
	// named by its own pointer. Names are the sender's, so it must not be shown
	// as it is.
	Pointer string
	// Message reads on after the pointer: "must be object, got string".
	Message string
	// Keyword is the keyword of the schema that is broken.
	Keyword string
}

// Validate checks raw, a whole JSON-RPC message, against the schema of a revision.
// Method is that of the message, or of the request that a response answers. If it
// is empty, it is taken from the message. Of a method that the revision does not
// define, only the envelope is checked.
//
// It returns at most 50 problems in order of their pointers, and an error if it
// could not check: the revision is unknown, raw is not JSON, or is [ErrTooLarge].
func Validate(version string, from Direction, method string, raw []byte) ([]Problem, error) {
	load, ok := revisions[version]
	if !ok {
		return nil, fmt.Errorf("no schema of revision %q", version)
	}
	r, err := load()
	if err != nil {
		return nil, fmt.Errorf("schema of revision %s: %w", version, err)
	}
	message, err := decode(raw)
	if err != nil {
		return nil, err
	}
	c := check{revision: r, from: from}
	c.message(message, method)
	return c.problems(), nil
}

// decode decodes a message that is within the bounds.
func decode(raw []byte) (any, error) {
	if len(raw) > maxBytes {
		return nil, ErrTooLarge
	}
	switch err := rawjson.Check(raw, rawjson.Limits{Depth: maxDepth, Values: maxValues}); {
	case errors.Is(err, rawjson.ErrTooManyValues), errors.Is(err, rawjson.ErrTooDeep):
		return nil, ErrTooLarge
	case err != nil:
		return nil, fmt.Errorf("read message: %w", err)
	}
	message, err := rawjson.Decode(raw)
	if err != nil {
		return decodeDuplicates(raw)
	}
	return message, nil
}

// decodeDuplicates decodes a message in which an object has two members of one
// name. As in most readers, the last one counts (A2.9).
func decodeDuplicates(raw []byte) (message any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&message); err != nil {
		return nil, fmt.Errorf("read message: %w", err)
	}
	return message, nil
}
