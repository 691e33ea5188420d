package launch_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"mcpworks/packs/launch"
	"mcpworks/packs/launch/internal/run/state"
)

// S-28: fifty calls from five connections, each about a run of its own, are all
// at work at the same time, and all succeed.
func TestS28FiftyAtOnce(t *testing.T) {
	const connections, each = 5, 10
	var inside sync.WaitGroup // those that have not begun yet
	inside.Add(connections * each)
	w := &walker{}
	h := newHouse(t, launch.Config{Concurrency: 8, PerProfile: 8}, w, true)
	var sessions []*session
	var runs [connections][each]string
	for c := range connections {
		s := h.open(t)
		sessions = append(sessions, s)
		for n := range each {
			runs[c][n] = s.start(fmt.Sprint("key ", c, n))
		}
	}
	for _, ids := range runs {
		for _, run := range ids {
			<-w.resting(run)
		}
	}
	h.idle()
	w.at = func(context.Context, state.State) error {
		inside.Done()
		inside.Wait()
		return nil
	}
	var all sync.WaitGroup
	for c, s := range sessions {
		all.Go(func() {
			for n, run := range runs[c] {
				s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d-%d","method":"tools/call","params":{"name":"validate_run","arguments":{"run_id":"%s"}}}`, c, n, run))
			}
			answered := map[string]bool{}
			for range each {
				r, text := s.next()
				if r.Error != nil {
					t.Error(text)
				}
				answered[string(r.ID)] = true
			}
			if len(answered) != each {
				t.Errorf("connection %d got answers to %v", c, answered)
			}
		})
	}
	all.Wait()
}
