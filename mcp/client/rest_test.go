package client

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"
)

func TestTailKeepsTheEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		max := rapid.IntRange(1, 50).Draw(t, "max")
		var lines []string
		tee := &strings.Builder{}
		kept := &tail{max: max, tee: tee, line: func(line []byte) { lines = append(lines, string(line)) }}
		all := ""
		for _, part := range rapid.SliceOf(rapid.StringMatching(`[a-c\n]{0,40}`)).Draw(t, "parts") {
			all += part
			if n, err := kept.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatalf("Write = %d, %v", n, err)
			}
			if cap(kept.kept) > 16*max+256 {
				t.Fatalf("%d bytes for a limit of %d", cap(kept.kept), max)
			}
		}
		kept.finish()
		if want := all[len(all)-min(len(all), max):]; kept.String() != want || tee.String() != all {
			t.Fatalf("kept %q, want %q", kept.String(), want)
		}
		want := strings.Split(all, "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		if !slices.Equal(lines, want) {
			t.Fatalf("lines %q of %q", lines, all)
		}
	})
}

func TestTailBreaksLongLines(t *testing.T) {
	for _, length := range []int{maxStderrLine - 1, maxStderrLine, maxStderrLine + 1, 3*maxStderrLine + 5} {
		for _, size := range []int{1, 1000, maxStderrLine, length + 1} {
			var got strings.Builder
			longest := 0
			kept := &tail{max: 10, line: func(line []byte) {
				got.Write(line)
				longest = max(longest, len(line))
			}}
			text := []byte(strings.Repeat("x", length) + "\n")
			for part := range slices.Chunk(text, size) {
				_, _ = kept.Write(part)
			}
			kept.finish()
			if got.Len() != length || longest > maxStderrLine {
				t.Errorf("%d bytes in parts of %d: got %d, the longest line %d", length, size, got.Len(), longest)
			}
		}
	}
}

func TestQueueDropsTheOldest(t *testing.T) {
	q := newQueue[int](3)
	for i := range 5 {
		if dropped := q.put(i, 1); dropped != (i >= 3) {
			t.Errorf("put %d: dropped %v", i, dropped)
		}
	}
	q.close(false)
	q.put(5, 1) // too late
	var got []int
	q.run(func(i int) { got = append(got, i) })
	if !slices.Equal(got, []int{2, 3, 4}) {
		t.Errorf("got %v", got)
	}
}

func TestQueueIsBoundedInBytes(t *testing.T) {
	q := newQueue[int](1000)
	for i := range 10 {
		if dropped := q.put(i, queueBytes/4); dropped != (i >= 4) {
			t.Errorf("put %d: dropped %v", i, dropped)
		}
	}
	if dropped := q.put(10, 2*queueBytes); !dropped || len(q.items) != 1 { // alone it may stay
		t.Errorf("%d items", len(q.items))
	}
	if dropped := q.put(11, 1); !dropped || q.size != 1 {
		t.Errorf("%d bytes", q.size)
	}
}

func TestQueueKeepsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue[int](1000)
		var got []int
		var running sync.WaitGroup
		running.Go(func() { q.run(func(i int) { got = append(got, i) }) })
		for i := range 500 {
			q.put(i, 1)
			if i%7 == 0 {
				synctest.Wait()
			}
		}
		q.close(false)
		running.Wait()
		if len(got) != 500 || !slices.IsSorted(got) {
			t.Errorf("got %v", got)
		}
	})
}

func TestRetryAfter(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0s", "7": "7s", "30": "30s", "31": "", "-1": "", "": "", "soon": "", "1.5": "",
		"Mon, 02 Jan 2006 15:04:05 GMT": "0s", "Mon, 02 Jan 2090 15:04:05 GMT": "",
	} {
		delay, ok := retryAfter(text)
		if got := fmt.Sprint(delay); ok && got != want || ok != (want != "") {
			t.Errorf("%q: %v, %v", text, delay, ok)
		}
	}
}

func TestPhases(t *testing.T) {
	for from, allowed := range map[phase][]phase{opening: {ready, over}, ready: {renewing, over}, renewing: {ready, over}, over: nil} {
		for _, to := range []phase{opening, ready, renewing, over} {
			st := &state{phase: from}
			if got := st.enter(to); got != slices.Contains(allowed, to) || got != (st.phase == to && from != to) {
				t.Errorf("from %d to %d: %v", from, to, got)
			}
		}
	}
}

func TestBackoffGrowsAndIsBounded(t *testing.T) {
	for n := 1; n < 100; n++ {
		for range 20 {
			if d := backoff(n); d < 125e6 || d > 30e9 || n == 1 && d > 250e6 || n > 8 && d < 15e9 {
				t.Errorf("%d: %v", n, d)
			}
		}
	}
}

func TestErrorTextIsForTerminals(t *testing.T) {
	for stderr, want := range map[string]string{
		"":                        "the server has ended (exit status 1)",
		"a\nb\n\n":                "the server has ended (exit status 1): b",
		"\x1b[31mred\x1b[0m\r\n":  "the server has ended (exit status 1):  [31mred [0m",
		strings.Repeat("é", 1000): "the server has ended (exit status 1): " + strings.Repeat("é", 100) + "…",
	} {
		if got := (&ProcessError{ExitCode: 1, Stderr: stderr}).Error(); got != want {
			t.Errorf("%q: %q", stderr, got)
		}
	}
	versions := &VersionError{Ours: []string{"1"}, Theirs: slices.Repeat([]string{"\x1b]0;x\a"}, 20)}
	if text := versions.Error(); strings.ContainsAny(text, "\x1b\a") || strings.Count(text, "x1b") != 8 {
		t.Errorf("%q", text)
	}
}
