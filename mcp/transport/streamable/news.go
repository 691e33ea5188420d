package streamable

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// newsState says whether the stream of what no request asked for is being read.
type newsState int

const (
	newsUnwanted newsState = iota // not yet, or the server has none
	newsOff                       // after too many failures
	newsOn
)

// listen begins to read the news: when the handshake is done, and again when a
// message got through after too many failures.
func (l *Line) listen(initialized bool) {
	l.mu.Lock()
	wanted := l.news == newsOff || initialized && l.news == newsUnwanted
	if wanted {
		l.news = newsOn
	}
	l.mu.Unlock()
	if !wanted {
		return
	}
	ctx, t, err := l.begin(context.Background())
	if err != nil {
		return
	}
	answered := make(chan struct{})
	go func() {
		defer t.end()
		state := l.readNews(ctx, sync.OnceFunc(func() { close(answered) }))
		l.mu.Lock()
		defer l.mu.Unlock()
		l.news = state
	}()
	if initialized {
		timer := time.NewTimer(newsTime)
		defer timer.Stop()
		select {
		case <-answered:
		case <-timer.C:
		}
	}
}

// newsTime is how long the end of the handshake waits for the stream to be
// there. What a server asks while there is none can be lost: the first call
// should not be faster. Servers that send no head before the first event are not
// waited for any longer.
const newsTime = 250 * time.Millisecond

// readNews reads the stream until there is no use in coming back to it. It says
// when the server has answered for the first time, whatever it was.
func (l *Line) readNews(ctx context.Context, answered func()) newsState {
	defer answered()
	f := &feed{line: l}
	s := l.shapeOf(nil)
	for opened := false; ; {
		resp, err := l.openStream(ctx, s, f.lastID)
		answered()
		if err == nil {
			opened = true
			began := time.Now()
			f.open(resp)
			err = f.read(ctx, jsonrpc.ID{})
			f.close()
			if time.Since(began) >= steadyTime {
				f.failures = 0
			}
		}
		refusal := (*transport.StatusError)(nil)
		refused := errors.As(err, &refusal)
		missing := refused && refusal.Status == http.StatusNotFound
		switch {
		case ctx.Err() != nil:
			return newsUnwanted
		case refused && refusal.Status == http.StatusUnauthorized:
			return newsOff // until somebody is let in again
		case missing && f.lastID != "": // it may be the event that is not there any more
			f.lastID = ""
		case missing && opened && s.session != "":
			_ = l.forget(refusal)
			return newsUnwanted
		case !f.passes(err), refused && refusal.Status == http.StatusConflict: // another reads it
			l.opts.Log.Info("the server has no stream of news", "error", err)
			return newsUnwanted
		case f.failures >= maxFailures:
			l.opts.Log.Warn("the stream of news is lost", "error", err)
			return newsOff
		}
		if f.pause(ctx) != nil {
			return newsUnwanted
		}
		f.failures++
	}
}
