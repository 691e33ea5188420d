package servehttp

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// fresh are the connections on which no request has begun. Browsers and Go's
// client open some in advance; http.Server.Shutdown would wait five seconds for
// each to make up its mind.
type fresh struct {
	mu     sync.Mutex
	opened map[net.Conn]time.Time
}

// patience is how long a connection without request may hold up the end.
const patience = 500 * time.Millisecond

// note is for http.Server.ConnState.
func (f *fresh) note(conn net.Conn, state http.ConnState) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if state != http.StateNew {
		delete(f.opened, conn)
		return
	}
	if f.opened == nil {
		f.opened = map[net.Conn]time.Time{}
	}
	f.opened[conn] = time.Now()
}

// closeUntil closes those that have had their time, until done.
func (f *fresh) closeUntil(done <-chan struct{}) {
	look := time.NewTicker(patience / 10)
	defer look.Stop()
	for {
		f.mu.Lock()
		for conn, opened := range f.opened {
			if time.Since(opened) > patience {
				_ = conn.Close() // nothing was said on it
			}
		}
		f.mu.Unlock()
		select {
		case <-done:
			return
		case <-look.C:
		}
	}
}
