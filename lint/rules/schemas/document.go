package schemas

import (
	"slices"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// The members of a tool that are schemas.
const (
	input  = "inputSchema"
	output = "outputSchema"
)

// A document is one schema that a server has sent, as one rule sees it.
type document struct {
	view    *lint.View
	message *lint.Message // that had it
	subject lint.Subject
	pointer string // of the root
	raw     []byte
	input   bool // what arguments must fit
	// dialect is one of package jsonschema. It is empty if $schema names one that
	// is not known.
	dialect  string
	declared bool // by $schema

	references *jsonschema.References
	findings   int
	left       *int // bytes that may still be read, of all documents together
}

// maxRead is how many bytes a rule reads, where each counts once for every
// schema that it is in.
const maxRead = 256 << 20

// documents are the schemas of all tools that are objects, those of the newest
// revision first: what is found in more than one is reported as there. A tool
// without an input schema is the matter of TOOL-002.
func documents(v *lint.View, members ...string) []*document {
	if len(members) == 0 {
		members = []string{input, output}
	}
	var all []*document
	answered, left := false, maxRead
	for _, t := range newestFirst(v.Talks(step.Main)) {
		for _, s := range t.StepsOf(step.List) {
			answered = answered || s.About == mcp.MethodListTools && s.Answer() != nil && s.Answer().HasResult()
		}
		for _, item := range t.Items(step.List, mcp.MethodListTools) {
			for _, member := range members {
				if raw := lint.Member(item.Raw, member); rawjson.KindOf(raw) == rawjson.Object {
					d := toolSchema(v, item, member, raw)
					d.left = &left
					all = append(all, d)
				}
			}
		}
	}
	switch {
	case !answered:
		v.NotVerified("tools/list was not answered")
	case len(all) == 0:
		v.NotApplicable("no tool has a schema")
	}
	return all
}

func newestFirst(talks []*lint.Talk) []*lint.Talk {
	talks = slices.Clone(talks)
	slices.SortStableFunc(talks, func(a, b *lint.Talk) int {
		return int(lint.RevisionsOf(b.Revision)) - int(lint.RevisionsOf(a.Revision))
	})
	return talks
}

func toolSchema(v *lint.View, item lint.Item, member string, raw []byte) *document {
	d := &document{
		view: v, message: item.Message, subject: item.Subject(), pointer: item.Pointer + "/" + member, raw: raw, input: member == input,
		dialect: jsonschema.Draft2020,
	}
	if name := lint.Member(raw, "$schema"); name != nil {
		d.declared = true
		text, _ := lint.Text(name)
		d.dialect, _ = jsonschema.DialectOf(text)
	}
	return d
}

// revision is the one that was spoken.
func (d *document) revision() string { return d.message.Talk().Revision }

// names are what references in the document can lead to.
func (d *document) names() *jsonschema.References {
	if d.references == nil {
		d.references = jsonschema.FindReferences(d.raw)
	}
	return d.references
}

// maxFindings is how many places of one schema a rule reports.
const maxFindings = 20

func (d *document) full() bool { return d.findings >= maxFindings }
