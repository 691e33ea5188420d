package features

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// complete asks for completion, if it is declared. The first revision has no
// capability for it, and there it is tried.
func (p *script) complete() {
	reference, argument := p.completable()
	declared := p.main.Declares("completions")
	if !declared && (p.main.Revision != mcp.V20241105.Version || reference == "") {
		return
	}
	if reference != "" {
		p.Ask(step.Complete, argument, mcp.MethodComplete, completion(reference, argument))
	}
	p.Ask(step.CompleteUnknown, "", mcp.MethodComplete, completion(promptReference(step.UnknownName), "x"))
}

// completable is the first argument of a prompt, or else the first variable of
// a template, with a reference to what it belongs to.
func (p *script) completable() (reference, argument string) {
	for _, item := range p.items(mcp.MethodListPrompts) {
		for _, argument := range arguments(item) {
			if name, ok := lint.Text(lint.Member(argument, "name")); ok {
				return promptReference(item.Name), name
			}
		}
	}
	for _, template := range p.templates() {
		o := rawjson.Begin(nil)
		o.String("type", "ref/resource")
		o.String("uri", template)
		return string(o.End()), expression.FindStringSubmatch(template)[2]
	}
	return "", ""
}

func promptReference(name string) string {
	o := rawjson.Begin(nil)
	o.String("type", "ref/prompt")
	o.String("name", name)
	return string(o.End())
}

// completion asks for all values of an argument.
func completion(reference, argument string) string {
	value := rawjson.Begin(nil)
	value.String("name", argument)
	value.String("value", "")
	o := rawjson.Begin(nil)
	o.Raw("ref", []byte(reference))
	o.Raw("argument", value.End())
	return string(o.End())
}
