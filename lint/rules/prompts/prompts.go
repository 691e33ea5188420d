// Package prompts has the rules about prompts: PRM-001 and so on. Each has a
// file of its own; this one lists them.
package prompts

import "mcpworks/lint"

// Rules are all of them, by their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{&listShape, &unique, &getShape, &unknownPrompt, &missingArgument, &described}
}
