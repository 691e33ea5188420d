// Command plantuml measures what encoding a diagram costs: with this project's
// encoder, with compress/flate, and what zlib needs in C for the compression
// alone, asked through python3, whose output must be the same.
package main

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"mcpworks/packs/plantuml"
)

// maxRatio is the promise kept with -check: the time for checkedSize bytes
// over that of zlib with a state it reuses, or with a new one if there is no
// zlib library to load.
const (
	maxRatio    = 1.5
	checkedSize = 1 << 10
)

var sizes = []struct {
	name  string
	bytes int
}{{"25 B", 25}, {"1 KB", checkedSize}, {"10 KB", 10 << 10}, {"50 KB", 50 << 10}}

func main() {
	rounds := flag.Int("rounds", 5, "rounds; the fastest counts, since other load can only add")
	duration := flag.Duration("duration", 100*time.Millisecond, "time for each encoder, text and round")
	check := flag.Bool("check", false, fmt.Sprintf("fail when the time for 1 KB is more than %g times that of zlib", maxRatio))
	flag.Parse()
	kept, err := measure(*rounds, *duration)
	if err != nil {
		fmt.Fprintln(os.Stderr, "plantuml:", err)
		os.Exit(2)
	}
	if *check && !kept {
		os.Exit(1)
	}
}

func measure(rounds int, duration time.Duration) (kept bool, err error) {
	var texts []string
	for _, size := range sizes {
		texts = append(texts, diagram(size.bytes))
	}
	zlib, skipped := startZlib()
	if skipped == nil {
		defer zlib.stop()
		skipped = zlib.compare(texts)
	}

	fmt.Printf("%-8s %12s %16s %12s %14s %10s %10s\n", "text", "mcpworks", "compress/flate", "C zlib", "C, reused", "ratio", "reused")
	kept = true
	for i, size := range sizes {
		ours, standard, fresh, reused := math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)
		for range rounds {
			ours = min(ours, fastest(duration, func() { plantuml.Encode(texts[i]) }))
			standard = min(standard, fastest(duration, standardEncoder(texts[i])))
			if skipped != nil {
				continue
			}
			took, err := zlib.time("new", i, duration)
			if err != nil {
				return false, err
			}
			fresh = min(fresh, took)
			if took, err = zlib.time("reused", i, duration); err == nil {
				reused = min(reused, took)
			}
		}
		fmt.Printf("%-8s %12s %16s %12s %14s %10s %10s\n", size.name, micros(ours), micros(standard), micros(fresh), micros(reused), ratio(ours, fresh), ratio(ours, reused))
		if size.bytes == checkedSize {
			kept = ours <= maxRatio*min(fresh, reused)
		}
	}
	if skipped != nil {
		fmt.Println("C zlib skipped:", skipped)
		return true, nil
	}
	if !kept {
		fmt.Printf("failed: more than %g times the time of zlib for 1 KB\n", maxRatio)
	}
	return kept, nil
}

// diagram returns a sequence diagram of exactly n bytes.
func diagram(n int) string {
	if n == 25 {
		return "@startuml\nA --> B\n@enduml"
	}
	names := strings.Fields("Alice Bob Server Client Database Queue User Auth Cache Worker")
	words := strings.Fields("request response query insert update close open login token result error retry")
	var b strings.Builder
	b.WriteString("@startuml\n")
	// A small generator of its own keeps the texts the same everywhere.
	state := uint32(1)
	pick := func(list []string) string {
		state = state*1664525 + 1013904223
		return list[int(state>>16)%len(list)]
	}
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "%s -> %s : %s %s %d\n", pick(names), pick(names), pick(words), pick(words), i)
	}
	return b.String()[:n-len("\n@enduml")] + "\n@enduml"
}

// standardEncoder encodes with the standard library alone, reusing its state.
func standardEncoder(text string) func() {
	var stream bytes.Buffer
	w, err := flate.NewWriter(&stream, flate.BestCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	return func() {
		stream.Reset()
		w.Reset(&stream)
		w.Write([]byte(text))
		w.Close()
		base64.RawURLEncoding.EncodeToString(stream.Bytes())
	}
}

// fastest returns the nanoseconds of one step, in batches long enough for the
// clock.
func fastest(duration time.Duration, step func()) float64 {
	batch, best := 1, math.Inf(1)
	for end := time.Now().Add(duration); time.Now().Before(end); {
		start := time.Now()
		for range batch {
			step()
		}
		took := time.Since(start)
		best = min(best, float64(took)/float64(batch))
		if took < time.Millisecond {
			batch *= 2
		}
	}
	return best
}

func micros(ns float64) string {
	if math.IsInf(ns, 0) {
		return "skipped"
	}
	return fmt.Sprintf("%.1f µs", ns/1000)
}

func ratio(ours, theirs float64) string {
	if math.IsInf(theirs, 0) {
		return "-"
	}
	return fmt.Sprintf("%.2f", ours/theirs)
}
