package compare

import (
	"fmt"
	"io"
)

// A Floor is the least that a ratio may be.
type Floor struct {
	Server string
	Cell   Cell
	Figure Figure
	Least  float64
}

// A Figure is a ratio that a floor is about.
type Figure string

// The figures: our calls per second over the other server's, and the other
// server's CPU time per call over ours.
const (
	Calls Figure = "calls"
	CPU   Figure = "CPU"
)

// check prints how each floor was kept and returns those that were not. A
// server that could not be measured is reported as skipped; without our own
// figures nothing is kept.
func (r *report) check(out io.Writer, floors []Floor) (missed []Floor) {
	for _, f := range floors {
		what := fmt.Sprintf("%s of %s at %s", f.Figure, f.Server, r.describe(f.Cell))
		our, server := r.find(Ours, f.Cell), r.find(f.Server, f.Cell)
		switch {
		case our == nil:
			fmt.Fprintf(out, "floor missed: %s: %s was not measured\n", what, Ours)
		case server == nil && r.Skipped[f.Server] != "":
			fmt.Fprintf(out, "floor skipped: %s: %s\n", what, r.Skipped[f.Server])
			continue
		case server == nil:
			fmt.Fprintf(out, "floor missed: %s: not measured\n", what)
		case f.Figure == CPU && our.ServerCPU == 0:
			fmt.Fprintf(out, "floor skipped: %s: CPU time is not known here\n", what)
			continue
		case server.figure(f.Figure) < f.Least:
			fmt.Fprintf(out, "floor missed: %s: %.2f×, want %g×\n", what, server.figure(f.Figure), f.Least)
		default:
			fmt.Fprintf(out, "floor kept: %s: %.2f×, want %g×\n", what, server.figure(f.Figure), f.Least)
			continue
		}
		missed = append(missed, f)
	}
	return missed
}

func (r *row) figure(f Figure) float64 {
	if f == CPU {
		return r.CPURatio
	}
	return r.Ratio
}
