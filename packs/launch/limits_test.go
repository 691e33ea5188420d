package launch_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpworks/packs/launch"
	"mcpworks/packs/launch/internal/run/state"
)

// S-41: each connection has its own hundred.
func TestS41RateLimit(t *testing.T) {
	t.Parallel()
	h := newHouse(t, launch.Config{Now: func() time.Time { return noon }}, nil, false)
	s := h.open(t)
	for range 100 {
		if r := s.call("list_taskcards", "{}"); r.Error != nil {
			t.Fatalf("%+v", r.Error)
		}
	}
	s.call("list_taskcards", "{}").wants(t, -32603, "MCP_RATE_LIMITED")
	if r := s.ask("tools/list", "{}"); r.Error != nil {
		t.Errorf("other methods are counted: %+v", r.Error)
	}
	if r := h.open(t).call("list_taskcards", "{}"); r.Error != nil {
		t.Errorf("another connection: %+v", r.Error)
	}
}

// S-28: many connections at once.
func TestS28ManyCallsAtOnce(t *testing.T) {
	h := newHouse(t, launch.Config{}, nil, true)
	var all sync.WaitGroup
	for n := range 5 {
		s := h.open(t)
		all.Go(func() {
			run := s.start(fmt.Sprint("key", n))
			for range 10 {
				s.sent++
				s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"get_run_status","arguments":{"run_id":"%s"}}}`, s.sent, run))
			}
			for range 10 {
				if r, text := s.next(); r.Error != nil {
					t.Errorf("%s", text)
				}
			}
		})
	}
	all.Wait()
}

// S-42: what was read a moment ago is not read again, unless the run has moved.
func TestS42Cache(t *testing.T) {
	t.Parallel()
	now := noon
	var mu sync.Mutex
	h := newHouse(t, launch.Config{Now: func() time.Time { mu.Lock(); defer mu.Unlock(); return now }}, nil, true)
	s := h.open(t)
	run := s.start("one")
	<-h.walker.resting(run)
	h.idle()
	read := func() reply { return s.call("get_artifact", `{"run_id":"`+run+`","artifact_name":"page_plan.json"}`) }
	before := read().structured(t, nil)
	if err := os.Remove(filepath.Join(h.dir, "runs", run, "artifacts", "page_plan.json")); err != nil {
		t.Fatal(err)
	}
	if after := read().structured(t, nil); after != before {
		t.Errorf("the second answer is %s", after)
	}
	mu.Lock()
	now = now.Add(61 * time.Second)
	mu.Unlock()
	read().wants(t, -32603, "ORCHESTRATOR_ARTIFACT_NOT_FOUND")
}

// S-43: large files come in pieces that fit together again.
func TestS43Chunks(t *testing.T) {
	t.Parallel()
	for name, plan := range map[string][]byte{
		"text":   []byte(strings.Repeat("größer als ein Megabyte\n", 60_000)),
		"binary": bytes.Repeat([]byte{0xff, 0x00, 0xfe}, 500_000),
	} {
		h := newHouse(t, launch.Config{}, &walker{plan: plan}, true)
		s := h.open(t)
		run := s.start("one")
		<-h.walker.resting(run)
		var whole []byte
		for offset, complete := int64(0), false; !complete; {
			var piece struct {
				Content, Encoding, SHA256 string
				Length                    int64
				Complete                  bool
				Next                      int64 `json:"next_offset"`
			}
			s.call("get_artifact", fmt.Sprintf(`{"run_id":"%s","artifact_name":"page_plan.json","offset":%d,"max_bytes":300001}`, run, offset)).structured(t, &piece)
			content := []byte(piece.Content)
			if piece.Encoding == "base64" {
				content, _ = base64.StdEncoding.DecodeString(piece.Content)
			}
			whole = append(whole, content...)
			sum := sha256.Sum256(plan)
			if int64(len(content)) != piece.Length || piece.SHA256 != hex.EncodeToString(sum[:]) || (piece.Encoding == "base64") != (name == "binary") {
				t.Fatalf("%s: the piece at %d has %d bytes, %+v", name, offset, len(content), piece.Length)
			}
			offset, complete = piece.Next, piece.Complete
		}
		if !bytes.Equal(whole, plan) {
			t.Errorf("%s: the pieces do not make the file", name)
		}
		r := s.ask("resources/read", `{"uri":"resource://run/`+run+`/page_plan.json"}`) // 3.7
		if r.Error == nil || r.Error.Code != -32602 || !strings.Contains(r.Error.Message, "offset") {
			t.Errorf("%s: read at once it is %+v", name, r.Error)
		}
	}
}

// S-44: pages of runs.
func TestS44Pages(t *testing.T) {
	t.Parallel()
	h := newHouse(t, launch.Config{}, nil, false)
	s := h.open(t)
	seen := map[string]bool{}
	for n := range 7 {
		s.start(fmt.Sprint("key", n))
	}
	cursor := ""
	for page := range 3 {
		var list struct {
			Runs []struct {
				RunID string `json:"run_id"`
			}
			Next string `json:"next_cursor"`
		}
		s.call("list_runs", `{"page_size":3`+cursor+`}`).structured(t, &list)
		for _, row := range list.Runs {
			if seen[row.RunID] {
				t.Errorf("%s is listed twice", row.RunID)
			}
			seen[row.RunID] = true
		}
		if len(list.Runs) != []int{3, 3, 1}[page] || (list.Next == "") != (page == 2) {
			t.Fatalf("page %d has %d runs, next %q", page, len(list.Runs), list.Next)
		}
		cursor = `,"cursor":"` + list.Next + `"`
		s.start(fmt.Sprint("later", page))
	}
	if len(seen) != 7 {
		t.Errorf("%d runs were listed", len(seen))
	}
}

// S-29, S-45: one call at a time changes a run, and a client that goes away
// leaves nothing locked.
func TestS29OneAtATime(t *testing.T) {
	t.Parallel()
	begun, stopped := make(chan struct{}, 1), make(chan struct{}, 1)
	w := &walker{}
	h := newHouse(t, launch.Config{}, w, true)
	s := h.open(t)
	run := s.start("one")
	<-w.resting(run)
	h.idle()
	w.at = func(ctx context.Context, at state.State) error {
		begun <- struct{}{}
		<-ctx.Done()
		stopped <- struct{}{}
		return ctx.Err()
	}
	first := h.open(t)
	first.send(`{"jsonrpc":"2.0","id":100,"method":"tools/call","params":{"name":"validate_run","arguments":{"run_id":"` + run + `"}}}`)
	<-begun
	r := s.call("validate_run", `{"run_id":"`+run+`"}`)
	r.wants(t, -32603, "ORCHESTRATOR_RUN_LOCKED")
	if r.Error.Data.Details["holder_tool"] != "validate" {
		t.Errorf("it is locked by %v", r.Error.Data.Details)
	}
	s.call("get_run_status", `{"run_id":"`+run+`"}`).structured(t, nil) // needs no lock
	first.hangUp()
	<-stopped
	w.at = nil
	s.call("validate_run", `{"run_id":"`+run+`"}`).structured(t, nil)
}

// S-11: a run ends while it is at work, and nothing follows.
func TestS11Cancel(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	h := newHouse(t, launch.Config{}, &walker{at: func(ctx context.Context, at state.State) error {
		if at != state.Ingested {
			return nil
		}
		close(begun)
		<-ctx.Done()
		return context.Cause(ctx)
	}}, true)
	s := h.open(t)
	run := s.start("one")
	<-begun
	var ended struct {
		Cancelled bool
		State     string
	}
	s.call("cancel_run", `{"run_id":"`+run+`"}`).structured(t, &ended)
	if !ended.Cancelled || ended.State != "CANCELLED" {
		t.Errorf("%+v", ended)
	}
	s.call("resume_run", `{"run_id":"`+run+`"}`).wants(t, -32603, "ORCHESTRATOR_ILLEGAL_STATE")
}

// S-27: after a request to stop, calls in flight are answered and new ones are
// refused.
func TestS27Shutdown(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	w := &walker{}
	h := newHouse(t, launch.Config{CallsPerMinute: 1_000_000}, w, true)
	s := h.open(t)
	run := s.start("one")
	<-w.resting(run)
	h.idle()
	w.at = func(context.Context, state.State) error {
		close(begun)
		<-release
		return nil
	}
	s.send(`{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"validate_run","arguments":{"run_id":"` + run + `"}}}`)
	<-begun
	s.stop()
	for { // until the server has noticed
		r := s.call("list_runs", "{}")
		if r.Error == nil {
			continue
		}
		r.wants(t, -32603, "ORCHESTRATOR_SHUTTING_DOWN")
		break
	}
	close(release)
	if r, text := s.next(); string(r.ID) != `"slow"` || r.Error != nil {
		t.Errorf("the call in flight is answered with %s", text)
	}
}
