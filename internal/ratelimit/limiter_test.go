package ratelimit

import (
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// clock is a clock that tests turn.
type clock struct{ time time.Time }

func newClock() *clock { return &clock{time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func (c *clock) now() time.Time           { return c.time }
func (c *clock) advance(by time.Duration) { c.time = c.time.Add(by) }

func newLimiter(t testing.TB, config Config) *Limiter {
	t.Helper()
	l, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestSEC9BurstThenRate(t *testing.T) {
	clock := newClock()
	l := newLimiter(t, Config{Rate: 2, Burst: 3, Now: clock.now})
	for _, step := range []struct {
		wait  time.Duration
		ok    bool
		retry time.Duration
	}{
		{0, true, 0}, {0, true, 0}, {0, true, 0},
		{0, false, 500 * time.Millisecond},
		{100 * time.Millisecond, false, 400 * time.Millisecond}, // a refusal costs nothing
		{400 * time.Millisecond, true, 0},
		{0, false, 500 * time.Millisecond},
		{time.Second, true, 0}, {0, true, 0},
		{0, false, 500 * time.Millisecond},
		{time.Hour, true, 0}, {0, true, 0}, {0, true, 0},
		{0, false, 500 * time.Millisecond},
		{-time.Hour, false, 500 * time.Millisecond}, // a clock set back changes nothing
	} {
		clock.advance(step.wait)
		if ok, retry := l.Allow("a"); ok != step.ok || retry != step.retry {
			t.Errorf("after %v: %v, %v; want %v, %v", step.wait, ok, retry, step.ok, step.retry)
		}
	}
	if ok, _ := l.Allow("b"); !ok {
		t.Error("another key is refused")
	}
}

func TestZeroConfigIsTheDefault(t *testing.T) {
	l := newLimiter(t, Config{})
	if l.interval != time.Second/DefaultRate || l.tolerance != (DefaultRate-1)*l.interval || l.maxKeys != DefaultMaxKeys {
		t.Errorf("default is %+v", l)
	}
	if slow := newLimiter(t, Config{Rate: 0.01}); slow.tolerance != 0 || slow.interval != 100*time.Second {
		t.Errorf("slow limiter is %+v", slow)
	}
}

func TestBadConfigIsRefused(t *testing.T) {
	for _, config := range []Config{
		{Rate: -1}, {Rate: math.NaN()}, {Rate: math.Inf(1)}, {Rate: 1e10}, {Rate: 1e-9}, {Burst: -1}, {MaxKeys: -1},
		{Rate: 1, Burst: math.MaxInt},
	} {
		if _, err := New(config); err == nil {
			t.Errorf("New(%+v) accepts it", config)
		}
	}
}

// In any stretch of time a key has at most burst + rate·t events; a refused one
// is allowed exactly after retryAfter.
func TestSEC9NeverMoreThanBurstPlusRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := newClock()
		rate := rapid.Float64Range(0.1, 1000).Draw(t, "rate")
		burst := rapid.IntRange(1, 10).Draw(t, "burst")
		l, err := New(Config{Rate: rate, Burst: burst, MaxKeys: 3, Now: clock.now})
		if err != nil {
			t.Fatal(err)
		}
		allowed := map[string][]time.Time{}
		t.Repeat(map[string]func(*rapid.T){
			"wait": func(t *rapid.T) {
				clock.advance(time.Duration(rapid.Float64Range(0, 3).Draw(t, "events") / rate * float64(time.Second)))
			},
			"allow": func(t *rapid.T) {
				key := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key")
				ok, retryAfter := l.Allow(key)
				if ok != (retryAfter == 0) || retryAfter < 0 {
					t.Fatalf("Allow = %v, %v", ok, retryAfter)
				}
				if !ok {
					clock.advance(retryAfter - 1)
					if early, left := l.Allow(key); early || left != 1 {
						t.Fatalf("a nanosecond early: %v, %v", early, left)
					}
					clock.advance(1)
					if ok, _ = l.Allow(key); !ok {
						t.Fatal("refused after the time it was told to wait")
					}
				}
				now := clock.now()
				allowed[key] = append(allowed[key], now)
				for i, from := range allowed[key] {
					events := float64(len(allowed[key]) - i)
					if limit := float64(burst) + rate*now.Sub(from).Seconds(); events > limit+1e-9 {
						t.Fatalf("%v events in %v, at most %v", events, now.Sub(from), limit)
					}
				}
			},
		})
	})
}

func TestHTTP17KeysNeverExceedTheirBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := newClock()
		maxKeys := rapid.IntRange(1, 8).Draw(t, "bound")
		l, err := New(Config{Rate: 1, Burst: 5, MaxKeys: maxKeys, Now: clock.now})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range rapid.SliceOf(rapid.IntRange(0, 30)).Draw(t, "keys") {
			clock.advance(time.Duration(n) * 100 * time.Millisecond)
			l.Allow(fmt.Sprint(n))
			if len(l.keys) > maxKeys || len(l.keys) != l.order.Len() {
				t.Fatalf("%d keys, %d in order, at most %d", len(l.keys), l.order.Len(), maxKeys)
			}
		}
		clock.advance(5 * time.Second)
		l.Allow("last")
		if len(l.keys) != 1 {
			t.Fatalf("%d keys after all but one were abandoned", len(l.keys))
		}
	})
}

// The key that is used keeps its bucket however many others come and go.
func TestEvictionTakesTheKeyUsedLongestAgo(t *testing.T) {
	l := newLimiter(t, Config{Rate: 1, Burst: 1, MaxKeys: 3, Now: newClock().now})
	l.Allow("busy")
	for n := range 100 {
		l.Allow(fmt.Sprint(n))
		if ok, _ := l.Allow("busy"); ok {
			t.Fatalf("forgotten after %d other keys", n+1)
		}
	}
	if ok, _ := l.Allow("0"); !ok {
		t.Error("a forgotten key does not start afresh")
	}
}

func TestAllowFromManyGoroutines(t *testing.T) {
	l := newLimiter(t, Config{Rate: 1, Burst: 50, Now: newClock().now})
	var group sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for range 8 {
		group.Go(func() {
			for range 25 {
				if ok, _ := l.Allow("a"); ok {
					mu.Lock()
					total++
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
	if total != 50 {
		t.Errorf("%d allowed at one moment, want 50", total)
	}
}

func BenchmarkAllow(b *testing.B) {
	l := newLimiter(b, Config{Rate: 1e9, Burst: 1000})
	b.ReportAllocs()
	for b.Loop() {
		l.Allow("client")
	}
}
