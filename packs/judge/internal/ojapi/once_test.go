package ojapi

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
)

// Section 1: no retry. A backend that hangs up on a request is asked once,
// however many connections are kept.
func TestARequestIsSentOnce(t *testing.T) {
	var asked atomic.Int64
	together := make(chan struct{})
	var arrived sync.WaitGroup
	arrived.Add(20)
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/status" {
			asked.Add(1)
			panic(http.ErrAbortHandler)
		}
		arrived.Done()
		<-together
		answer(200, jsonType, `{"id":"1"}`)(w, r)
	})
	var done sync.WaitGroup
	for range 20 { // as many connections
		done.Go(func() { c.Problem(t.Context(), "s", "1") })
	}
	arrived.Wait()
	close(together)
	done.Wait()
	_, err := c.Status(t.Context())
	wantTransport(t, err, "request failed: connection closed early")
	if n := asked.Load(); n != 1 {
		t.Errorf("the backend was asked %d times", n)
	}
}
