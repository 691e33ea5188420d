package launch

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"mcpworks/mcp"
)

// An operation is what stands behind the names of a tool.
type operation struct {
	name          string // of the operation, in records
	title, about  string
	input, output string // JSON Schemas; output may use the definitions of 3.4
	example       string // the least arguments that are right, for those who sent others
	timeout       time.Duration
	readOnly      bool
	idempotent    bool // also if only with an idempotency key
	destructive   bool
	openWorld     bool     // it may ask the network
	continues     bool     // the run goes on when the call does not
	states        []string // the states of a run that it can be done in; nil for all
	unforeseen    Code     // what an error is that nobody has foreseen; empty for INTERNAL
	do            func(ctx context.Context, l *Launcher, c *call) (any, error)
}

// An entry is an operation with all its names.
type entry struct {
	*operation
	names []string
	// deprecated are names that only old clients use.
	deprecated []string
}

// catalogue is all tools, in the order in which they are listed (3.2).
var catalogue []entry

func init() { // not a literal: the table and its functions refer to each other
	catalogue = []entry{
		{operation: launchOperation, names: []string{"launch_run"}},
		{operation: startOperation, names: []string{"launch_start_run"}},
		{operation: startProductOperation, names: []string{"launch_start_run_from_product_url"}, deprecated: []string{"launch_start_run_from_url"}},
		{operation: startGitHubOperation, names: []string{"launch_start_run_from_github_repo_url"}},
		{operation: statusOperation, names: []string{"get_run_status", "launch_get_status"}},
		{operation: listOperation, names: []string{"list_runs", "launch_list_runs"}},
		{operation: artifactOperation, names: []string{"get_artifact", "launch_get_artifact"}},
		{operation: validateOperation, names: []string{"validate_run", "launch_validate"}},
		{operation: fixNextOperation, names: []string{"launch_fix_next"}},
		{operation: resumeOperation, names: []string{"resume_run", "launch_resume"}},
		{operation: cancelOperation, names: []string{"cancel_run", "launch_cancel"}},
		{operation: openPROperation, names: []string{"launch_open_pr"}},
		{operation: telemetryOperation, names: []string{"get_telemetry", "get_run_telemetry"}},
		{operation: listTaskcardsOperation, names: []string{"list_taskcards"}},
		{operation: validateTaskcardOperation, names: []string{"validate_taskcard"}},
	}
}

func (e entry) all() []string { return slices.Concat(e.names, e.deprecated) }

// find returns the entry of a tool.
func find(tool string) (found entry, deprecated, ok bool) {
	for _, e := range catalogue {
		if slices.Contains(e.all(), tool) {
			return e, slices.Contains(e.deprecated, tool), true
		}
	}
	return entry{}, false, false
}

// Tools are the names of all tools.
func Tools() (names []string) {
	for _, e := range catalogue {
		names = append(names, e.all()...)
	}
	return names
}

// definition is the tool of a name, as clients see it.
func (e entry) definition(name string) mcp.Tool {
	tool := mcp.Tool{
		Name: name, Title: e.title, Description: e.about, InputSchema: json.RawMessage(e.input), OutputSchema: withDefinitions(e.output),
		Annotations: &mcp.ToolAnnotations{ReadOnly: e.readOnly, Destructive: e.destructive, Idempotent: e.idempotent, OpenWorld: e.openWorld},
	}
	switch {
	case slices.Contains(e.deprecated, name):
		tool.Description = "Deprecated: use " + e.names[0] + ". " + e.about
		tool.Meta = mcp.Meta{"deprecated": json.RawMessage("true")}
	case name != e.names[0]:
		tool.Description = e.about + " The same as " + e.names[0] + "."
	}
	return tool
}
