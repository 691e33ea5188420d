package httpguard

import (
	"container/list"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// failures remembers when each source failed: never more than limit times per
// source, never more than maxSources sources, and none longer than window. It
// forgets as it is used and has no goroutine.
type failures struct {
	limit      int
	window     time.Duration
	maxSources int

	mu      sync.Mutex
	sources map[string]*list.Element
	order   *list.List // of *failing, the one that failed last in front
}

type failing struct {
	source  string
	times   []time.Time // oldest first, none older than window at the last look
	blocked time.Time   // until then everything is refused
}

func newFailures(limit int, window time.Duration, maxSources int) *failures {
	return &failures{limit: limit, window: window, maxSources: maxSources, sources: map[string]*list.Element{}, order: list.New()}
}

// blocked returns how long source has to wait, or zero.
func (f *failures) blocked(source string, now time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, ok := f.sources[source]; ok {
		return max(0, e.Value.(*failing).blocked.Sub(now))
	}
	return 0
}

// fail records a failure of source. When there were limit of them within the
// window already, it blocks the source until the first of them is over and
// returns how long that is; otherwise it returns zero. Failures while blocked
// do not make it longer.
func (f *failures) fail(source string, now time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forget(now)
	e, ok := f.sources[source]
	if !ok {
		if len(f.sources) >= f.maxSources {
			f.remove(f.order.Back())
		}
		e = f.order.PushFront(&failing{source: source})
		f.sources[source] = e
	}
	s := e.Value.(*failing)
	s.times = slices.DeleteFunc(s.times, func(t time.Time) bool { return now.Sub(t) >= f.window })
	if len(s.times) >= f.limit {
		s.blocked = s.times[0].Add(f.window)
		return s.blocked.Sub(now)
	}
	s.times = append(s.times, now)
	f.order.MoveToFront(e)
	return 0
}

// forget drops the sources whose last failure is over.
func (f *failures) forget(now time.Time) {
	for e := f.order.Back(); e != nil; e = f.order.Back() {
		if times := e.Value.(*failing).times; now.Sub(times[len(times)-1]) < f.window {
			return
		}
		f.remove(e)
	}
}

func (f *failures) remove(e *list.Element) {
	delete(f.sources, e.Value.(*failing).source)
	f.order.Remove(e)
}

// remoteSource is the remote address without its port. Of IPv6 it is the /64,
// which is what one subscriber has.
func remoteSource(r *http.Request) string {
	addr, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return "unknown"
	}
	ip := addr.Addr().Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	return netip.PrefixFrom(ip, 64).Masked().String()
}
