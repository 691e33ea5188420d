package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/transport"
)

// harmless are the methods that change nothing, so that they can be sent again
// when it is not known whether they arrived.
var harmless = map[string]bool{
	mcp.MethodDiscover: true, mcp.MethodPing: true,
	mcp.MethodListTools: true, mcp.MethodListPrompts: true,
	mcp.MethodListResources: true, mcp.MethodListResourceTemplates: true,
	mcp.MethodReadResource: true, mcp.MethodGetPrompt: true, mcp.MethodComplete: true,
}

// maxBusy is how often a server may ask to be left alone for a while.
const maxBusy = 3

// send sends a request over the current link, and again where that is safe and
// promises more.
func (c *core) send(ctx context.Context, rq *request) (json.RawMessage, error) {
	again, busy := false, 0
	for {
		l, rev, err := c.current(c.patience(ctx))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", rq.method, err)
		}
		result, err := c.exchange(ctx, l, rev, rq)
		switch {
		case err == nil:
			return result, nil
		case errors.Is(err, transport.ErrSessionGone):
			if again {
				return nil, fmt.Errorf("%s: the new session is not accepted: %w", rq.method, err)
			}
			if err := c.renew(ctx, l, err); err != nil {
				return nil, fmt.Errorf("%s: %w", rq.method, err)
			}
			if rq.acts {
				return nil, fmt.Errorf("%s: %w", rq.method, ErrSessionExpired)
			}
			again = true
		case errors.Is(err, transport.ErrLost) && rev.Modern && !rq.acts && !again:
			again = true
		case busy < maxBusy && waitOut(ctx, err):
			busy++
		default:
			return nil, explain(rq.method, err)
		}
	}
}

// explain says what was being done, unless the error says it already or is the
// server's own.
func explain(method string, err error) error {
	if late := new(TimeoutError); errors.As(err, &late) || isWire(err) {
		return err
	}
	return fmt.Errorf("%s: %w", method, err)
}

// waitOut waits as long as a busy server asks for, if there is time for it.
func waitOut(ctx context.Context, err error) bool {
	var status *transport.StatusError
	if !errors.As(err, &status) || status.Status != http.StatusTooManyRequests && status.Status != http.StatusServiceUnavailable {
		return false
	}
	delay, ok := retryAfter(status.RetryAfter)
	if deadline, has := ctx.Deadline(); !ok || has && time.Until(deadline) < delay {
		return false
	}
	return sleep(ctx, delay) == nil
}

// maxDelay is the longest that a busy server is waited for.
const maxDelay = 30 * time.Second

func retryAfter(text string) (time.Duration, bool) {
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 && seconds <= int(maxDelay.Seconds()) {
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(text)
	delay := max(time.Until(at), 0)
	return delay, err == nil && delay <= maxDelay
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
