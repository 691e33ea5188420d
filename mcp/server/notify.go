package server

import (
	"context"
	"math"
	"strconv"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

const (
	progressPerSecond = 10 // notifications of one request
	logsPerSecond     = 50 // log messages of one connection
)

// progress is what a request has reported so far.
type progress struct {
	last  float64
	began bool
	pace  throttle
}

// Progress tells the client how far the request is; total is 0 if unknown. It
// does nothing if the client did not ask for it, if the number does not grow,
// or if it comes too often.
func (r *Request) Progress(ctx context.Context, done, total float64, message string) {
	if r.progressToken == nil || !isFinite(done) || !isFinite(total) {
		return
	}
	o := rawjson.Begin(nil)
	o.Raw("progressToken", r.progressToken)
	o.Set(strconv.AppendFloat(o.Name("progress"), done, 'f', -1, 64))
	if total > 0 {
		o.Set(strconv.AppendFloat(o.Name("total"), total, 'f', -1, 64))
	}
	if r.rev.ProgressMessage {
		o.NonEmpty("message", message)
	}
	r.lifetime.mu.Lock()
	defer r.lifetime.mu.Unlock()
	now := r.session.srv.opts.Now()
	last := total > 0 && done >= total // is never left out
	if r.lifetime.over() || r.progress.began && done <= r.progress.last || !r.progress.pace.allow(now, progressPerSecond) && !last {
		return
	}
	r.progress.began, r.progress.last = true, done
	_ = r.out.Notify(ctx, jsonrpc.AppendCall(nil, jsonrpc.ID{}, mcp.NotifyProgress, o.End()))
}

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// Log sends the client a log message; data is anything JSON can hold. It must
// not hold credentials or personal data. Nothing is sent below the level the
// client asked for, and to modern clients nothing unless they asked at all.
func (r *Request) Log(ctx context.Context, level mcp.Level, logger string, data any) {
	s := r.session
	threshold := r.logLevel
	s.mu.Lock()
	if !r.rev.Modern {
		threshold = s.logLevel
	}
	send := r.logs && level >= threshold && s.logs.allow(s.srv.opts.Now(), logsPerSecond)
	s.mu.Unlock()
	if !send {
		return
	}
	text, err := rawjson.Append(nil, data)
	if err != nil {
		s.srv.opts.Log.Error("log data cannot be sent", "error", err)
		return
	}
	o := rawjson.Begin(nil)
	o.String("level", level.String())
	o.NonEmpty("logger", logger)
	o.Raw("data", text)
	r.lifetime.mu.Lock()
	defer r.lifetime.mu.Unlock()
	if !r.lifetime.over() {
		_ = r.out.Notify(ctx, jsonrpc.AppendCall(nil, jsonrpc.ID{}, mcp.NotifyMessage, o.End()))
	}
}

// A throttle lets a number of things happen per second, and as many at once.
type throttle struct {
	left float64
	last time.Time
}

func (t *throttle) allow(now time.Time, perSecond float64) bool {
	if t.last.IsZero() {
		t.left = perSecond
	} else {
		t.left = min(perSecond, t.left+perSecond*now.Sub(t.last).Seconds())
	}
	t.last = now
	if t.left < 1 {
		return false
	}
	t.left--
	return true
}
