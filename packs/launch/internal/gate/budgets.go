package gate

import (
	"context"

	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/patch"
)

// The codes of budgets.
const (
	CodeBudgetMissing  = "GATE_BUDGETS_MISSING"
	CodeBudgetExceeded = "GATE_BUDGETS_EXCEEDED"
	CodeFormatting     = "GATE_BUDGETS_FORMATTING_ONLY"
)

// budgets compares what the run has cost and changed with what it may. Default
// budgets count, except in prod (18.12); the lines of new pages count only for
// budgets that were given.
func budgets(ctx context.Context, v *View, r *report) {
	may, used := v.Config.Budgets, v.Usage
	if r.profile == 2 && !v.Config.BudgetsGiven {
		r.add(0, CodeBudgetMissing, "", "budgets", "run_config has no budgets")
	}
	for _, budget := range []struct {
		name        string
		used, limit int
	}{
		{"max_runtime_s", used.RuntimeS, may.MaxRuntimeS}, {"max_llm_calls", used.LLMCalls, may.MaxLLMCalls}, {"max_llm_tokens", used.LLMTokens, may.MaxLLMTokens},
		{"max_file_writes", used.FileWrites, may.MaxFileWrites}, {"max_patch_attempts", used.PatchAttempts, may.MaxPatchAttempts},
		{"max_files_changed", len(v.Changed), may.MaxFilesChanged},
	} {
		if budget.limit <= 0 {
			r.add(0, CodeBudgetMissing, "", budget.name, "run_config has no %s", budget.name)
		} else if budget.used > budget.limit {
			r.add(0, CodeBudgetExceeded, "", budget.name, "%d is more than %s allows: %d", budget.used, budget.name, budget.limit)
		}
	}
	all, formatting := 0, 0
	for _, file := range v.Changed {
		if ctx.Err() != nil {
			return
		}
		before, _ := read(v.Base, file)
		after, _ := read(v.Site, file)
		lines, idle := patch.ChangedLines(string(before), string(after))
		counts := v.Config.BudgetsGiven || v.inBase(file)
		if may.MaxLinesPerFile > 0 && counts && lines > may.MaxLinesPerFile {
			r.add(0, CodeBudgetExceeded, file, "max_lines_per_file", "%d changed lines are more than max_lines_per_file allows: %d", lines, may.MaxLinesPerFile)
		}
		all, formatting = all+lines, formatting+idle
	}
	if formatting*5 > all*4 {
		r.addAs(r.choose(issue.Warn, issue.Warn, issue.Blocker), 0, CodeFormatting, "", "formatting", "%d of %d changed lines differ in white space alone", formatting, all)
	}
}
