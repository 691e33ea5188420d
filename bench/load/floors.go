package main

import (
	"fmt"
	"io"
)

// A floor is the least that our calls per second over the peer's may be.
type floor struct {
	peer     string
	inFlight int
	textSize int
	least    float64
}

// floors are what the project promises about itself.
var floors = []floor{
	{"gosdk", 16, 5, 10},
	{"mcpgo", 16, 5, 3},
	{"typescript", 16, 5, 2},
	{"typescript", 16, 100 << 10, 1},
}

// check prints how each floor was kept and returns false if one was not. A
// peer that could not be measured is reported as skipped; without our own
// figures nothing is kept.
func (r *report) check(out io.Writer) bool {
	ok := true
	for _, f := range floors {
		c := cell{InFlight: f.inFlight, TextSize: f.textSize}
		what := fmt.Sprintf("%s at %s, %d in flight", f.peer, size(f.textSize), f.inFlight)
		peer := r.find(f.peer, c)
		switch {
		case r.find(ours, c) == nil:
			fmt.Fprintf(out, "floor missed: %s: mcpworks was not measured\n", what)
			ok = false
		case peer == nil && r.Skipped[f.peer] != "":
			fmt.Fprintf(out, "floor skipped: %s: %s\n", what, r.Skipped[f.peer])
		case peer == nil:
			fmt.Fprintf(out, "floor missed: %s: not measured\n", what)
			ok = false
		case peer.Ratio < f.least:
			fmt.Fprintf(out, "floor missed: %s: %.2f×, want %g×\n", what, peer.Ratio, f.least)
			ok = false
		default:
			fmt.Fprintf(out, "floor kept: %s: %.2f×, want %g×\n", what, peer.Ratio, f.least)
		}
	}
	return ok
}
