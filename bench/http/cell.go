package main

import (
	"context"
	"fmt"
	"time"

	"mcpworks/bench/internal/compare"
	"mcpworks/bench/internal/echo"
	"mcpworks/bench/internal/gauge"
	"mcpworks/bench/internal/peers"
	"mcpworks/bench/internal/rawhttp"
)

// stall is how much longer than planned a server may take before it is given
// up as stuck.
const stall = 20 * time.Second

// measure starts the server, warms it up, loads it and ends it.
func measure(ctx context.Context, r compare.Run, profiles string) (gauge.Sample, error) {
	t := parseTarget(r.Server)
	flags, err := t.flags(r.Mode)
	if err != nil {
		return gauge.Sample{}, err
	}
	l, err := peers.Listen(r.Command, flags...)
	if err != nil {
		return gauge.Sample{}, err
	}
	defer l.Stop()
	callers, err := connect(t, l.Address, r)
	defer func() {
		for _, c := range callers {
			c.conn.Close()
		}
	}()
	if err != nil {
		return gauge.Sample{}, err
	}
	profiled := make(chan error, 1)
	profile(ctx, r, l.Address, profiles, profiled)
	g := gauge.Start(l.PID(), r.Warmup, r.Duration)
	if err := callAll(callers, g); err != nil {
		return gauge.Sample{}, err
	}
	return g.Sample(), <-profiled
}

// A caller is one connection and what is said on it.
type caller struct {
	conn     *rawhttp.Conn
	requests *echo.Requests
	answers  *echo.Answers
}

// connect opens the connections, and their sessions if the mode has them. All
// that were opened are returned with an error, too.
func connect(t target, address string, r compare.Run) (callers []*caller, err error) {
	deadline := time.Now().Add(r.Warmup + r.Duration + stall)
	for i := range r.InFlight {
		conn, err := rawhttp.Dial(address, deadline)
		if err != nil {
			return callers, err
		}
		c := &caller{conn: conn, answers: echo.NewAnswers(r.TextSize)}
		callers = append(callers, c)
		form := t.form(address)
		if r.Mode == session {
			if form, err = open(conn, address); err != nil {
				return callers, err
			}
		}
		c.requests = echo.NewRequests(form, 1, r.TextSize, i, r.InFlight)
	}
	return callers, nil
}

// open opens a session and returns how a call in it looks.
func open(conn *rawhttp.Conn, address string) (echo.Form, error) {
	id, err := conn.OpenSession(address)
	if err == nil {
		err = conn.Initialized(address, id)
	}
	return rawhttp.InSession(address, id), err
}

// callAll lets all callers call until the time is over or one fails.
func callAll(callers []*caller, g *gauge.Gauge) error {
	results := make(chan error, len(callers))
	for _, c := range callers {
		go func() { results <- c.call(g) }()
	}
	var first error
	for range callers {
		if err := <-results; err != nil && first == nil {
			first = err
			for _, c := range callers {
				c.conn.Close()
			}
		}
	}
	return first
}

func (c *caller) call(g *gauge.Gauge) error {
	for {
		sent := time.Now()
		if err := c.once(); err != nil {
			return err
		}
		if !g.AnsweredSince(sent) {
			return nil
		}
	}
}

// once makes one call and checks its answer.
func (c *caller) once() error {
	request, number := c.requests.One()
	r, err := c.conn.Do(request)
	if err != nil {
		return err
	}
	if r.Status != 200 {
		return fmt.Errorf("status %d: %.200s", r.Status, r.Message)
	}
	answered, err := c.answers.Number(r.Message)
	if err == nil && answered != number {
		err = fmt.Errorf("answer to another call: %.200s", r.Message)
	}
	return err
}
