package schemas

import (
	"fmt"
	"strings"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

// Bounds of a walk through a schema (A11.3). SCH-028 reports what is beyond.
const (
	maxDepth = 64
	maxNodes = 10_000
)

// A node is a schema in a document: its root, or a part of another node.
type node struct {
	doc    *document
	parent *node // nil at the root
	part   jsonschema.Part
	raw    []byte
	depth  int

	baseURL string // see base
	based   bool   // it is known
}

// walk visits the root of a document and all schemas in it, from the outside in
// and in the order in which they are written.
func (d *document) walk(visit func(*node)) {
	left := maxNodes
	d.root().walk(visit, &left)
}

func (d *document) root() *node { return &node{doc: d, raw: d.raw} }

func (n *node) walk(visit func(*node), left *int) {
	if *left--; *left < 0 || n.depth > maxDepth || n.doc.full() {
		return
	}
	if *n.doc.left -= len(n.raw); *n.doc.left < 0 {
		n.doc.view.NotVerified("the schemas are too large to be looked at in full")
		return
	}
	visit(n)
	for part := range jsonschema.Parts(n.raw) {
		child := &node{doc: n.doc, parent: n, part: part, raw: part.Raw, depth: n.depth + 1}
		child.walk(visit, left)
	}
}

// each visits the nodes of all documents.
func each(documents []*document, visit func(*node)) {
	for _, d := range documents {
		d.walk(visit)
	}
}

// member is the value of a keyword; nil if it is absent or the node a boolean.
func (n *node) member(keyword string) []byte { return lint.Member(n.raw, keyword) }

// hasAny says whether one of some keywords is there.
func (n *node) hasAny(keywords ...string) bool {
	for _, keyword := range keywords {
		if n.member(keyword) != nil {
			return true
		}
	}
	return false
}

// isProperty says whether the node describes a named member.
func (n *node) isProperty() bool { return n.part.Keyword == "properties" }

// types are those that the node allows; none if it does not say.
func (n *node) types() []string {
	raw := n.member("type")
	if text, ok := lint.Text(raw); ok {
		return []string{text}
	}
	var types []string
	for element := range rawjson.Elements(raw) {
		if text, ok := lint.Text(element); ok {
			types = append(types, text)
		}
	}
	return types
}

// pointer leads to the node in what the server has sent.
func (n *node) pointer() string {
	if n.parent == nil {
		return n.doc.pointer
	}
	return n.parent.pointer() + n.part.Pointer()
}

// inside leads to the node in its document.
func (n *node) inside() string { return strings.TrimPrefix(n.pointer(), n.doc.pointer) }

// subject is the tool, and the parameter of it that the node is in.
func (n *node) subject() lint.Subject {
	subject := n.doc.subject
	for ; n.parent != nil && n.doc.input; n = n.parent {
		if n.parent.parent == nil && n.isProperty() {
			subject.Part = n.part.Name
		}
	}
	return subject
}

// needed says whether no value fits the document that has nothing for the node.
func (n *node) needed() bool {
	for ; n.parent != nil; n = n.parent {
		if !n.isProperty() || !n.parent.requires(n.part.Name) {
			return false
		}
	}
	return true
}

func (n *node) requires(name string) bool {
	for element := range rawjson.Elements(n.member("required")) {
		if rawjson.IsString(element, name) {
			return true
		}
	}
	return false
}

// failf reports the node, or a keyword of it. at continues its pointer: "",
// "/enum".
func (n *node) failf(at, format string, args ...any) { n.failAs(lint.Off, at, format, args...) }

// failAs is failf with another severity than the rule's.
func (n *node) failAs(severity lint.Severity, at, format string, args ...any) {
	n.doc.fail(lint.Finding{Severity: severity, Subject: n.subject(), Message: fmt.Sprintf(format, args...), Pointer: n.pointer() + at}, n.proof())
}

// proof is the node as it is written, with its name if it is a property.
func (n *node) proof() []byte {
	if !n.isProperty() {
		return n.raw
	}
	return append(append(rawjson.AppendString(nil, n.part.Name), ':'), beginning(n.raw)...)
}

// failAt reports a place in the document by its pointer.
func (d *document) failAt(pointer, format string, args ...any) {
	subject := d.subject
	if path := strings.Split(pointer, "/"); d.input && len(path) > 2 && path[1] == "properties" {
		subject.Part = strings.NewReplacer("~1", "/", "~0", "~").Replace(path[2])
	}
	d.fail(lint.Finding{Subject: subject, Message: fmt.Sprintf(format, args...), Pointer: d.pointer + pointer}, jsonschema.At(d.raw, pointer))
}

// fail reports a place in the document, with what is written there.
func (d *document) fail(f lint.Finding, proof []byte) {
	if d.full() {
		return
	}
	d.findings++
	f.Evidence = lint.Evidence{Talk: d.message.Talk().Phase, Step: d.message.Step.Label(), Received: beginning(proof)}
	f.Revision = d.revision()
	d.view.Fail(f)
}

// beginning is enough of a text to be cut to what evidence may be.
func beginning(raw []byte) string {
	const enough = 4 << 10
	return string(raw[:min(enough, len(raw))])
}
