// Command context measures the context engine beside what its work cannot do
// without, on a corpus of its own making, and reports ratios:
//
//	go run ./bench/context [flags]
//
// Queries stand beside reading the documents of the cache, memory beside the
// size of the text, and a build beside sha256sum. The engine is asked through
// its two programs. Exit code: 0 when all went well, 1 when an answer was wrong
// or a promise of -check was not kept, 2 when nothing could be measured.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

// promisedDocuments is how many documents the promises are about. With fewer,
// what a process costs by itself outweighs the work.
const promisedDocuments = 20_000

// timesLarger is how much larger the corpus of -large is.
const timesLarger = 10

type options struct {
	documents int
	large     bool
	dir       string
	rounds    int
	starts    int
	check     bool
	attempts  int
}

func main() {
	var o options
	flag.IntVar(&o.documents, "documents", promisedDocuments, "documents in the corpus")
	flag.BoolVar(&o.large, "large", false, fmt.Sprintf("also compare with a corpus that is %d times larger: some minutes", timesLarger))
	flag.StringVar(&o.dir, "dir", "", "make the corpus in a new folder of this `folder`; it is removed at the end")
	flag.IntVar(&o.rounds, "rounds", 3, "times to build and to read; the fastest build and the median of reading are reported")
	flag.IntVar(&o.starts, "starts", 5, "times to start a program for one query; the median is reported")
	flag.BoolVar(&o.check, "check", false, "fail when a promise is not kept")
	flag.IntVar(&o.attempts, "attempts", 5, "with -check, how often a missed promise is measured before it counts")
	flag.Parse()
	if err := o.validate(); err != nil {
		fmt.Fprintln(os.Stderr, "context:", err)
		os.Exit(2)
	}
	os.Exit(run(o))
}

func (o options) validate() error {
	switch {
	case flag.NArg() > 0:
		return fmt.Errorf("there are only flags, and %q is none", flag.Arg(0))
	case o.documents < 100:
		return errors.New("-documents: want at least 100")
	case o.check && o.documents < promisedDocuments:
		return fmt.Errorf("-check: the promises are about %d documents or more", promisedDocuments)
	case o.rounds < 1, o.starts < 1, o.starts > manyQueries:
		return fmt.Errorf("-rounds and -starts: want at least 1, and at most %d starts", manyQueries)
	}
	return nil
}

// run returns the exit code. An interrupt ends it early; the corpus is removed
// all the same.
func run(o options) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	missed, err := measure(ctx, o)
	switch {
	case errors.Is(err, errWrong):
		fmt.Println("failed:", err)
		return 1
	case err != nil:
		fmt.Fprintln(os.Stderr, "context:", err)
		return 2
	case o.check && missed > 0:
		return 1
	}
	return 0
}

func measure(ctx context.Context, o options) (missed int, err error) {
	b, err := newBench(ctx, o)
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(b.dir)
	small, err := b.collect(ctx, "small", corpus(o.documents))
	if err != nil {
		return 0, err
	}
	fmt.Printf("%d documents, %v of text\n", o.documents, megabytes(small.size))
	if err := b.compareAll(ctx, b.onOne(small)); err != nil {
		return 0, err
	}
	if !o.large {
		fmt.Println("skipped: how the time of a query grows with the corpus: only with -large")
		return b.missed, nil
	}
	large, err := b.collect(ctx, "large", corpus(timesLarger*o.documents))
	if err != nil {
		return 0, err
	}
	fmt.Printf("%d documents, %v of text, beside %d documents\n", int(large.corpus), megabytes(large.size), o.documents)
	return b.missed, b.compareGrowth(ctx, small, large)
}
