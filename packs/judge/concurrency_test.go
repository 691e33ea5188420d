package judge_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"mcpworks/packs/judge"
)

// gated is a backend whose problem "slow" waits; the others answer at once.
type gated struct {
	entered   chan struct{} // one value per slow request
	open      chan struct{} // closed: slow requests are answered
	abandoned chan struct{} // one value per slow request whose client went away
}

func newGated() *gated {
	return &gated{make(chan struct{}, 200), make(chan struct{}), make(chan struct{}, 200)}
}

func (g *gated) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/slow") {
		g.entered <- struct{}{}
		select {
		case <-g.open:
		case <-r.Context().Done():
			g.abandoned <- struct{}{}
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, shortBody)
}

func callLine(id, problem string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":%s}`, id,
		callParams("get_problem", `{"source":"leetcode","id":"`+problem+`"}`))
}

func wantID(t *testing.T, r reply, id string) {
	t.Helper()
	if string(r.ID) != `"`+id+`"` || r.kind() != "result" {
		t.Errorf("answer %s is %s %q, want a result for %s", r.ID, r.kind(), r.text(), id)
	}
}

func TestInvariant20SlowCallDoesNotDelayAFastOne(t *testing.T) {
	g := newGated()
	s := against(t, g.ServeHTTP)
	s.send(t, callLine("first", "slow"))
	<-g.entered
	s.send(t, callLine("second", "fast"))
	wantID(t, s.receive(t), "second")
	close(g.open)
	wantID(t, s.receive(t), "first")
}

func TestInvariant20ManySlowCalls(t *testing.T) {
	const slow = 50
	g := newGated()
	s := against(t, g.ServeHTTP)
	for i := range slow {
		s.send(t, callLine(fmt.Sprint("slow", i), "slow"))
	}
	for range slow {
		<-g.entered // all of them are asked at once
	}
	s.send(t, callLine("fast", "fast"))
	wantID(t, s.receive(t), "fast")
	close(g.open)
	seen := map[string]bool{}
	for range slow {
		seen[string(s.receive(t).ID)] = true
	}
	if len(seen) != slow {
		t.Errorf("%d answers to %d calls", len(seen), slow)
	}
}

// Section 1: a cancelled call aborts its request and is not answered.
func TestCancelledCallAbortsItsRequest(t *testing.T) {
	g := newGated()
	s := against(t, g.ServeHTTP)
	s.send(t, callLine("doomed", "slow"))
	<-g.entered
	s.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"doomed","reason":"enough"}}`)
	<-g.abandoned
	s.send(t, callLine("next", "fast"))
	wantID(t, s.receive(t), "next")
	close(g.open)
	s.send(t, callLine("last", "slow"))
	wantID(t, s.receive(t), "last")
}

// The clock is the one thing a tool calls that a test can break.
func TestInvariant29PanicInAToolIsAProtocolError(t *testing.T) {
	var lines logLines
	broken := true
	s := against(t, newGated().ServeHTTP, func(cfg *judge.Config) {
		cfg.Log = slog.New(slog.NewTextHandler(&lines, nil))
		cfg.Now = func() time.Time {
			if broken {
				panic("the clock fell off the wall")
			}
			return evening
		}
	})
	wantAnswer(t, s.call(t, "get_daily_challenge", "{}"), "error -32603", "internal error")
	if !strings.Contains(lines.String(), "the clock fell off the wall") {
		t.Errorf("the log does not say why:\n%s", lines.String())
	}
	broken = false
	if r := s.call(t, "get_daily_challenge", "{}"); r.kind() != "result" {
		t.Errorf("the next call: %s %q", r.kind(), r.text())
	}
}

// A panic on the way to the backend is caught, too.
func TestInvariant29PanicInTheRequest(t *testing.T) {
	broken := true
	s := over(t, roundTripper(func(r *http.Request) (*http.Response, error) {
		if broken {
			panic("no way")
		}
		return respond(r, http.StatusOK, "Content-Type: application/json", shortBody), nil
	}))
	wantAnswer(t, s.call(t, "get_problem", someProblem), "error -32603", "internal error")
	broken = false
	if r := s.call(t, "get_problem", someProblem); r.kind() != "result" {
		t.Errorf("the next call: %s %q", r.kind(), r.text())
	}
}

// No state between calls: the second of two equal calls is asked again.
func TestNothingIsCached(t *testing.T) {
	asked := 0
	s := against(t, func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "max-age=3600")
		fmt.Fprintf(w, `{"id":"%d"}`, asked)
	})
	for want := range 3 {
		if text := s.call(t, "get_problem", someProblem).text(); !strings.Contains(text, fmt.Sprintf("ID: %d ", want+1)) {
			t.Errorf("call %d: %s", want+1, text)
		}
	}
}
