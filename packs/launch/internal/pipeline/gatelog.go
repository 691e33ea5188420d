package pipeline

import (
	"fmt"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/run/durable"
)

// mostLogLines is how many issues of a gate its log tells of.
const mostLogLines = 200

// logGates writes a log for each gate of a report, in the place of an older one,
// and names it in the report (5.5, 10.3). It says no more than the report does,
// and has no times in it.
func (j *job) logGates(report *artifact.ValidationReport) error {
	for i := range report.Gates {
		result := &report.Gates[i]
		result.LogPath = "logs/gate_" + result.Name + ".log"
		if _, err := durable.Write(j.held.Root(), result.LogPath, gateLog(*result, report.Issues)); err != nil {
			return fmt.Errorf("write the log of a gate: %w", err)
		}
	}
	return nil
}

func gateLog(result artifact.GateResult, issues []issue.Issue) []byte {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s, %d issues\n", result.Name, result.Status, result.Issues)
	if result.Reason != "" {
		fmt.Fprintf(&text, "reason: %s\n", result.Reason)
	}
	lines := 0
	for _, i := range issues {
		if i.Gate != result.Name {
			continue
		}
		if lines++; lines > mostLogLines {
			fmt.Fprintf(&text, "and %d more\n", result.Issues-mostLogLines)
			break
		}
		place := ""
		if i.Location != nil {
			place = fmt.Sprintf(" %s:%d", i.Location.Path, i.Location.Line)
		}
		fmt.Fprintf(&text, "%s %s%s: %s\n", i.Severity, i.Code, place, i.Message)
	}
	return []byte(text.String())
}
