package prompts

import (
	"fmt"
	"strconv"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// An argument is an element of the arguments of a listed prompt.
type argument struct {
	raw  []byte
	name string
	at   string // behind the pointer of the prompt
}

func arguments(item lint.Item) []argument {
	var arguments []argument
	if list := lint.Member(item.Raw, "arguments"); rawjson.KindOf(list) == rawjson.Array {
		for raw := range rawjson.Elements(list) {
			name, _ := lint.Text(lint.Member(raw, "name"))
			arguments = append(arguments, argument{raw, name, "/arguments/" + strconv.Itoa(len(arguments))})
		}
	}
	return arguments
}

// noneListed says that a rule is not about a server that was asked for its
// prompts and has none.
func noneListed(v *lint.View) {
	if len(v.Items(mcp.MethodListPrompts)) > 0 {
		return
	}
	for _, t := range v.Talks(step.Main) {
		if first := t.Step(step.List, mcp.MethodListPrompts); first != nil && first.Answer() != nil && first.Answer().HasResult() {
			v.NotApplicable("the server lists no prompts")
		}
	}
}

// failAt adds a finding about a listed prompt, or about one of its arguments.
func failAt(v *lint.View, item lint.Item, of argument, format string, args ...any) {
	subject := item.Subject()
	subject.Part = of.name
	v.Fail(lint.Finding{
		Subject: subject, Pointer: item.Pointer + of.at, Message: fmt.Sprintf(format, args...),
		Evidence: item.Evidence(), Revision: item.Message.Talk().Revision,
	})
}
