package compare

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

	"mcpworks/bench/internal/gauge"
)

// A report is what -json writes.
type report struct {
	Title      string            `json:"title"`
	Go         string            `json:"go"`
	Processors int               `json:"processors"`
	Rounds     int               `json:"rounds"`
	Duration   string            `json:"duration"`
	Skipped    map[string]string `json:"skipped,omitempty"` // server: why
	Failures   []string          `json:"failures,omitempty"`
	Rows       []row             `json:"rows"`

	inFlight string // what the calls made at once are called
	hasModes bool
}

type row struct {
	Cell
	Server string `json:"peer"`
	gauge.Sample
	// Ratio is our calls per second over the server's, CPURatio the server's
	// CPU time per call over ours; 0 if one is unknown.
	Ratio    float64 `json:"mcpworks_over_peer,omitempty"`
	CPURatio float64 `json:"peer_cpu_over_mcpworks,omitempty"`
}

func newReport(b *Bench, o options, skipped map[string]string) *report {
	r := &report{
		Title: b.Title, Go: runtime.Version(), Processors: runtime.NumCPU(),
		Rounds: o.rounds, Duration: o.duration.String(), Skipped: skipped,
		inFlight: b.InFlight, hasModes: len(b.Modes) > 0,
	}
	if r.inFlight == "inflight" {
		r.inFlight = "in flight"
	}
	return r
}

// describe names a cell in a sentence.
func (r *report) describe(c Cell) string {
	text := fmt.Sprintf("%s, %d %s", size(c.TextSize), c.InFlight, r.inFlight)
	if r.hasModes {
		text += ", " + c.Mode
	}
	return text
}

func (r *report) fail(server string, c Cell, err error) {
	r.Failures = append(r.Failures, fmt.Sprintf("%s at %s: %v", server, r.describe(c), err))
}

// summarize puts the medians into the rows, over those that are there from an
// earlier attempt.
func (r *report) summarize(o options, samples map[string]map[Cell][]gauge.Sample) {
	for _, c := range o.cells {
		for _, server := range o.servers {
			all := samples[server][c]
			switch known := r.find(server, c); {
			case len(all) == 0:
			case known != nil:
				known.Sample = gauge.Median(all)
			default:
				r.Rows = append(r.Rows, row{Cell: c, Server: server, Sample: gauge.Median(all)})
			}
		}
	}
	for i := range r.Rows {
		this := &r.Rows[i]
		our := r.find(Ours, this.Cell)
		if our == nil || this.Server == Ours {
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

func (r *report) find(server string, c Cell) *row {
	for i := range r.Rows {
		if r.Rows[i].Server == server && r.Rows[i].Cell == c {
			return &r.Rows[i]
		}
	}
	return nil
}

func (r *report) print(out io.Writer) {
	fmt.Fprintf(out, "%s, %s, %d processors, median of %d rounds of %s\n\n", r.Title, r.Go, r.Processors, r.Rounds, r.Duration)
	mode := func(name string) string {
		if r.hasModes {
			return name + "\t"
		}
		return ""
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%stext\t%s\tserver\tcalls/s\tCPU/call\tp50\tp99\tpeak RSS\tclient CPU/call\tcalls: mcpworks/server\tCPU: server/mcpworks\t\n", mode("mode"), r.inFlight)
	var last Cell
	for _, x := range r.Rows {
		if last != (Cell{}) && x.Cell != last {
			fmt.Fprintln(w, mode("")+"\t\t\t\t\t\t\t\t\t\t\t")
		}
		last = x.Cell
		fmt.Fprintf(w, "%s%s\t%d\t%s\t%.0f\t%s\t%s\t%s\t%.1f MB\t%s\t%s\t%s\t\n", mode(x.Mode), size(x.TextSize), x.InFlight, x.Server, x.CallsPerSecond,
			micro(x.ServerCPU), micro(x.P50), micro(x.P99), float64(x.PeakRSS)/1e6, micro(x.ClientCPU), ratio(x.Ratio), ratio(x.CPURatio))
	}
	w.Flush()
	fmt.Fprintln(out)
	for _, server := range slices.Sorted(maps.Keys(r.Skipped)) {
		fmt.Fprintf(out, "skipped: %s: %s\n", server, r.Skipped[server])
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
