package wireschema

import (
	"embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"mcpworks/internal/jsonschema"
	"mcpworks/mcp"
)

//go:embed schema
var published embed.FS

// revisions are the revisions by name, each compiled when first asked for.
var revisions = func() map[string]func() (*revision, error) {
	all := map[string]func() (*revision, error){}
	for _, r := range mcp.Revisions() {
		all[r.Version] = sync.OnceValues(func() (*revision, error) { return compile(r) })
	}
	return all
}()

// A revision is the schema of a revision, and which of its definitions is for
// which message. All that is looked up is read from the schema.
type revision struct {
	batches     bool
	definitions map[string]*jsonschema.Schema

	// sent has the names of the definitions of what each side sends, by method.
	sent [2]map[string]string
	// known has all methods, also those that are only sent inside others.
	known map[string]bool
	// answers has the names of the definitions of results, by method.
	answers map[string]string
	// asking has the methods that may be answered by an InputRequiredResult.
	asking map[string]bool
	// failures has the names of the definitions of errors, by code.
	failures map[string]string
}

func compile(r *mcp.Revision) (*revision, error) {
	raw, err := published.ReadFile("schema/" + r.Version + ".json")
	if err != nil {
		return nil, err
	}
	if raw, err = correct(r.Version, raw); err != nil {
		return nil, err
	}
	definitions, err := jsonschema.CompileDefinitions(raw)
	if err != nil {
		return nil, err
	}
	var doc document
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	return &revision{
		batches:     r.Batches,
		definitions: definitions,
		sent: [...]map[string]string{
			Client: doc.methods("ClientRequest", "ClientNotification"),
			Server: doc.methods("ServerRequest", "ServerNotification"),
		},
		known:    doc.known(),
		answers:  doc.answers(),
		asking:   doc.asking(),
		failures: doc.failures(),
	}, nil
}

// result returns the definition that a result of a method should fit beyond that
// of any result, or nil if there is none.
//
// A task may stand for the result of some methods, though no union of the schema
// says so. A resultType that the schema does not know belongs to an extension.
func (r *revision) result(method string, result map[string]any) *jsonschema.Schema {
	name := r.answers[method]
	if r.asking != nil {
		switch kind, _ := result["resultType"].(string); kind {
		case "", "complete":
		case "input_required":
			if r.asking[method] {
				name = "InputRequiredResult"
			}
		default:
			return nil
		}
	}
	if task, ok := result["task"].(map[string]any); ok && task != nil && slices.Contains(taskable, method) &&
		result["content"] == nil && result["action"] == nil && r.definitions["CreateTaskResult"] != nil {
		name = "CreateTaskResult"
	}
	return r.definitions[name]
}

// taskable methods can be asked to be answered by a task.
var taskable = []string{"tools/call", "sampling/createMessage", "elicitation/create"}

// document is as much of a schema as says what its definitions are for.
type document struct {
	Definitions map[string]definition `json:"$defs"`
}

type definition struct {
	Ref        string                `json:"$ref"`
	AnyOf      []definition          `json:"anyOf"`
	AllOf      []definition          `json:"allOf"`
	Properties map[string]definition `json:"properties"`
	Const      json.RawMessage       `json:"const"`
}

const definitionsPrefix = "#/$defs/"

// method is the constant method of a request or notification, or empty.
func (d definition) method() string {
	var s string
	if err := json.Unmarshal(d.Properties["method"].Const, &s); err != nil {
		return ""
	}
	return s
}

// methods maps methods to the names of definitions in the named unions. A union
// of one is written as that one.
func (doc document) methods(unions ...string) map[string]string {
	names := map[string]string{}
	for _, union := range unions {
		if method := doc.Definitions[union].method(); method != "" {
			names[method] = union
		}
		for _, member := range doc.Definitions[union].AnyOf {
			name := strings.TrimPrefix(member.Ref, definitionsPrefix)
			names[doc.Definitions[name].method()] = name
		}
	}
	return names
}

func (doc document) known() map[string]bool {
	known := map[string]bool{}
	for _, d := range doc.Definitions {
		if method := d.method(); method != "" {
			known[method] = true
		}
	}
	return known
}

// answers finds the result of each request by its name: that of CallToolRequest
// is CallToolResult. A request without one has an empty result.
func (doc document) answers() map[string]string {
	answers := map[string]string{}
	for name, d := range doc.Definitions {
		stem, isRequest := strings.CutSuffix(name, "Request")
		if method := d.method(); isRequest && method != "" {
			answers[method] = "EmptyResult"
			if _, ok := doc.Definitions[stem+"Result"]; ok {
				answers[method] = stem + "Result"
			}
		}
	}
	return answers
}

// asking finds the responses that may hold an InputRequiredResult. It is nil if
// the revision has none.
func (doc document) asking() map[string]bool {
	if _, ok := doc.Definitions["InputRequiredResult"]; !ok {
		return nil
	}
	asking := map[string]bool{}
	for name, d := range doc.Definitions {
		response := doc.Definitions[strings.TrimSuffix(name, "Request")+"ResultResponse"]
		if slices.ContainsFunc(response.Properties["result"].AnyOf, func(d definition) bool {
			return d.Ref == definitionsPrefix+"InputRequiredResult"
		}) {
			asking[d.method()] = true
		}
	}
	return asking
}

// failures finds the responses whose error has a constant code.
func (doc document) failures() map[string]string {
	failures := map[string]string{}
	for name, d := range doc.Definitions {
		for _, part := range d.Properties["error"].AllOf {
			if code := part.Properties["code"].Const; code != nil {
				failures[string(code)] = name
			}
		}
	}
	return failures
}
