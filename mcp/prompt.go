package mcp

import "mcpworks/internal/rawjson"

// A Prompt is the definition of a message template a person can choose.
type Prompt struct {
	Name        string // required
	Title       string
	Description string
	Arguments   []PromptArgument
	Icons       []Icon
	Meta        Meta
}

// A PromptArgument is one value a prompt takes.
type PromptArgument struct {
	Name        string // required
	Title       string
	Description string
	Required    bool
}

// AppendJSON appends the definition with the members the revision has.
func (p *Prompt) AppendJSON(dst []byte, rev *Revision) []byte {
	o := rawjson.Begin(dst)
	o.String("name", p.Name)
	if rev.Structured {
		o.NonEmpty("title", p.Title)
	}
	o.NonEmpty("description", p.Description)
	if len(p.Arguments) > 0 {
		list := append(o.Name("arguments"), '[')
		for i := range p.Arguments {
			if i > 0 {
				list = append(list, ',')
			}
			list = p.Arguments[i].appendJSON(list, rev)
		}
		o.Set(append(list, ']'))
	}
	if rev.Icons {
		appendIcons(&o, p.Icons)
	}
	appendMeta(&o, p.Meta, rev)
	return o.End()
}

func (a *PromptArgument) appendJSON(dst []byte, rev *Revision) []byte {
	o := rawjson.Begin(dst)
	o.String("name", a.Name)
	if rev.Structured {
		o.NonEmpty("title", a.Title)
	}
	o.NonEmpty("description", a.Description)
	if a.Required {
		o.Bool("required", true)
	}
	return o.End()
}

// A PromptMessage is one turn of a prompt.
type PromptMessage struct {
	Role    string // "user" or "assistant"
	Content Content
}

// A GetPromptResult is what prompts/get answers.
type GetPromptResult struct {
	Description string
	Messages    []PromptMessage
	Meta        Meta
}

// AppendMembers implements Result.
func (r *GetPromptResult) AppendMembers(dst []byte, rev *Revision) ([]byte, error) {
	if r.Description != "" {
		dst = append(dst, `"description":`...)
		dst = append(rawjson.AppendString(dst, r.Description), ',')
	}
	dst = append(dst, `"messages":[`...)
	for i, message := range r.Messages {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"role":`...)
		dst = rawjson.AppendString(dst, message.Role)
		dst = append(dst, `,"content":`...)
		dst = message.Content.appendJSON(dst, rev)
		dst = append(dst, '}')
	}
	return append(dst, ']'), nil
}

// ResultMeta implements Result.
func (r *GetPromptResult) ResultMeta() Meta { return r.Meta }

// MaxCompletions is the most values one completion may carry.
const MaxCompletions = 100

// A CompleteResult is what completion/complete answers. Values beyond
// MaxCompletions are left out, and HasMore then says so.
type CompleteResult struct {
	Values  []string
	Total   int // 0 is unknown
	HasMore bool
}

// AppendMembers implements Result.
func (r *CompleteResult) AppendMembers(dst []byte, _ *Revision) ([]byte, error) {
	values, more := r.Values, r.HasMore
	if len(values) > MaxCompletions {
		values, more = values[:MaxCompletions], true
	}
	dst = append(dst, `"completion":`...)
	o := rawjson.Begin(dst)
	o.Strings("values", values)
	if r.Total > 0 {
		o.Int("total", int64(r.Total))
	}
	o.Bool("hasMore", more)
	return o.End(), nil
}

// ResultMeta implements Result.
func (r *CompleteResult) ResultMeta() Meta { return nil }
