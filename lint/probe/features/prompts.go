package features

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// mostPrompts is how many prompts are asked for, of each kind.
const mostPrompts = 3

func (p *script) getPrompts() {
	p.Ask(step.GetUnknownPrompt, "", mcp.MethodGetPrompt, object("name", step.UnknownName))
	asked := map[string]int{}
	for _, item := range p.items(mcp.MethodListPrompts) {
		name := step.GetPrompt
		if requiresArguments(item) {
			name = step.GetPromptWithout
		}
		if item.Name != "" && asked[name] < mostPrompts {
			p.Ask(name, item.Name, mcp.MethodGetPrompt, object("name", item.Name))
			asked[name]++
		}
	}
}

func requiresArguments(prompt lint.Item) bool {
	for _, argument := range arguments(prompt) {
		if string(lint.Member(argument, "required")) == "true" {
			return true
		}
	}
	return false
}

// arguments are those of a listed prompt.
func arguments(prompt lint.Item) [][]byte {
	var arguments [][]byte
	if list := lint.Member(prompt.Raw, "arguments"); rawjson.KindOf(list) == rawjson.Array {
		for argument := range rawjson.Elements(list) {
			arguments = append(arguments, argument)
		}
	}
	return arguments
}
