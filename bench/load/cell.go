package main

import (
	"context"
	"time"

	"mcpworks/bench/internal/compare"
	"mcpworks/bench/internal/echo"
	"mcpworks/bench/internal/gauge"
)

// measure starts the server, warms it up, loads it and ends it.
func measure(_ context.Context, r compare.Run) (gauge.Sample, error) {
	s, err := start(r.Command, r.Warmup+r.Duration)
	if err != nil {
		return gauge.Sample{}, err
	}
	d := &drive{
		server:   s,
		requests: newRequests(r.Cell),
		answers:  echo.NewAnswers(r.TextSize),
		gauge:    gauge.Start(s.cmd.Process.Pid, r.Warmup, r.Duration),
	}
	if r.InFlight == 1 {
		err = d.one()
	} else {
		err = d.many(r.InFlight)
	}
	if err != nil {
		s.kill()
		return gauge.Sample{}, err
	}
	return d.gauge.Sample(), s.end()
}

// batchBytes is how much is written at once, as a client does that collects
// what is ready: about what a pipe takes.
const batchBytes = 64 << 10

func newRequests(c compare.Cell) *echo.Requests {
	one := echo.NewRequests(echo.Line, 1, c.TextSize, 0, 1)
	return echo.NewRequests(echo.Line, max(1, min(c.InFlight, batchBytes/one.Size())), c.TextSize, 0, 1)
}

// A drive loads one server.
type drive struct {
	*server
	requests *echo.Requests
	answers  *echo.Answers
	gauge    *gauge.Gauge
}

// one sends a call when the one before is answered.
func (d *drive) one() error {
	for {
		b, number := d.requests.One()
		sent := time.Now()
		if _, err := d.in.Write(b); err != nil {
			return err
		}
		line, err := d.line()
		if err != nil {
			return err
		}
		more := d.gauge.AnsweredSince(sent)
		if err := d.answers.Check(line, number+1); err != nil {
			return err
		}
		if !more {
			return nil
		}
	}
}

// pipeHolds is what can be written to a pipe that nobody reads.
const pipeHolds = 64 << 10

// many keeps n calls in flight: what one read answers is replaced by one write
// if it fits. Unless the pipe holds all of them, writing has a goroutine of
// its own, since a server that waits for its output to be read does not read.
func (d *drive) many(n int) error {
	if n*d.requests.Size() <= pipeHolds {
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
		b, k := d.requests.Batch(n)
		if _, err := d.in.Write(b); err != nil {
			return err
		}
		n -= k
	}
	return nil
}

// read checks answers and asks for as many calls as were answered.
func (d *drive) read(n int, ask func(n int) error) error {
	issued, done := n, 0
	if err := ask(n); err != nil {
		return err
	}
	for done < issued {
		if err := d.fill(); err != nil {
			return err
		}
		got := 0
		for line := d.buffered(); line != nil; line = d.buffered() {
			if err := d.answers.Check(line, issued); err != nil {
				return err
			}
			got++
		}
		done += got
		if got > 0 && d.gauge.Answered(got) {
			issued += got
			if err := ask(got); err != nil {
				return err
			}
		}
	}
	return nil
}
