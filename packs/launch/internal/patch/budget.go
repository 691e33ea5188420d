package patch

import (
	"fmt"
	"strings"

	"mcpworks/packs/launch/internal/patch/linediff"
)

// The codes of exceeded budgets.
const (
	ChangeBudget = "POLICY_CHANGE_BUDGET_EXCEEDED"
	WriteBudget  = "BUDGET_EXCEEDED_FILE_WRITES"
)

// A BudgetError is a change that is larger than the run may make. Nothing of it
// was applied.
type BudgetError struct {
	Code string
	What string
}

func (e *BudgetError) Error() string { return e.Code + ": " + e.What }

// judge compares a change with the budgets (9.3).
func (r Rules) judge(result *Result) error {
	over := func(code string, count, limit int, what string) error {
		if limit == 0 || count <= limit {
			return nil
		}
		return &BudgetError{code, fmt.Sprintf("%d %s, allowed are %d", count, what, limit)}
	}
	files := len(result.Changes)
	if files == 0 {
		return nil
	}
	if err := over(ChangeBudget, r.AlreadyChanged+files, r.MaxFilesChanged, "files changed"); err != nil {
		return err
	}
	if err := over(WriteBudget, r.AlreadyWritten+files, r.MaxFileWrites, "files written"); err != nil {
		return err
	}
	all, formatting := 0, 0
	for _, c := range result.Changes {
		lines, idle := ChangedLines(string(c.Before), string(c.After))
		if !r.SpareNew || c.Before != nil {
			if err := over(ChangeBudget, lines, r.MaxLinesPerFile, "lines changed in "+c.Path); err != nil {
				return err
			}
		}
		all, formatting = all+lines, formatting+idle
	}
	if result.MostlyFormatting = formatting*5 > all*4; result.MostlyFormatting && r.RefuseFormatting {
		return &BudgetError{ChangeBudget, fmt.Sprintf("%d of %d changed lines differ in white space alone", formatting, all)}
	}
	return nil
}

// ChangedLines counts the lines that a change adds and removes, and those of them
// that differ in white space alone.
func ChangedLines(before, after string) (lines, formatting int) {
	a, b := linediff.Lines(before), linediff.Lines(after)
	for _, h := range linediff.Compare(a, b) {
		lines += h.A1 - h.A0 + h.B1 - h.B0
		left := map[string]int{}
		for _, line := range a[h.A0:h.A1] {
			left[bare(line)]++
		}
		for _, line := range b[h.B0:h.B1] {
			if left[bare(line)] > 0 {
				left[bare(line)]--
				formatting += 2
			} else if bare(line) == "" {
				formatting++
			}
		}
		formatting += left[""]
	}
	return lines, formatting
}

func bare(line string) string { return strings.Join(strings.Fields(line), "") }
