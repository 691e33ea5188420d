package prompts

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var missingArgument = lint.Rule{
	ID: "PRM-005", Slug: "missing-argument",
	Title:    "a prompt without its required arguments is refused with error -32602",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.All, Level: lint.Probe, Needs: "prompts",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/prompts#error-handling", Demand: "Missing required arguments are invalid params, -32602."}},
	What:  "Sends prompts/get without arguments for up to three prompts that require some, and expects error -32602.",
	Why:   "Otherwise the model gets a text with holes in it, such as \"Review this: undefined\", and nobody notices.",
	Bad:   `{"result":{"messages":[{"role":"user","content":{"type":"text","text":"Review this: undefined"}}]}}`,
	Good:  `{"error":{"code":-32602,"message":"the argument code is required"}}`,
	Fix:   "Check the arguments against the list before the prompt is made, and answer with error -32602 that names the missing one.",
	Check: func(v *lint.View) {
		for _, answer := range v.Answers(step.GetPromptWithout) {
			wantInvalidParams(v, answer, prompt(answer), "the prompt without its required arguments")
		}
		if len(v.Steps(step.GetPromptWithout)) == 0 && len(v.Talks(step.Probing)) > 0 {
			v.NotApplicable("the server lists no prompt that requires arguments")
		}
	},
}
