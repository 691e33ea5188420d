// Package compare measures our server and its peers with the same load in one
// run and reports ratios. What the load is, a [Bench] says.
package compare

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"time"

	"mcpworks/bench/internal/gauge"
	"mcpworks/bench/internal/peers"
)

// Ours is the server that the ratios are about.
const Ours = "mcpworks"

// A Cell is one way to load a server.
type Cell struct {
	Mode     string `json:"mode,omitempty"`
	InFlight int    `json:"in_flight"` // calls at once
	TextSize int    `json:"text_bytes"`
}

// A Run is one cell on one server.
type Run struct {
	Cell
	Server   string
	Command  []string // starts its program
	Warmup   time.Duration
	Duration time.Duration // measured, after the warm-up
}

// ErrNotApplicable is returned by Measure for a server that has no such cell.
var ErrNotApplicable = errors.New("not applicable")

// A Bench is one kind of load.
type Bench struct {
	Name     string   // of the program
	Title    string   // of the report
	Servers  []string // measured by default, in the order of reports
	Modes    []string // by default all of them are measured; none for a bench without
	InFlight string   // the flag that says how many calls are made at once
	Floors   []Floor
	Flags    func(*flag.FlagSet) // adds flags of its own; nil for none
	// Program names the folder in bench/peers for a server; nil means that
	// they are called the same.
	Program func(server string) string
	// Measure makes one run.
	Measure func(ctx context.Context, r Run) (gauge.Sample, error)
}

// Main is the program. Exit code: 0 when all went well, 1 when a server
// answered wrongly or a floor of -check was missed, 2 when nothing could be
// measured.
func (b *Bench) Main() {
	o, err := b.parse(os.Args[1:])
	if err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintf(os.Stderr, "%s: %v\n", b.Name, err)
		}
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok, err := b.run(ctx, o, os.Stdout)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", b.Name, err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run returns false when a server or a floor failed.
func (b *Bench) run(ctx context.Context, o options, out io.Writer) (bool, error) {
	dir, err := os.MkdirTemp("", "bench-"+b.Name+"-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	commands, skipped, err := b.prepare(ctx, dir, o.servers)
	if err != nil {
		return false, err
	}
	r := newReport(b, o, skipped)
	if err := b.measureAll(ctx, r, o, commands); err != nil {
		return false, err
	}
	r.print(out)
	var missed []Floor
	if o.check {
		missed = r.check(out, b.Floors)
		for attempt := 2; len(missed) > 0 && attempt <= o.attempts; attempt++ {
			again := o.only(missed)
			if len(again.servers) < 2 || len(again.cells) == 0 {
				break // it was not asked for, and there is nothing to compare
			}
			fmt.Fprintf(out, "\nattempt %d of %d for what was missed\n", attempt, o.attempts)
			if err := b.measureAll(ctx, r, again, commands); err != nil {
				return false, err
			}
			missed = r.check(out, missed)
		}
	}
	if o.json != "" {
		if err := r.writeJSON(o.json); err != nil {
			return false, err
		}
	}
	return len(r.Failures) == 0 && len(missed) == 0, nil
}

func (b *Bench) prepare(ctx context.Context, dir string, servers []string) (commands map[string][]string, skipped map[string]string, err error) {
	root, err := peers.Root(ctx)
	if err != nil {
		return nil, nil, err
	}
	commands, skipped = make(map[string][]string), make(map[string]string)
	for _, server := range servers {
		program := server
		if b.Program != nil {
			program = b.Program(server)
		}
		command, err := peers.Prepare(ctx, root, dir, program)
		switch {
		case errors.Is(err, peers.ErrUnavailable):
			skipped[server] = err.Error()
		case err != nil:
			return nil, nil, err
		default:
			commands[server] = command
		}
	}
	if len(commands) == 0 {
		return nil, nil, fmt.Errorf("no server to measure: %v", skipped)
	}
	return commands, skipped, nil
}

// measureAll goes through cells and servers round after round, each round
// starting with another server, so that a disturbance of the machine does not
// meet the same one every time.
func (b *Bench) measureAll(ctx context.Context, r *report, o options, commands map[string][]string) error {
	// The generator shares the processors with the servers. One of its own
	// threads at a time keeps its goroutines from waking each other across them.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	samples := make(map[string]map[Cell][]gauge.Sample)
	for _, server := range o.servers {
		samples[server] = make(map[Cell][]gauge.Sample)
	}
	for round := range o.rounds {
		shift := round % len(o.servers)
		order := slices.Concat(o.servers[shift:], o.servers[:shift])
		for _, c := range o.cells {
			for _, server := range order {
				if commands[server] == nil {
					continue
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				s, err := b.Measure(ctx, Run{c, server, commands[server], o.warmup, o.duration})
				switch {
				case errors.Is(err, ErrNotApplicable):
				case err != nil:
					r.fail(server, c, err)
				default:
					samples[server][c] = append(samples[server][c], s)
				}
			}
		}
		fmt.Fprintf(os.Stderr, "round %d of %d done\n", round+1, o.rounds)
	}
	r.summarize(o, samples)
	return nil
}
