// Command probes runs every probe of internal/mcptest against a stdio server:
//
//	go run ./bench/probes [flags] -- command [argument…]
//
// The server should offer the tools echo, add, slow and panic; probes that
// need a tool it does not list are counted as not applicable. Exit code: 0
// when all applicable probes passed, 1 when some did not, 2 when the probes
// could not be run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"mcpworks/internal/mcptest"
)

var (
	only     = flag.String("run", "*/*", "`pattern` of the probes to run, as in path.Match")
	patience = flag.Duration("patience", 2*time.Second, "how long to wait for an answer")
	parallel = flag.Int("parallel", 4, "probes run at the same time")
	verbose  = flag.Bool("v", false, "list the probes that passed, too")
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: probes [flags] -- command [argument…]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	outcomes, err := run(flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "probes:", err)
		os.Exit(2)
	}
	if !report(outcomes) {
		os.Exit(1)
	}
}

func run(command []string) ([]mcptest.Outcome, error) {
	probes, err := mcptest.Probes()
	if err != nil {
		return nil, err
	}
	probes = slices.DeleteFunc(probes, func(p mcptest.Probe) bool {
		ok, _ := path.Match(*only, p.Name)
		return !ok
	})
	tools, err := listTools(command)
	if err != nil {
		return nil, err
	}
	outcomes := make([]mcptest.Outcome, len(probes))
	slots := make(chan struct{}, max(1, *parallel))
	var all sync.WaitGroup
	for i, p := range probes {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			outcomes[i] = runOne(p, command, tools)
		})
	}
	all.Wait()
	return outcomes, nil
}

func listTools(command []string) ([]string, error) {
	peer, err := mcptest.StartCommand(exec.Command(command[0], command[1:]...))
	if err != nil {
		return nil, err
	}
	defer peer.Close()
	tools, err := mcptest.Tools(context.Background(), peer, 10*time.Second)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, peer.Stderr())
	}
	if !slices.Contains(tools, "echo") {
		return nil, fmt.Errorf("the server offers no echo tool, only %q", tools)
	}
	return tools, nil
}

func runOne(p mcptest.Probe, command, tools []string) mcptest.Outcome {
	for _, need := range p.Needs {
		if !slices.Contains(tools, need) {
			return mcptest.Outcome{Probe: p, Verdict: mcptest.NotApplicable, Detail: "needs the tool " + need}
		}
	}
	peer, err := mcptest.StartCommand(exec.Command(command[0], command[1:]...))
	if err != nil {
		return mcptest.Outcome{Probe: p, Verdict: mcptest.Died, Detail: err.Error()}
	}
	defer peer.Close()
	return p.Run(context.Background(), peer, *patience)
}

var verdicts = []mcptest.Verdict{
	mcptest.Passed, mcptest.Failed, mcptest.Lost, mcptest.Died, mcptest.Wedged, mcptest.NotApplicable,
}

// report prints the table and returns whether nothing went wrong.
func report(outcomes []mcptest.Outcome) bool {
	count := make(map[mcptest.Verdict]int)
	lost := 0
	for _, o := range outcomes {
		count[o.Verdict]++
		if o.Lost {
			lost++
		}
		if o.Verdict != mcptest.Passed || *verbose {
			fmt.Printf("%-7s %-45s %-24s %s\n", o.Verdict, o.Probe.Name, strings.Join(o.Probe.Cites, " "), o.Detail)
		}
	}
	fmt.Printf("%d probes:", len(outcomes))
	for _, v := range verdicts {
		fmt.Printf(" %d %s,", count[v], v)
	}
	fmt.Printf(" %d expected answers never came\n", lost)
	return count[mcptest.Passed]+count[mcptest.NotApplicable] == len(outcomes)
}
