package main

import (
	"os"
	"slices"
	"time"

	"mcpworks/bench/internal/procfs"
)

// A cell is one way to load a server.
type cell struct {
	InFlight int `json:"in_flight"`
	TextSize int `json:"text_bytes"`
}

// A sample is what one run of a cell measured.
type sample struct {
	CallsPerSecond float64       `json:"calls_per_second"`
	ServerCPU      time.Duration `json:"server_cpu_ns_per_call"`
	ClientCPU      time.Duration `json:"client_cpu_ns_per_call"`
	P50            time.Duration `json:"p50_ns,omitempty"` // with one call in flight
	P99            time.Duration `json:"p99_ns,omitempty"`
	PeakRSS        int64         `json:"peak_rss_bytes"`
}

// measure starts the server, warms it up, loads it for duration and ends it.
func measure(command []string, c cell, warmup, duration time.Duration) (sample, error) {
	s, err := start(command, warmup+duration)
	if err != nil {
		return sample{}, err
	}
	d := &drive{
		server:   s,
		requests: newRequests(c.InFlight, c.TextSize),
		answers:  answers{textSize: c.TextSize},
	}
	now := time.Now()
	d.from, d.to = now.Add(warmup), now.Add(warmup+duration)
	if c.InFlight == 1 {
		err = d.one()
	} else {
		err = d.many(c.InFlight)
	}
	if err != nil {
		s.kill()
		return sample{}, err
	}
	r := d.result()
	_, r.PeakRSS = procfs.Memory(s.cmd.Process.Pid)
	return r, s.end()
}

// A drive loads one server and reads the meters at the first answers after
// from and to.
type drive struct {
	*server
	requests   *requests
	answers    answers
	from, to   time.Time
	begin, end meters
	done       int // answers so far
	latencies  []time.Duration
}

type meters struct {
	at             time.Time
	done           int
	server, client time.Duration
}

// tick reads the meters when they are due and reports whether to go on.
func (d *drive) tick(now time.Time) bool {
	due := &d.begin
	switch {
	case d.begin.at.IsZero() && now.Before(d.from):
		return true
	case d.begin.at.IsZero():
	case now.Before(d.to):
		return true
	case d.end.at.IsZero():
		due = &d.end
	default:
		return false
	}
	*due = meters{now, d.done, procfs.CPU(d.cmd.Process.Pid), procfs.CPU(os.Getpid())}
	return d.end.at.IsZero()
}

// one sends a call when the one before is answered.
func (d *drive) one() error {
	for d.tick(time.Now()) {
		b, _ := d.requests.batch(1)
		sent := time.Now()
		if _, err := d.in.Write(b); err != nil {
			return err
		}
		line, err := d.line()
		if err != nil {
			return err
		}
		if !d.begin.at.IsZero() {
			d.latencies = append(d.latencies, time.Since(sent))
		}
		d.done++
		if err := d.answers.check(line, d.done); err != nil {
			return err
		}
	}
	return nil
}

// pipeHolds is what can be written to a pipe that nobody reads.
const pipeHolds = 64 << 10

// many keeps n calls in flight: what one read answers is replaced by one write
// if it fits. Unless the pipe holds all of them, writing has a goroutine of
// its own, since a server that waits for its output to be read does not read.
func (d *drive) many(n int) error {
	if n*d.requests.size <= pipeHolds {
		return d.read(n, d.send)
	}
	free := make(chan int, n)
	wrote := make(chan error, 1)
	go func() { wrote <- d.write(free) }()
	err := d.read(n, func(n int) error { free <- n; return nil })
	close(free)
	if err != nil {
		d.kill() // the writer may be waiting for it
		<-wrote
		return err
	}
	return <-wrote
}

func (d *drive) write(free <-chan int) error {
	for n := range free {
		for len(free) > 0 {
			n += <-free
		}
		if err := d.send(n); err != nil {
			return err
		}
	}
	return nil
}

// send writes n calls.
func (d *drive) send(n int) error {
	for n > 0 {
		b, k := d.requests.batch(n)
		if _, err := d.in.Write(b); err != nil {
			return err
		}
		n -= k
	}
	return nil
}

// read checks answers and asks for as many calls as were answered.
func (d *drive) read(n int, ask func(n int) error) error {
	issued := n
	if err := ask(n); err != nil {
		return err
	}
	for d.done < issued {
		if err := d.fill(); err != nil {
			return err
		}
		got := 0
		for line := d.buffered(); line != nil; line = d.buffered() {
			if err := d.answers.check(line, issued); err != nil {
				return err
			}
			got++
		}
		d.done += got
		if got > 0 && d.tick(time.Now()) {
			issued += got
			if err := ask(got); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *drive) result() sample {
	calls := d.end.done - d.begin.done
	if calls == 0 {
		return sample{}
	}
	r := sample{
		CallsPerSecond: float64(calls) / d.end.at.Sub(d.begin.at).Seconds(),
		ServerCPU:      (d.end.server - d.begin.server) / time.Duration(calls),
		ClientCPU:      (d.end.client - d.begin.client) / time.Duration(calls),
	}
	if n := len(d.latencies); n > 0 {
		slices.Sort(d.latencies)
		r.P50, r.P99 = d.latencies[n/2], d.latencies[n*99/100]
	}
	return r
}

// median takes the median of each figure on its own.
func median(all []sample) sample {
	return sample{
		CallsPerSecond: middle(all, func(s sample) float64 { return s.CallsPerSecond }),
		ServerCPU:      middle(all, func(s sample) time.Duration { return s.ServerCPU }),
		ClientCPU:      middle(all, func(s sample) time.Duration { return s.ClientCPU }),
		P50:            middle(all, func(s sample) time.Duration { return s.P50 }),
		P99:            middle(all, func(s sample) time.Duration { return s.P99 }),
		PeakRSS:        middle(all, func(s sample) int64 { return s.PeakRSS }),
	}
}

func middle[T float64 | time.Duration | int64](all []sample, figure func(sample) T) T {
	values := make([]T, len(all))
	for i, s := range all {
		values[i] = figure(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
