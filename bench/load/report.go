package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"
)

// ours is the peer that the ratios are about.
const ours = "mcpworks"

// A report is what -json writes.
type report struct {
	Go         string            `json:"go"`
	Processors int               `json:"processors"`
	Rounds     int               `json:"rounds"`
	Duration   string            `json:"duration"`
	Skipped    map[string]string `json:"skipped,omitempty"` // peer: why
	Failures   []string          `json:"failures,omitempty"`
	Rows       []row             `json:"rows"`
}

type row struct {
	cell
	Peer string `json:"peer"`
	sample
	// Ratio is our calls per second over the peer's, CPURatio the peer's CPU
	// time per call over ours; 0 if one is unknown.
	Ratio    float64 `json:"mcpworks_over_peer,omitempty"`
	CPURatio float64 `json:"peer_cpu_over_mcpworks,omitempty"`
}

func newReport(o options, skipped map[string]string) *report {
	return &report{
		Go: runtime.Version(), Processors: runtime.NumCPU(),
		Rounds: o.rounds, Duration: o.duration.String(), Skipped: skipped,
	}
}

func (r *report) fail(peer string, c cell, err error) {
	r.Failures = append(r.Failures, fmt.Sprintf("%s, %d in flight, %s: %v", peer, c.InFlight, size(c.TextSize), err))
}

func (r *report) summarize(o options, samples map[string]map[cell][]sample) {
	for _, c := range o.cells {
		for _, peer := range o.peers {
			if all := samples[peer][c]; len(all) > 0 {
				r.Rows = append(r.Rows, row{cell: c, Peer: peer, sample: median(all)})
			}
		}
	}
	for i := range r.Rows {
		this := &r.Rows[i]
		our := r.find(ours, this.cell)
		if our == nil || this.Peer == ours {
			continue
		}
		if this.CallsPerSecond > 0 {
			this.Ratio = our.CallsPerSecond / this.CallsPerSecond
		}
		if our.ServerCPU > 0 {
			this.CPURatio = float64(this.ServerCPU) / float64(our.ServerCPU)
		}
	}
}

func (r *report) find(peer string, c cell) *row {
	for i := range r.Rows {
		if r.Rows[i].Peer == peer && r.Rows[i].cell == c {
			return &r.Rows[i]
		}
	}
	return nil
}

func (r *report) print(out io.Writer) {
	fmt.Fprintf(out, "echo over stdio, %s, %d processors, median of %d rounds of %s\n\n", r.Go, r.Processors, r.Rounds, r.Duration)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "text\tin flight\tserver\tcalls/s\tCPU/call\tp50\tp99\tpeak RSS\tclient CPU/call\tcalls: mcpworks/server\tCPU: server/mcpworks\t")
	var last cell
	for _, x := range r.Rows {
		if last != (cell{}) && x.cell != last {
			fmt.Fprintln(w, "\t\t\t\t\t\t\t\t\t\t\t")
		}
		last = x.cell
		fmt.Fprintf(w, "%s\t%d\t%s\t%.0f\t%s\t%s\t%s\t%.1f MB\t%s\t%s\t%s\t\n", size(x.TextSize), x.InFlight, x.Peer, x.CallsPerSecond,
			micro(x.ServerCPU), micro(x.P50), micro(x.P99), float64(x.PeakRSS)/1e6, micro(x.ClientCPU), ratio(x.Ratio), ratio(x.CPURatio))
	}
	w.Flush()
	fmt.Fprintln(out)
	for _, peer := range slices.Sorted(maps.Keys(r.Skipped)) {
		fmt.Fprintf(out, "skipped: %s: %s\n", peer, r.Skipped[peer])
	}
	for _, f := range r.Failures {
		fmt.Fprintf(out, "failed: %s\n", f)
	}
}

func (r *report) writeJSON(file string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o666)
}

func size(n int) string {
	if n >= 1024 && n%1024 == 0 {
		return fmt.Sprintf("%d KB", n/1024)
	}
	return fmt.Sprintf("%d B", n)
}

func micro(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f µs", float64(d)/float64(time.Microsecond))
}

func ratio(x float64) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f×", x)
}
