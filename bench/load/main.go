// Command load puts the same load on our server and on its peers and reports
// ratios:
//
//	go run ./bench/load [flags]
//
// Every server runs the same echo tool over stdio as a child process. Each
// cell (calls in flight, size of the argument) is measured on all peers in
// turn, several rounds long, and the median is reported. Exit code: 0 when all
// went well, 1 when a server answered wrongly or a floor of -check was missed,
// 2 when nothing could be measured.
package main

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
	"strconv"
	"strings"
	"time"

	"mcpworks/bench/internal/peers"
)

type options struct {
	peers    []string
	cells    []cell
	rounds   int
	warmup   time.Duration
	duration time.Duration
	json     string
	check    bool
}

func main() {
	o, err := parse(os.Args[1:])
	if err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "load:", err)
		}
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok, err := run(ctx, o, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	var names, inFlight, sizes string
	f := flag.NewFlagSet("load", flag.ContinueOnError)
	f.StringVar(&names, "peers", strings.Join(peers.Names, ","), "comma-separated `names` of the servers to measure")
	f.StringVar(&inFlight, "inflight", "1,16,64", "comma-separated `counts` of calls in flight")
	f.StringVar(&sizes, "sizes", "5,1K,100K", "comma-separated `sizes` of the argument in bytes, 5 or more")
	f.IntVar(&o.rounds, "rounds", 3, "rounds over all servers; the median is reported")
	f.DurationVar(&o.warmup, "warmup", time.Second, "load before measuring, for servers that compile while they run")
	f.DurationVar(&o.duration, "duration", time.Second, "measured time per server, cell and round")
	f.StringVar(&o.json, "json", "", "also write the figures to this `file`")
	f.BoolVar(&o.check, "check", false, "fail when a ratio is below its floor")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.peers = strings.Split(names, ",")
	for _, size := range strings.Split(sizes, ",") {
		n, err := parseSize(size)
		if err != nil {
			return o, err
		}
		for _, count := range strings.Split(inFlight, ",") {
			c, err := strconv.Atoi(count)
			if err != nil || c < 1 {
				return o, fmt.Errorf("calls in flight: want a number above zero, got %q", count)
			}
			o.cells = append(o.cells, cell{InFlight: c, TextSize: n})
		}
	}
	if o.rounds < 1 {
		return o, fmt.Errorf("want at least one round")
	}
	return o, nil
}

func parseSize(s string) (int, error) {
	digits, kilo := strings.CutSuffix(s, "K")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("size: want a number such as 5 or 100K, got %q", s)
	}
	if kilo {
		n <<= 10
	}
	if n < stamp {
		return 0, fmt.Errorf("size: want %d bytes at least, got %q", stamp, s)
	}
	return n, nil
}

// run returns false when a server or a floor failed.
func run(ctx context.Context, o options, out io.Writer) (bool, error) {
	dir, err := os.MkdirTemp("", "bench-load-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	commands, skipped, err := prepare(ctx, dir, o.peers)
	if err != nil {
		return false, err
	}
	r := newReport(o, skipped)
	if err := r.measureAll(ctx, o, commands); err != nil {
		return false, err
	}
	r.print(out)
	if o.json != "" {
		if err := r.writeJSON(o.json); err != nil {
			return false, err
		}
	}
	ok := len(r.Failures) == 0
	if o.check && !r.check(out) {
		ok = false
	}
	return ok, nil
}

func prepare(ctx context.Context, dir string, names []string) (commands map[string][]string, skipped map[string]string, err error) {
	root, err := peers.Root(ctx)
	if err != nil {
		return nil, nil, err
	}
	commands, skipped = make(map[string][]string), make(map[string]string)
	for _, name := range names {
		command, err := peers.Prepare(ctx, root, dir, name)
		switch {
		case errors.Is(err, peers.ErrUnavailable):
			skipped[name] = err.Error()
		case err != nil:
			return nil, nil, err
		default:
			commands[name] = command
		}
	}
	if len(commands) == 0 {
		return nil, nil, fmt.Errorf("no server to measure: %v", skipped)
	}
	return commands, skipped, nil
}

// measureAll goes through cells and peers round after round, each round
// starting with another peer, so that a disturbance of the machine does not
// meet the same one every time.
func (r *report) measureAll(ctx context.Context, o options, commands map[string][]string) error {
	// The generator shares the processors with the servers. One of its own
	// threads at a time keeps its goroutines from waking each other across them.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	samples := make(map[string]map[cell][]sample)
	for _, name := range o.peers {
		samples[name] = make(map[cell][]sample)
	}
	for round := range o.rounds {
		shift := round % len(o.peers)
		order := slices.Concat(o.peers[shift:], o.peers[:shift])
		for _, c := range o.cells {
			for _, name := range order {
				if commands[name] == nil {
					continue
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				s, err := measure(commands[name], c, o.warmup, o.duration)
				if err != nil {
					r.fail(name, c, err)
					continue
				}
				samples[name][c] = append(samples[name][c], s)
			}
		}
		fmt.Fprintf(os.Stderr, "round %d of %d done\n", round+1, o.rounds)
	}
	r.summarize(o, samples)
	return nil
}
