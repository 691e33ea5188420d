package compare

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcpworks/bench/internal/echo"
)

type options struct {
	servers  []string
	cells    []Cell
	rounds   int
	warmup   time.Duration
	duration time.Duration
	json     string
	check    bool
	attempts int
}

func (b *Bench) parse(args []string) (options, error) {
	var o options
	var servers, modes, inFlight, sizes string
	f := flag.NewFlagSet(b.Name, flag.ContinueOnError)
	f.StringVar(&servers, "peers", strings.Join(b.Servers, ","), "comma-separated `names` of the servers to measure")
	if len(b.Modes) > 0 {
		f.StringVar(&modes, "modes", strings.Join(b.Modes, ","), "comma-separated `names` of the modes to measure")
	}
	f.StringVar(&inFlight, b.InFlight, "1,16,64", "comma-separated `counts` of calls made at once")
	f.StringVar(&sizes, "sizes", "5,1K,100K", "comma-separated `sizes` of the argument in bytes, 5 or more")
	f.IntVar(&o.rounds, "rounds", 3, "rounds over all servers; the median is reported")
	f.DurationVar(&o.warmup, "warmup", time.Second, "load before measuring, for servers that compile while they run")
	f.DurationVar(&o.duration, "duration", time.Second, "measured time per server, cell and round")
	f.StringVar(&o.json, "json", "", "also write the figures to this `file`")
	f.BoolVar(&o.check, "check", false, "fail when a ratio is below its floor")
	f.IntVar(&o.attempts, "attempts", 1, "how often a missed floor is measured before it counts")
	if b.Flags != nil {
		b.Flags(f)
	}
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.servers = strings.Split(servers, ",")
	if o.rounds < 1 {
		return o, fmt.Errorf("want at least one round")
	}
	for _, mode := range strings.Split(modes, ",") {
		if len(b.Modes) > 0 && !slices.Contains(b.Modes, mode) {
			return o, fmt.Errorf("mode: want one of %s, got %q", strings.Join(b.Modes, ", "), mode)
		}
		cells, err := parseCells(mode, inFlight, sizes)
		if err != nil {
			return o, err
		}
		o.cells = append(o.cells, cells...)
	}
	return o, nil
}

func parseCells(mode, inFlight, sizes string) (cells []Cell, err error) {
	for _, size := range strings.Split(sizes, ",") {
		n, err := parseSize(size)
		if err != nil {
			return nil, err
		}
		for _, count := range strings.Split(inFlight, ",") {
			c, err := strconv.Atoi(count)
			if err != nil || c < 1 {
				return nil, fmt.Errorf("calls made at once: want a number above zero, got %q", count)
			}
			cells = append(cells, Cell{Mode: mode, InFlight: c, TextSize: n})
		}
	}
	return cells, nil
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
	if n < echo.MinText {
		return 0, fmt.Errorf("size: want %d bytes at least, got %q", echo.MinText, s)
	}
	return n, nil
}

// only narrows the options to the cells and servers of some floors.
func (o options) only(floors []Floor) options {
	o.cells = slices.DeleteFunc(slices.Clone(o.cells), func(c Cell) bool {
		return !slices.ContainsFunc(floors, func(f Floor) bool { return f.Cell == c })
	})
	o.servers = slices.DeleteFunc(slices.Clone(o.servers), func(server string) bool {
		return server != Ours && !slices.ContainsFunc(floors, func(f Floor) bool { return f.Server == server })
	})
	return o
}
