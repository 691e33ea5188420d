package launch

import (
	"sync"
	"time"
)

// A window lets so many events through in any minute.
type window struct {
	now func() time.Time

	mu    sync.Mutex
	times []time.Time // of the last events, as a ring
	next  int
}

const windowLength = time.Minute

func newWindow(most int, now func() time.Time) *window {
	return &window{now: now, times: make([]time.Time, most)}
}

// enter counts an event, or says how long to wait until one may be.
func (w *window) enter() (wait time.Duration, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	oldest := w.times[w.next]
	if age := now.Sub(oldest); !oldest.IsZero() && age < windowLength {
		return windowLength - age, false
	}
	w.times[w.next] = now
	w.next = (w.next + 1) % len(w.times)
	return 0, true
}
