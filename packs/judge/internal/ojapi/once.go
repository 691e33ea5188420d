package ojapi

import (
	"context"
	"errors"
	"net/http/httptrace"
	"sync/atomic"
)

// The product never repeats a request (section 1), but net/http does: a GET
// whose kept connection closes without an answer is sent again, on every other
// kept connection in turn. What was never written may still be tried again.

var errRepeat = errors.New("connection closed early")

type sentKey struct{}

// sendOnce returns a context whose request ends when it would be sent a second
// time.
func sendOnce(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	sent := new(atomic.Bool)
	ctx = context.WithValue(ctx, sentKey{}, sent)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if info.Err == nil {
				sent.Store(true)
			}
		},
		GetConn: func(string) {
			if sent.Load() {
				cancel(errRepeat)
			}
		},
	}), func() { cancel(nil) }
}

// sendAgain lets the next hop of a redirect be sent.
func sendAgain(ctx context.Context) {
	if sent, ok := ctx.Value(sentKey{}).(*atomic.Bool); ok {
		sent.Store(false)
	}
}
