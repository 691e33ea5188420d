package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A comparison sets one figure of the engine beside another, and may promise
// how large the ratio is at most.
type comparison struct {
	name    string
	beside  string
	most    float64 // 0 if nothing is promised
	measure func(ctx context.Context) (pair, error)
}

// A pair is what a comparison found.
type pair struct {
	ours, other fmt.Stringer
	ratio       float64
	note        string
}

// errSkipped says that a comparison cannot be made here. The text says why.
var errSkipped = errors.New("skipped")

// compareAll makes comparisons one after the other and counts the promises that
// were missed.
func (b *bench) compareAll(ctx context.Context, all []comparison) error {
	for _, c := range all {
		kept, err := b.compare(ctx, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if !kept {
			b.missed++
		}
	}
	return nil
}

// compare makes one comparison. With -check a missed promise is measured again,
// since it can be other load that it was missed by.
func (b *bench) compare(ctx context.Context, c comparison) (kept bool, err error) {
	for attempt := 1; ; attempt++ {
		p, err := c.measure(ctx)
		if errors.Is(err, errSkipped) {
			fmt.Printf("%-28s %v\n", c.name, err)
			return true, nil
		}
		if err != nil {
			return false, err
		}
		if kept = c.print(p); kept || !b.check || attempt >= b.attempts {
			return kept, nil
		}
	}
}

// print reports whether the promise was kept.
func (c *comparison) print(p pair) bool {
	promise, kept := "", true
	if c.most > 0 {
		promise, kept = fmt.Sprintf(", at most %g", c.most), p.ratio <= c.most
	}
	if !kept {
		promise += ": missed"
	}
	fmt.Printf("%-28s %11v   %-28s %11v   ratio %.3f%s%s\n", c.name, p.ours, c.beside, p.other, p.ratio, promise, p.note)
	return kept
}

type megabytes int64

func (m megabytes) String() string { return fmt.Sprintf("%.1f MB", float64(m)/1e6) }

type milliseconds time.Duration

func (m milliseconds) String() string {
	return fmt.Sprintf("%.2f ms", time.Duration(m).Seconds()*1000)
}

// compareMedians is for queries.
func compareMedians(ours, other []time.Duration) pair {
	return compareTimes(median(ours), median(other))
}

// compareFastest is for builds: other programs that use the disk can only add,
// and they add much.
func compareFastest(ours, other []time.Duration) pair {
	return compareTimes(slices.Min(ours), slices.Min(other))
}

func compareTimes(ours, other time.Duration) pair {
	return pair{ours: milliseconds(ours), other: milliseconds(other), ratio: float64(ours) / float64(other)}
}

func median(times []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(times))[len(times)/2]
}
