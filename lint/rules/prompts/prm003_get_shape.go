package prompts

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var getShape = lint.Rule{
	ID: "PRM-003", Slug: "get-shape",
	Title:    "the messages of a prompt have a role and one block of content",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Probe, Needs: "prompts",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/prompts#promptmessage", Demand: "Every message of a prompt is said by the user or the assistant, and has content of one of the defined types."}},
	What:  "Sends prompts/get for up to three prompts that require no arguments. The result has an array messages; each has the role user or assistant and as content one object: text, image, audio (from 2025-03-26), resource_link (from 2025-06-18) or resource, with the members of its type.",
	Why:   "Clients hand the messages to a model as they are. One with another role, or content that is a bare string or an array, makes the request to the model fail.",
	Bad:   `{"messages":[{"role":"system","content":"Be brief."}]}`,
	Good:  `{"messages":[{"role":"user","content":{"type":"text","text":"Be brief."}}]}`,
	Fix:   "Use the roles user and assistant, and give each message one content object; make several messages for several blocks.",
	Check: func(v *lint.View) {
		for _, answer := range v.Answers(step.GetPrompt) {
			if !answer.HasResult() || rawjson.IsString(lint.Member(answer.Result, "resultType"), "input_required") {
				continue
			}
			v.Saw()
			list := lint.Member(answer.Result, "messages")
			if rawjson.KindOf(list) != rawjson.Array {
				v.Failf(answer, prompt(answer), "the result has no array messages")
				continue
			}
			for message := range rawjson.Elements(list) {
				if flaw := messageFlaw(message, answer.Talk().Revision); flaw != "" {
					v.Failf(answer, prompt(answer), "%s", flaw)
				}
			}
		}
		if len(v.Steps(step.GetPrompt)) == 0 && len(v.Talks(step.Probing)) > 0 {
			v.NotApplicable("the server lists no prompt that can be got without arguments")
		}
	},
}

func messageFlaw(message []byte, version string) string {
	role := lint.Member(message, "role")
	if !rawjson.IsString(role, "user") && !rawjson.IsString(role, "assistant") {
		return "a message has a role other than user and assistant"
	}
	return contentFlaw(lint.Member(message, "content"), version)
}
