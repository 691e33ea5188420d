// Package stats is what the Go peers share: serving HTTP, and telling the
// benchmarks what they ask about the process.
package stats

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

// Variable is the environment variable that turns reporting on.
const Variable = "BENCH_STATS"

// Prefix begins each reported line on standard error, before the number.
const Prefix = "bench-stats goroutines="

// Report starts writing the number of goroutines to standard error every
// 200 ms if Variable is set, for as long as the process lives. Otherwise it
// does nothing, so that a measured server is not disturbed.
func Report() {
	if os.Getenv(Variable) == "" {
		return
	}
	go func() {
		for range time.Tick(200 * time.Millisecond) {
			fmt.Fprintf(os.Stderr, "%s%d\n", Prefix, runtime.NumGoroutine()-1)
		}
	}()
}
