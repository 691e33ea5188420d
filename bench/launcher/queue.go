package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"mcpworks/bench/internal/procfs"
)

// The hundred runs: how many at once, how many of them for one site, and by how
// much memory and open files may grow between the tenth and the last. The files are
// those of the databases, which connect once more when they have much to do.
const (
	atOnce     = 8
	perProfile = 3
	maxGrowth  = 8 << 20
	maxFiles   = 8
)

// hundred queues runs of three products, at ten commits each, for three sites, and
// has this process execute them, eight at a time. No site may ever have
// more than its places, no address more than one fetch at a time; and when all
// are done, memory, goroutines and open files are what they were.
func hundred(ctx context.Context, b *bench) error {
	h, err := b.newHome()
	if err != nil {
		return err
	}
	var products []product
	for _, name := range []string{"copper", "silver", "golden"} {
		p, err := b.newProduct(ctx, name, 12, 10)
		if err != nil {
			return err
		}
		products = append(products, p)
	}
	log, restore, err := b.watchGit()
	if err != nil {
		return err
	}
	defer restore()
	levels := []level{measure("at the start")}
	l, stop, err := h.launcher(ctx, atOnce)
	if err != nil {
		return err
	}
	began, ids := time.Now(), []string{}
	steps := []int{min(10, b.runs), b.runs / 2, b.runs}
	for _, upTo := range steps {
		var fresh []string
		for i := len(ids); i < upTo; i++ {
			p := products[i%3]
			id, err := startRun(ctx, l, p.config(sites[(i/3)%3], p.commits[i/9%len(p.commits)], "READY_FOR_PR"))
			if err != nil {
				return fmt.Errorf("run %d: %w", i, err)
			}
			fresh = append(fresh, id)
			ids = append(ids, id)
		}
		if err := await(ctx, l, fresh, "READY_FOR_PR"); err != nil {
			return err
		}
		levels = append(levels, measure(fmt.Sprintf("after %d runs", len(ids))))
	}
	fmt.Printf("%d runs, %d at once, in %v\n", len(ids), atOnce, time.Since(began).Round(100*time.Millisecond))
	if err := stop(); err != nil {
		return err
	}
	levels = append(levels, measure("closed"))
	for _, at := range levels {
		fmt.Println(at)
	}
	first, tenth, last, closed := levels[0], levels[1], levels[3], levels[4]
	b.promise("heap, from the tenth run to the last", megabytes(last.heap-tenth.heap), megabytes(maxGrowth), "MB")
	b.promise("goroutines, from the tenth run to the last", float64(last.goroutines-tenth.goroutines), 0, "")
	b.promise("open files, from the tenth run to the last", float64(last.files-tenth.files), maxFiles, "")
	b.promise("goroutines, from the start to the end", float64(closed.goroutines-first.goroutines), 0, "")
	b.promise("open files, from the start to the end", float64(closed.files-first.files), 0, "")
	if err := b.places(h, ids); err != nil {
		return err
	}
	return b.fetches(log)
}

// A level is what this process holds.
type level struct {
	when              string
	heap, resident    int64
	goroutines, files int
}

func measure(when string) level {
	for range 2 { // what finalizers free goes the second time
		runtime.GC()
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	now, _ := procfs.Memory(os.Getpid())
	open, _ := os.ReadDir("/proc/self/fd")
	return level{when, int64(memory.HeapAlloc), now, runtime.NumGoroutine(), len(open)}
}

func megabytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }

func (l level) String() string {
	return fmt.Sprintf("%-16s heap %6.1f MB, resident %6.1f MB, %d goroutines, %d open files",
		l.when, megabytes(l.heap), megabytes(l.resident), l.goroutines, l.files)
}

// places finds in the logs how many runs were at work at the same time.
func (b *bench) places(h home, ids []string) error {
	all, bySite := []span{}, map[string][]span{}
	for i, id := range ids {
		events, err := h.events(id)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		site := sites[(i/3)%3]
		at := spansOf(events)
		all, bySite[site] = append(all, at...), append(bySite[site], at...)
	}
	b.promise("runs at once", float64(deepest(all)), atOnce, "")
	for _, site := range sites {
		b.promise("runs at once for "+site, float64(deepest(bySite[site])), perProfile, "")
	}
	return nil
}

// A span is a time in which something went on.
type span struct{ from, to string }

// spansOf are the times in which a run was at work.
func spansOf(events []event) (spans []span) {
	for _, e := range events {
		switch e.Type {
		case "RUN_STARTED":
			spans = append(spans, span{from: e.Time})
		case "RUN_QUEUED", "RUN_PAUSED", "RUN_COMPLETED":
			if n := len(spans); n > 0 && spans[n-1].to == "" {
				spans[n-1].to = e.Time
			}
		}
	}
	return spans
}

// deepest is how many spans lie over each other. One that begins when another
// ends does not lie over it.
func deepest(spans []span) (most int) {
	type edge struct {
		at   string
		step int
	}
	var edges []edge
	for _, s := range spans {
		if s.from != s.to {
			edges = append(edges, edge{s.from, 1}, edge{s.to, -1})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.step, b.step)) })
	now := 0
	for _, e := range edges {
		now += e.step
		most = max(most, now)
	}
	return most
}

// watchGit puts a git before the real one that writes down when a fetch begins
// and ends.
func (b *bench) watchGit() (log string, restore func(), err error) {
	real, err := exec.LookPath("git")
	if err != nil {
		return "", nil, err
	}
	log = filepath.Join(b.dir, "fetches")
	script := "#!/bin/sh\nfor a; do [ \"$a\" = fetch ] && fetch=1; case $a in file://*) url=$a;; esac; done\n" +
		"[ \"$fetch\" ] || exec " + real + " \"$@\"\n" +
		"echo \"begin $url\" >>" + log + "\n" + real + " \"$@\"\ncode=$?\necho \"end $url\" >>" + log + "\nexit $code\n"
	folder := filepath.Join(b.dir, "watched")
	if err := write(filepath.Join(folder, "git"), script); err != nil {
		return "", nil, err
	}
	if err := os.Chmod(filepath.Join(folder, "git"), 0o700); err != nil {
		return "", nil, err
	}
	path := os.Getenv("PATH")
	return log, func() { os.Setenv("PATH", path) }, os.Setenv("PATH", folder+string(os.PathListSeparator)+path)
}

// fetches finds how many fetches of an address went on at the same time.
func (b *bench) fetches(log string) error {
	text, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	now, most, count := map[string]int{}, 0, 0
	for line := range strings.Lines(string(text)) {
		what, url, _ := strings.Cut(strings.TrimSpace(line), " ")
		if what == "end" {
			now[url]--
			continue
		}
		count++
		now[url]++
		most = max(most, now[url])
	}
	fmt.Printf("%d fetches of %d addresses\n", count, len(now))
	b.promise("fetches of one address at once", float64(most), 1, "")
	return nil
}
