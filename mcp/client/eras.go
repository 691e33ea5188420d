package client

import (
	"net/url"
	"sync"
	"time"
)

// eraLifetime is how long a server is taken for a legacy one. Nothing fails
// while it has become a modern one, so it has to be asked again.
const eraLifetime = 24 * time.Hour

// Eras remembers which origins speak only the legacy era, so that not every
// session begins with a request that is refused. The zero value remembers
// nothing yet; sessions with the same credentials can share one.
type Eras struct {
	mu  sync.Mutex
	old map[string]verdict
}

type verdict struct {
	way   Way
	until time.Time
}

// recall returns how an origin was spoken to, if it is known to be legacy.
func (e *Eras) recall(target URL) (way Way, ok bool) {
	if e == nil {
		return AnyWay, false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	v, ok := e.old[target.place()]
	return v.way, ok && time.Now().Before(v.until)
}

// learn notes the era of an origin.
func (e *Eras) learn(target URL, modern bool, way Way) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.old == nil {
		e.old = map[string]verdict{}
	}
	delete(e.old, target.place())
	if !modern {
		e.old[target.place()] = verdict{way, time.Now().Add(eraLifetime)}
	}
}

// place is the origin of a URL with its path: one origin may well have several
// servers.
func (u URL) place() string {
	parsed, err := url.Parse(string(u))
	if err != nil {
		return string(u)
	}
	return parsed.Scheme + "://" + parsed.Host + parsed.Path
}
