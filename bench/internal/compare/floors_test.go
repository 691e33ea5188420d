package compare

import (
	"strings"
	"testing"

	"mcpworks/bench/internal/gauge"
)

func TestFloors(t *testing.T) {
	small, big := Cell{InFlight: 16, TextSize: 5}, Cell{InFlight: 16, TextSize: 100 << 10}
	floors := []Floor{
		{"gosdk", small, Calls, 10},
		{"mcpgo", small, Calls, 3},
		{"mcpgo", small, CPU, 2},
		{"typescript", small, Calls, 2},
		{"typescript", big, Calls, 1},
		{"gosdk", big, CPU, 8},
	}
	r := report{
		Rows: []row{
			{Cell: small, Server: Ours, Sample: gauge.Sample{ServerCPU: 1}},
			{Cell: small, Server: "gosdk", Ratio: 12},
			{Cell: small, Server: "mcpgo", Ratio: 2.5, CPURatio: 2.5},
			{Cell: big, Server: Ours},
			{Cell: big, Server: "gosdk"},
		},
		Skipped:  map[string]string{"typescript": "not available: npm is not installed"},
		inFlight: "in flight",
	}
	var out strings.Builder
	missed := r.check(&out, floors)
	if len(missed) != 1 || missed[0] != floors[1] {
		t.Errorf("missed: %v", missed)
	}
	for _, want := range []string{
		"floor kept: calls of gosdk at 5 B", "floor missed: calls of mcpgo at 5 B, 16 in flight: 2.50×, want 3×",
		"floor kept: CPU of mcpgo at 5 B, 16 in flight: 2.50×, want 2×",
		"floor skipped: calls of typescript at 5 B", "floor skipped: calls of typescript at 100 KB",
		"floor skipped: CPU of gosdk at 100 KB",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
	if missed := (&report{}).check(&out, floors); len(missed) != len(floors) {
		t.Error("a report without our own figures was accepted")
	}
}

func TestMissedFloorsAreMeasuredAlone(t *testing.T) {
	b := Bench{Name: "test", Servers: []string{Ours, "gosdk", "mcpgo"}, Modes: []string{"session", "stateless"}, InFlight: "connections"}
	o, err := b.parse([]string{"-connections", "1,16", "-sizes", "5,1K"})
	if err != nil {
		t.Fatal(err)
	}
	if len(o.cells) != 8 {
		t.Fatalf("cells: %v", o.cells)
	}
	o = o.only([]Floor{{Server: "mcpgo", Cell: Cell{"stateless", 16, 5}}})
	if len(o.cells) != 1 || o.cells[0] != (Cell{"stateless", 16, 5}) || len(o.servers) != 2 || o.servers[1] != "mcpgo" {
		t.Errorf("narrowed to %v on %v", o.cells, o.servers)
	}
	if _, err := b.parse([]string{"-modes", "other"}); err == nil {
		t.Error("an unknown mode was accepted")
	}
}
