package judge_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Section 3: reading stops at the cap. A backend that sends this much and then
// stalls has said all that counts.
func TestInvariant8NothingIsReadBeyondTheCap(t *testing.T) {
	for _, size := range []int{1 << 20, 1<<20 + 1, 1<<20 + 100} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				body := shortBody + strings.Repeat(" ", size-len(shortBody))
				s := over(t, silence("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n"+body))
				start := time.Now()
				if r := s.call(t, "get_problem", someProblem); r.kind() != "result" {
					t.Errorf("answer is %s %q", r.kind(), r.text())
				}
				if took := time.Since(start); took != 0 {
					t.Errorf("the answer waited %v for what nobody needs", took)
				}
			})
		})
	}
}

// Section 1: a slow call never delays the reply to another call.
func TestInvariant20SlowCallsWithoutNumber(t *testing.T) {
	const slow = 100
	g := newGated()
	s := against(t, g.ServeHTTP)
	for i := range slow {
		s.send(t, callLine(fmt.Sprint("slow", i), "slow"))
	}
	s.send(t, callLine("fast", "fast"))
	wantID(t, s.receive(t), "fast")
	close(g.open)
	for range slow {
		s.receive(t)
	}
}
