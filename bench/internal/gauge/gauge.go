// Package gauge measures a server while it is being loaded: a warm-up first,
// then for a fixed time.
package gauge

import (
	"os"
	"slices"
	"sync"
	"time"

	"mcpworks/bench/internal/procfs"
)

// A Sample is what one run measured.
type Sample struct {
	CallsPerSecond float64       `json:"calls_per_second"`
	ServerCPU      time.Duration `json:"server_cpu_ns_per_call"`
	ClientCPU      time.Duration `json:"client_cpu_ns_per_call"`
	P50            time.Duration `json:"p50_ns,omitempty"` // 0 if times were not taken
	P99            time.Duration `json:"p99_ns,omitempty"`
	PeakRSS        int64         `json:"peak_rss_bytes"`
}

// A Gauge reads the meters at the first answers after the warm-up and after
// the measured time. It is safe for concurrent use.
type Gauge struct {
	pid      int
	from, to time.Time

	mu         sync.Mutex
	done       int // answers so far
	begin, end meters
	latencies  []time.Duration
}

type meters struct {
	at             time.Time
	done           int
	server, client time.Duration
}

// Start begins the warm-up of the process that is measured.
func Start(pid int, warmup, duration time.Duration) *Gauge {
	now := time.Now()
	return &Gauge{pid: pid, from: now.Add(warmup), to: now.Add(warmup + duration)}
}

// Answered counts n answered calls and reports whether to go on.
func (g *Gauge) Answered(n int) bool {
	return g.count(n, time.Now(), time.Time{})
}

// AnsweredSince is Answered for one call that was sent at a known time.
func (g *Gauge) AnsweredSince(sent time.Time) bool {
	return g.count(1, time.Now(), sent)
}

func (g *Gauge) count(n int, now, sent time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.done += n
	switch {
	case g.begin.at.IsZero():
		if !now.Before(g.from) {
			g.begin = g.read(now)
		}
		return true
	case !g.end.at.IsZero():
		return false
	}
	if !sent.IsZero() {
		g.latencies = append(g.latencies, now.Sub(sent))
	}
	if now.Before(g.to) {
		return true
	}
	g.end = g.read(now)
	return false
}

func (g *Gauge) read(now time.Time) meters {
	return meters{now, g.done, procfs.CPU(g.pid), procfs.CPU(os.Getpid())}
}

// Sample returns what was measured. The process must still run.
func (g *Gauge) Sample() Sample {
	g.mu.Lock()
	defer g.mu.Unlock()
	calls := g.end.done - g.begin.done
	if calls <= 0 {
		return Sample{}
	}
	s := Sample{
		CallsPerSecond: float64(calls) / g.end.at.Sub(g.begin.at).Seconds(),
		ServerCPU:      (g.end.server - g.begin.server) / time.Duration(calls),
		ClientCPU:      (g.end.client - g.begin.client) / time.Duration(calls),
	}
	_, s.PeakRSS = procfs.Memory(g.pid)
	if n := len(g.latencies); n > 0 {
		slices.Sort(g.latencies)
		s.P50, s.P99 = g.latencies[n/2], g.latencies[n*99/100]
	}
	return s
}

// Median takes the median of each figure on its own.
func Median(all []Sample) Sample {
	return Sample{
		CallsPerSecond: middle(all, func(s Sample) float64 { return s.CallsPerSecond }),
		ServerCPU:      middle(all, func(s Sample) time.Duration { return s.ServerCPU }),
		ClientCPU:      middle(all, func(s Sample) time.Duration { return s.ClientCPU }),
		P50:            middle(all, func(s Sample) time.Duration { return s.P50 }),
		P99:            middle(all, func(s Sample) time.Duration { return s.P99 }),
		PeakRSS:        middle(all, func(s Sample) int64 { return s.PeakRSS }),
	}
}

func middle[T float64 | time.Duration | int64](all []Sample, figure func(Sample) T) T {
	values := make([]T, len(all))
	for i, s := range all {
		values[i] = figure(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
