package mcp

import (
	"encoding/json"

	"mcpworks/internal/rawjson"
)

// A Tool is the definition a client sees.
type Tool struct {
	Name        string // 1 to 64 of A-Z a-z 0-9 _ - .
	Title       string
	Description string          // required by this project
	InputSchema json.RawMessage // an object schema, sent as it is
	// OutputSchema describes Structured results. One that is not of an object
	// is told to modern clients only.
	OutputSchema json.RawMessage
	Annotations  *ToolAnnotations
	Icons        []Icon
	Meta         Meta
}

// ToolAnnotations are hints about behaviour. All four are always sent: a hint
// that is left out has a default few people remember.
type ToolAnnotations struct {
	Title       string
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	OpenWorld   bool
}

// AppendJSON appends the definition with the members the revision has.
func (t *Tool) AppendJSON(dst []byte, rev *Revision) []byte {
	o := rawjson.Begin(dst)
	o.String("name", t.Name)
	if rev.Structured {
		o.NonEmpty("title", t.Title)
	}
	o.NonEmpty("description", t.Description)
	o.Raw("inputSchema", oneLine(t.InputSchema))
	if t.OutputSchema != nil && rev.Structured && (rev.AnyStructured || IsObjectSchema(t.OutputSchema)) {
		o.Raw("outputSchema", oneLine(t.OutputSchema))
	}
	if rev.Annotations && t.Annotations != nil {
		o.Set(t.Annotations.appendJSON(o.Name("annotations")))
	}
	if rev.Icons {
		appendIcons(&o, t.Icons)
	}
	appendMeta(&o, t.Meta, rev)
	return o.End()
}

// IsObjectSchema says whether the root of a checked schema has "type":"object".
func IsObjectSchema(schema []byte) bool {
	for name, value := range rawjson.Members(schema) {
		if kind, _ := rawjson.String(value); string(name) == "type" && kind == "object" {
			return true
		}
	}
	return false
}

func (a *ToolAnnotations) appendJSON(dst []byte) []byte {
	o := rawjson.Begin(dst)
	o.NonEmpty("title", a.Title)
	o.Bool("readOnlyHint", a.ReadOnly)
	o.Bool("destructiveHint", a.Destructive)
	o.Bool("idempotentHint", a.Idempotent)
	o.Bool("openWorldHint", a.OpenWorld)
	return o.End()
}

func appendMeta(o *rawjson.ObjectWriter, meta Meta, rev *Revision) {
	if rev.Structured && len(meta) > 0 {
		o.Set(meta.AppendJSON(o.Name("_meta")))
	}
}

// A CallToolResult is what a tool says.
type CallToolResult struct {
	Content []Content
	// Structured is what the tool's OutputSchema describes. Without any
	// Content it is also sent as one text block.
	Structured any
	IsError    bool
	Meta       Meta
}

// TextResult is a result of one text block.
func TextResult(text string) *CallToolResult {
	r := &struct { // one allocation for the most common result
		CallToolResult
		blocks [1]Content
		text   Text
	}{text: Text{Text: text}}
	r.blocks[0] = &r.text
	r.Content = r.blocks[:]
	return &r.CallToolResult
}

// ErrorResult is a failed result of one text block, for a model to read.
func ErrorResult(text string) *CallToolResult {
	r := TextResult(text)
	r.IsError = true
	return r
}

// AppendMembers implements Result.
func (r *CallToolResult) AppendMembers(dst []byte, rev *Revision) ([]byte, error) {
	var structured []byte
	if r.Structured != nil {
		var err error
		if structured, err = rawjson.Append(nil, r.Structured); err != nil {
			return dst, err
		}
	}
	blocks := r.Content
	if len(blocks) == 0 && structured != nil {
		blocks = []Content{Text{Text: string(structured)}}
	}
	dst = append(dst, `"content":`...)
	dst = appendContents(dst, blocks, rev)
	if structured != nil && rev.Structured && (rev.AnyStructured || rawjson.KindOf(structured) == rawjson.Object) {
		dst = append(dst, `,"structuredContent":`...)
		dst = append(dst, structured...)
	}
	if r.IsError {
		dst = append(dst, `,"isError":true`...)
	}
	return dst, nil
}

// ResultMeta implements Result.
func (r *CallToolResult) ResultMeta() Meta { return r.Meta }
