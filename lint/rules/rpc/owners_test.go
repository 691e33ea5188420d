package rpc

import (
	"testing"

	"mcpworks/lint"
)

// RPC-028 leaves a place to its rule only where that rule holds and runs.
func TestOwned(t *testing.T) {
	asked, version := &lint.Message{Kind: lint.Request, Method: []byte(`"tools/list"`), ID: []byte("1")}, "2025-11-25"
	for _, c := range []struct {
		pointer, version string
		level            lint.Level
		want             bool
	}{
		{"/jsonrpc", version, lint.Passive, true},
		{"/result/tools", version, lint.Passive, true},
		{"/result/tools/3", version, lint.Passive, true},
		{"/result/tools/3/title", version, lint.Passive, false},
		{"/result/tools/3/inputSchema", version, lint.Passive, true},
		{"/result/tools/3/inputSchema/properties/a/type", version, lint.Passive, true},
		{"/result/tools/3/inputSchemas", version, lint.Passive, false},
		{"/result/tools/3/icons/0/src", version, lint.Passive, true},
		{"/result/tools/3/icons/0/src", "2025-06-18", lint.Passive, false},
		{"/result/resources", version, lint.Passive, false},
		{"/error/data/supported", "2026-07-28", lint.Passive, false},
		{"/error/data/supported", "2026-07-28", lint.Probe, true},
		{"/id", version, lint.Passive, false},
		{"", version, lint.Passive, false},
	} {
		if got := owned(asked, c.version, c.pointer, c.level); got != c.want {
			t.Errorf("%q in %s at level %v: %v, want %v", c.pointer, c.version, c.level, got, c.want)
		}
	}
}
