package rules

import (
	"slices"

	"mcpworks/lint"
)

// foreign has the ids of mcplint-rs that mean the same as one of ours (C0). They
// are written with rs: before them, since some of them are also ours with
// another meaning.
var foreign = map[string]string{
	"PROTO-001": "RPC-001", "PROTO-002": "LIFE-005", "PROTO-003": "LIFE-002", "PROTO-004": "LIFE-008", "PROTO-005": "TOOL-001",
	"PROTO-006": "RES-001", "PROTO-007": "PRM-001", "PROTO-008": "LIFE-009", "PROTO-011": "RPC-017", "PROTO-012": "RPC-010",
	"PROTO-014": "TOOL-019", "PROTO-015": "UTIL-009",
	"SCHEMA-001": "SCH-001", "SCHEMA-002": "TOOL-002", "SCHEMA-004": "SCH-006", "SCHEMA-005": "LLM-001",
	"SEQ-001": "LIFE-016", "SEQ-002": "TOOL-006", "SEQ-005": "PAGE-003",
	"TOOL-002": "TOOL-007", "TOOL-003": "TOOL-008",
	"RES-001": "RES-004", "RES-002": "RES-007",
	"SEC-004": "SEC-022", "SEC-011": "SEC-002", "SEC-012": "SEC-013", "SEC-013": "SEC-017",
	"EDGE-004": "ROB-001", "EDGE-006": "ROB-004",
	"MCP-SEC-040": "SEC-002", "MCP-SEC-041": "SEC-013", "MCP-SEC-042": "SEC-016", "MCP-SEC-044": "SEC-001", "MCP-SEC-045": "SEC-015",
	"MCP-TRANS-001": "HTTP-024",
}

// Foreign are the names that a rule has in mcplint-rs, with rs: before them.
func Foreign(rule *lint.Rule) []string {
	var names []string
	for theirs, ours := range foreign {
		if ours == rule.ID {
			names = append(names, "rs:"+theirs)
		}
	}
	return sorted(names)
}

func sorted(names []string) []string {
	slices.Sort(names)
	return names
}
