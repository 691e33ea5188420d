package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"mcpworks/bench/internal/gauge"
	"mcpworks/bench/internal/procfs"
)

// manyQueries is how many typical queries there are: more than anything could
// remember by chance.
const manyQueries = 500

// typical returns queries of one to three words of middling frequency.
func (c *collection) typical() []*query {
	r := rand.New(rand.NewPCG(seed, 1<<63)) // no document has this number
	queries := make([]*query, manyQueries)
	for i := range queries {
		words := appendWord(nil, middlingWord(r))
		for range i % 3 {
			words = appendWord(append(words, ' '), middlingWord(r))
		}
		queries[i] = c.query(i+1, string(words))
	}
	return queries
}

// cold compares the first query of new server processes with one scan, which
// is what the command does between its start and its end. Both have to say the
// same.
func (b *bench) cold(ctx context.Context, c collection) (pair, error) {
	var first, scans, starts []time.Duration
	for _, q := range c.typical()[:b.starts] {
		start, err := b.run(ctx, "--version")
		if err != nil {
			return pair{}, err
		}
		scan, err := b.scan(ctx, c, q)
		if err != nil {
			return pair{}, err
		}
		said, took, err := b.firstAnswer(ctx, q)
		if err != nil {
			return pair{}, err
		}
		if said != string(scan.stdout) {
			return pair{}, fmt.Errorf("%w: command and server disagree about %q", errWrong, q.text)
		}
		starts, scans, first = append(starts, start.took), append(scans, scan.took), append(first, took)
	}
	for i := range scans {
		scans[i] -= median(starts)
	}
	return compareMedians(first, scans), nil
}

func (b *bench) scan(ctx context.Context, c collection, q *query) (ran, error) {
	return b.run(ctx, "resolve", "--cache", c.cache, "--query", q.text, "--budget", fmt.Sprint(budget))
}

// firstAnswer asks a new server.
func (b *bench) firstAnswer(ctx context.Context, q *query) (said string, took time.Duration, err error) {
	s, err := b.start(ctx)
	if err != nil {
		return "", 0, err
	}
	answer, took, err := s.resolve(q)
	if err == nil {
		said, err = text(answer)
	}
	if err != nil {
		s.kill()
		return "", 0, err
	}
	return said, took, s.stop()
}

// warm compares the typical queries on a server that knows the cache with
// reading all of its documents.
func (b *bench) warm(ctx context.Context, c collection) (pair, error) {
	read, err := b.readAll(c)
	if err != nil {
		return pair{}, err
	}
	w, err := b.drive(ctx, c)
	if err != nil {
		return pair{}, err
	}
	p := compareTimes(w.P50, median(read))
	p.note = fmt.Sprintf(" (p99 %v, %.0f answers/s, CPU time %v each; warm %v after the first answer)",
		milliseconds(w.P99), w.CallsPerSecond, milliseconds(w.ServerCPU), milliseconds(w.after))
	return p, nil
}

// readAll reads the documents one after the other.
func (b *bench) readAll(c collection) (times []time.Duration, err error) {
	for range b.rounds {
		began := time.Now()
		files, err := os.ReadDir(c.documents())
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if _, err := os.ReadFile(filepath.Join(c.documents(), file.Name())); err != nil {
				return nil, err
			}
		}
		times = append(times, time.Since(began))
	}
	return times, nil
}

// A warmth is what a server shows while it answers the typical queries.
type warmth struct {
	gauge.Sample
	after    time.Duration // its first answer it was warm
	resident int64         // bytes, after the queries
}

// drive starts a server and asks it the typical queries, the next when the one
// before is answered.
func (b *bench) drive(ctx context.Context, c collection) (w warmth, err error) {
	s, err := b.start(ctx)
	if err != nil {
		return w, err
	}
	queries := c.typical()
	if w.after, err = s.warmUp(queries); err == nil {
		g := gauge.Start(s.pid(), 500*time.Millisecond, 2*time.Second)
		err = s.load(queries, g)
		w.Sample = g.Sample()
		w.resident, _ = procfs.Memory(s.pid())
	}
	if err != nil {
		s.kill()
		return w, err
	}
	return w, s.stop()
}

func (s *session) load(queries []*query, g *gauge.Gauge) error {
	for more, i := true, 0; more; i++ {
		q := queries[i%len(queries)]
		sent := time.Now()
		answer, err := s.exchange(q.request)
		if err != nil {
			return err
		}
		more = g.AnsweredSince(sent)
		if err := q.check(answer); err != nil {
			return err
		}
	}
	return nil
}

// warmUp asks until answers in a row take much less time than the first one did,
// for a server may get ready for quick answers only when the first is given. It
// returns how long that took; a server that does not get quicker is as warm as
// it can be.
func (s *session) warmUp(queries []*query) (time.Duration, error) {
	const much, row, most = 4, 20, 30 * time.Second
	_, first, err := s.resolve(queries[0])
	began := time.Now()
	since := began
	for i, quick := 1, 0; err == nil && quick < row && time.Since(began) < most; i++ {
		var took time.Duration
		_, took, err = s.resolve(queries[i%len(queries)])
		if quick++; took > first/much {
			quick, since = 0, time.Now()
		}
	}
	return since.Sub(began), err
}

// memory compares what a server holds after the typical queries with the text
// of the corpus.
func (b *bench) memory(ctx context.Context, c collection) (pair, error) {
	if now, _ := procfs.Memory(os.Getpid()); now == 0 {
		return pair{}, fmt.Errorf("%w: this system does not tell the memory of a process in /proc", errSkipped)
	}
	w, err := b.drive(ctx, c)
	if err != nil {
		return pair{}, err
	}
	return pair{
		ours: megabytes(w.resident), other: megabytes(c.size), ratio: float64(w.resident) / float64(c.size),
		note: fmt.Sprintf(" (%v at the peak)", megabytes(w.PeakRSS)),
	}, nil
}
