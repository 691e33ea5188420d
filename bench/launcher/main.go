// Command launcher puts the launcher through what a machine can do to it, and
// reports figures:
//
//	go run ./bench/launcher [flags]
//
// Runs are killed at random and resumed, a hundred wait for eight places
// a product of 300 files is timed, two processes share a data directory
// and one of them dies, and the disk fills up. Everything goes through
// the program foss-launcher-mcp, or through package launch. Exit code: 0 when
// all went well, 1 when a run did not end as it should or a promise of -check
// was not kept, 2 when nothing could be tried.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

type options struct {
	kills   int
	runs    int
	files   int
	full    int
	seed    uint64
	only    string
	check   bool
	profile string
}

// A trial is one of the things that are done to the launcher.
type trial struct {
	name string
	does func(context.Context, *bench) error
}

var trials = []trial{{"large", large}, {"kills", kills}, {"queue", hundred}, {"processes", processes}, {"disk", fullDisk}}

func main() {
	var o options
	flag.IntVar(&o.kills, "kills", 200, "how often runs are killed")
	flag.IntVar(&o.runs, "runs", 100, "runs in the queue")
	flag.IntVar(&o.files, "files", 300, "files of the large product")
	flag.IntVar(&o.full, "full", 8, "how often the disk fills up")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "where chance begins")
	flag.StringVar(&o.only, "only", "", "some of large, kills, queue, processes and disk, with commas between them")
	flag.BoolVar(&o.check, "check", false, "fail when a promise is not kept")
	flag.StringVar(&o.profile, "profile", "", "write a CPU profile of the large product to this `file`")
	flag.Parse()
	os.Exit(run(o))
}

// run returns the exit code. An interrupt ends it early; what was made is
// removed all the same.
func run(o options) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b, err := newBench(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "launcher:", err)
		return 2
	}
	defer b.close()
	for _, t := range trials {
		if o.only != "" && !slices.Contains(strings.Split(o.only, ","), t.name) {
			continue
		}
		fmt.Printf("== %s\n", t.name)
		switch err := t.does(ctx, b); {
		case errors.Is(err, errors.ErrUnsupported):
			fmt.Println("skipped:", err)
		case err != nil:
			fmt.Println("failed:", err)
			return 1
		}
	}
	if o.check && b.missed > 0 {
		return 1
	}
	return 0
}
