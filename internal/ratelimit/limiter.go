// Package ratelimit answers "how often" and "how many at once": token buckets
// and a gate, both per key and of bounded size, and the net/http middleware made
// of them. Nothing here starts a goroutine; what is idle is dropped in passing.
package ratelimit

import (
	"cmp"
	"container/list"
	"fmt"
	"math"
	"sync"
	"time"
)

// The defaults of Config.
const (
	DefaultRate    = 10
	DefaultMaxKeys = 10000
)

// Config configures a Limiter.
type Config struct {
	// Rate is how many events per second a key may have in the long run. Zero
	// means DefaultRate.
	Rate float64
	// Burst is how many events a key may have at once after a pause. Zero
	// means one second's worth, at least one.
	Burst int
	// MaxKeys bounds the keys that are remembered. Beyond it the one that was
	// used longest ago is forgotten and starts afresh. Zero means
	// DefaultMaxKeys.
	MaxKeys int
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// maxRefill is the longest time that a bucket may take to fill up.
const maxRefill = 365 * 24 * time.Hour

// Limiter has a token bucket for every key. In any stretch of time t a key has
// at most Burst + Rate·t events, unless it was forgotten in between. A key that
// has not been used for as long as an empty bucket takes to fill is dropped by
// the next Allow, for whatever key. A Limiter may be used by many goroutines.
//
// Keys are kept as they are given; a caller that takes them from outside bounds
// their length.
type Limiter struct {
	interval  time.Duration // from one event to the next, at the long-run rate
	tolerance time.Duration // how far a key may be ahead of that
	maxKeys   int
	now       func() time.Time
	start     time.Time

	mu     sync.Mutex
	latest time.Duration // since start; the clock does not run backwards here
	keys   map[string]*list.Element
	order  *list.List // of *bucket, the one used last in front
}

// bucket is a token bucket in the form of the generic cell rate algorithm: one
// number instead of a fill level and the time it was true.
type bucket struct {
	key  string
	full time.Duration // since start; when the bucket will be full
}

// New makes a limiter.
func New(config Config) (*Limiter, error) {
	rate := cmp.Or(config.Rate, DefaultRate)
	if !(rate > 0 && rate <= float64(time.Second)) {
		return nil, fmt.Errorf("rate limit: rate %v must be positive and at most one per nanosecond", config.Rate)
	}
	burst := cmp.Or(config.Burst, max(1, int(rate)))
	maxKeys := cmp.Or(config.MaxKeys, DefaultMaxKeys)
	if burst < 1 || maxKeys < 1 {
		return nil, fmt.Errorf("rate limit: burst %d and number of keys %d must not be negative", config.Burst, config.MaxKeys)
	}
	nanoseconds := math.Ceil(float64(time.Second) / rate) // rounded so that the rate is never exceeded
	if nanoseconds*float64(burst) > float64(maxRefill) {
		return nil, fmt.Errorf("rate limit: a burst of %d at %v per second takes more than a year to refill", burst, rate)
	}
	now := config.Now
	if now == nil {
		now = time.Now
	}
	interval := time.Duration(nanoseconds)
	return &Limiter{
		interval:  interval,
		tolerance: interval * time.Duration(burst-1),
		maxKeys:   maxKeys,
		now:       now,
		start:     now(),
		keys:      map[string]*list.Element{},
		order:     list.New(),
	}, nil
}

// Allow reports whether key may have an event now and counts it if so. If not,
// retryAfter is how long to wait until it may; the refused event is not counted.
func (l *Limiter) Allow(key string) (ok bool, retryAfter time.Duration) {
	now := l.now().Sub(l.start)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.latest = max(l.latest, now)
	now = l.latest
	l.dropFull(now)
	b := l.use(key, now)
	ahead := max(0, b.full-now)
	if ahead > l.tolerance {
		return false, ahead - l.tolerance
	}
	b.full = now + ahead + l.interval
	return true, 0
}

// use returns the bucket of key and moves it to the front.
func (l *Limiter) use(key string, now time.Duration) *bucket {
	if e, ok := l.keys[key]; ok {
		l.order.MoveToFront(e)
		return e.Value.(*bucket)
	}
	if len(l.keys) >= l.maxKeys {
		l.drop(l.order.Back())
	}
	b := &bucket{key: key, full: now}
	l.keys[key] = l.order.PushFront(b)
	return b
}

// dropFull drops buckets from the back as long as they are full. Every bucket
// is dropped once, so on average a call pays for at most one.
func (l *Limiter) dropFull(now time.Duration) {
	for e := l.order.Back(); e != nil && e.Value.(*bucket).full <= now; e = l.order.Back() {
		l.drop(e)
	}
}

func (l *Limiter) drop(e *list.Element) {
	delete(l.keys, e.Value.(*bucket).key)
	l.order.Remove(e)
}
