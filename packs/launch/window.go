package launch

import (
	"sync"
	"time"
)

// A window lets so many events through in any minute.
type window struct {
	now func() time.Time

	most  int
	mu    sync.Mutex
	times []time.Time // of the last events, as a ring once there are most
	next  int
}

const windowLength = time.Minute

func newWindow(most int, now func() time.Time) *window {
	return &window{now: now, most: most}
}

// enter counts an event, or says how long to wait until one may be.
func (w *window) enter() (wait time.Duration, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	if len(w.times) < w.most {
		w.times = append(w.times, now)
		return 0, true
	}
	if age := now.Sub(w.times[w.next]); age < windowLength {
		return windowLength - age, false
	}
	w.times[w.next] = now
	w.next = (w.next + 1) % len(w.times)
	return 0, true
}
