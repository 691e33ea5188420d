package commitsvc

import (
	"crypto/sha256"
	"sync"
	"time"
)

// windowLength is the time in which a token has a number of requests.
const windowLength = time.Hour

// maxWindows bounds the tokens that are counted. Only valid ones are.
const maxWindows = 4096

// A window counts requests: in no hour does a token have more than the limit.
type window struct {
	limit int
	now   func() time.Time

	mu   sync.Mutex
	seen map[[sha256.Size]byte][]time.Time // oldest first
}

// admit counts a request, or says how long to wait.
func (w *window) admit(token string) (ok bool, wait time.Duration) {
	if w.limit < 0 {
		return true, 0
	}
	key, now := sha256.Sum256([]byte(token)), w.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	times := w.seen[key]
	for len(times) > 0 && now.Sub(times[0]) >= windowLength {
		times = times[1:]
	}
	if len(times) >= w.limit {
		w.seen[key] = times
		return false, windowLength - now.Sub(times[0])
	}
	if len(w.seen) >= maxWindows {
		w.drop(now)
	}
	w.seen[key] = append(times, now)
	return true, 0
}

// drop forgets tokens that were not used within the hour.
func (w *window) drop(now time.Time) {
	for key, times := range w.seen {
		if len(times) == 0 || now.Sub(times[len(times)-1]) >= windowLength {
			delete(w.seen, key)
		}
	}
}
