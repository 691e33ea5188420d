package eventlog_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/run/eventlog"

	"github.com/google/go-cmp/cmp"
)

const runID = "r_20260101T000000Z_acme_0123abcd"

func options(each func(eventlog.Event)) eventlog.Options {
	return eventlog.Options{RunID: runID, Clock: time.Now, Random: rand.Reader, Each: each}
}

func rootOf(t *testing.T, folder string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// fresh makes a log with n events, the payload of each being its number.
func fresh(t *testing.T, folder string, n int) {
	t.Helper()
	log, err := eventlog.Create(rootOf(t, folder), options(nil))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		add(t, log, 1, fmt.Sprint(i))
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

func add(t *testing.T, log *eventlog.Log, fence int64, text string) {
	t.Helper()
	if err := appendTo(log, fence, text); err != nil {
		t.Fatal(err)
	}
}

func appendTo(log *eventlog.Log, fence int64, text string) error {
	return log.Append(fence, func() ([]eventlog.Draft, error) {
		return []eventlog.Draft{{Type: "NOTE", Payload: map[string]any{"text": text}}}, nil
	}, nil)
}

func open(t *testing.T, folder string) (*eventlog.Log, *[]eventlog.Event) {
	t.Helper()
	events := &[]eventlog.Event{}
	log, err := eventlog.Open(rootOf(t, folder), options(func(e eventlog.Event) { *events = append(*events, e) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return log, events
}

// the vector of 5.3, as the last event of a log whose first one has its
// place.
func TestVector(t *testing.T) {
	const body = `"event_id":"evt_01","fence":1,"payload":{"new_state":"CLONED_INPUTS","old_state":"CREATED"},"prev_hash":"` +
		`0000000000000000000000000000000000000000000000000000000000000000","run_id":"r_20260101T000000Z_acme_0123abcd","seq":%d,` +
		`"span_id":"00f067aa0ba902b7","trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","ts":"2026-01-01T00:00:01.000Z","type":"RUN_STATE_CHANGED"}`
	const hash = "eff3309cac7f8963e019ae20c4f846c0be8f0d194fb21a319ade47aa0395613e"
	event := eventlog.Event{
		ID: "evt_01", Fence: 1, Payload: json.RawMessage(`{"new_state":"CLONED_INPUTS","old_state":"CREATED"}`),
		Prev: strings.Repeat("0", 64), RunID: runID, Seq: 2, Span: "00f067aa0ba902b7", Trace: "4bf92f3577b34da6a3ce929d0e0e4736",
		Time: "2026-01-01T00:00:01.000Z", Type: "RUN_STATE_CHANGED",
	}
	if got := eventlog.HashOf(&event); got != hash {
		t.Errorf("hash %s, want %s", got, hash)
	}
	line := `{"event_hash":"` + hash + `",` + fmt.Sprintf(body, 2)
	parsed, err := eventlog.Parse([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	event.Hash = hash
	if diff := cmp.Diff(event, parsed); diff != "" {
		t.Errorf("parsed (-want +got):\n%s", diff)
	}
}

func TestReopenedLogGoesOn(t *testing.T) {
	folder := t.TempDir()
	fresh(t, folder, 3)
	log, events := open(t, folder)
	add(t, log, 1, "more")
	if len(*events) != 4 || log.Head().Seq != 4 || log.Broken() != nil {
		t.Fatalf("%d events, head %+v, broken %v", len(*events), log.Head(), log.Broken())
	}
	for i, e := range *events {
		if e.Trace != (*events)[0].Trace || e.Seq != int64(i+1) || !strings.HasPrefix(e.ID, "evt_") || len(e.ID) != 30 {
			t.Errorf("event %d is %+v", i, e)
		}
	}
}

// a cut anywhere in the last line is repaired, and what was torn is kept.
func TestTornTailIsRepaired(t *testing.T) {
	folder := t.TempDir()
	fresh(t, folder, 3)
	file := filepath.Join(folder, eventlog.FileName)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lastLine := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	for cut := lastLine + 1; cut < len(whole); cut += 7 {
		if err := os.WriteFile(file, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		log, events := open(t, folder)
		add(t, log, 1, "after")
		var types []string
		for _, e := range *events {
			types = append(types, e.Type)
		}
		if diff := cmp.Diff([]string{"NOTE", "NOTE", eventlog.Recovered, "NOTE"}, types); diff != "" {
			t.Fatalf("cut at %d (-want +got):\n%s", cut, diff)
		}
		var repair struct {
			SavedAs string `json:"saved_as"`
		}
		if err := json.Unmarshal((*events)[2].Payload, &repair); err != nil {
			t.Fatal(err)
		}
		saved, err := os.ReadFile(filepath.Join(folder, repair.SavedAs))
		if err != nil || !bytes.Equal(saved, whole[lastLine:cut]) {
			t.Fatalf("cut at %d: %q was kept (%v)", cut, saved, err)
		}
		log.Close()
	}
}

// no changed byte passes in a line that is still JSON.
func TestChangedByteBreaksTheChain(t *testing.T) {
	folder := t.TempDir()
	fresh(t, folder, 4)
	file := filepath.Join(folder, eventlog.FileName)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for at := range whole {
		for _, b := range []byte{'0', 'z', ' ', whole[at] ^ 1} {
			changed := bytes.Clone(whole)
			changed[at] = b
			lastLine := bytes.LastIndexByte(changed[:len(changed)-1], '\n') + 1
			if b == whole[at] || at >= lastLine && !json.Valid(changed[lastLine:]) {
				continue // that would be a torn line
			}
			tried++
			if err := os.WriteFile(file, changed, 0o600); err != nil {
				t.Fatal(err)
			}
			log, _ := open(t, folder)
			if at == len(whole)-1 { // without its end the last line is torn
				if log.Head().Seq != 3 {
					t.Fatalf("the line without an end was read")
				}
			} else if !errors.Is(log.Broken(), eventlog.ErrChainBroken) {
				t.Fatalf("%q for %q at %d passed", b, whole[at], at)
			} else if err := appendTo(log, 9, "x"); !errors.Is(err, eventlog.ErrChainBroken) {
				t.Fatalf("append to a broken log: %v", err)
			}
			log.Close()
		}
	}
	if tried < len(whole) {
		t.Errorf("only %d changes were tried", tried)
	}
}

// after a takeover the old fence is refused, also in a handle that has not
// seen the takeover.
func TestOldFenceCannotAppend(t *testing.T) {
	folder := t.TempDir()
	fresh(t, folder, 1)
	stalled, _ := open(t, folder)
	next, _ := open(t, folder)
	add(t, stalled, 1, "mine")
	add(t, next, 2, "taken over")
	if err := appendTo(stalled, 1, "too late"); !errors.Is(err, eventlog.ErrFenced) {
		t.Errorf("the stalled writer got %v", err)
	}
	add(t, stalled, eventlog.CurrentFence, "cancel")
	if head := stalled.Head(); head.Fence != 2 || head.Seq != 4 {
		t.Errorf("head %+v", head)
	}
}

func TestManyHandlesKeepOneChain(t *testing.T) {
	folder := t.TempDir()
	fresh(t, folder, 1)
	var writers sync.WaitGroup
	for w := range 4 {
		log, _ := open(t, folder)
		writers.Go(func() {
			for i := range 25 {
				if err := appendTo(log, 1, fmt.Sprintf("%d/%d", w, i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	log, events := open(t, folder)
	if log.Broken() != nil || len(*events) != 101 {
		t.Errorf("%d events, broken: %v", len(*events), log.Broken())
	}
}

func TestPayloadsThatAreRefused(t *testing.T) {
	folder := t.TempDir()
	fresh(t, folder, 1)
	log, _ := open(t, folder)
	tooLong := map[string]any{"text": strings.Repeat("x", 16<<20)}
	for _, payload := range []any{tooLong, map[string]any{"cost": 0.5}, map[string]any{"list": []any{1, 1e30}}, []int{1}, "text"} {
		err := log.Append(1, func() ([]eventlog.Draft, error) { return []eventlog.Draft{{Type: "X", Payload: payload}}, nil }, nil)
		if err == nil {
			t.Errorf("%.50v was accepted", payload)
		}
	}
	if log.Head().Seq != 1 {
		t.Errorf("something was appended: %+v", log.Head())
	}
}

// A batch of audit events is on the disk for others at once, and a refused
// decision appends nothing.
func TestAuditEventsAndRefusals(t *testing.T) {
	folder := t.TempDir()
	fresh(t, folder, 1)
	log, _ := open(t, folder)
	other, seen := open(t, folder)
	draft := eventlog.Draft{Type: "AUDIT", Audit: true}
	if err := log.Append(1, func() ([]eventlog.Draft, error) { return []eventlog.Draft{draft, draft}, nil }, nil); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("no")
	if err := log.Append(1, func() ([]eventlog.Draft, error) { return []eventlog.Draft{draft}, refused }, nil); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	if err := other.Refresh(); err != nil || len(*seen) != 3 {
		t.Errorf("%d events seen, %v", len(*seen), err)
	}
}

func TestTailFindsItsPlace(t *testing.T) {
	folder := t.TempDir()
	fresh(t, folder, 300) // more than the window holds
	_, events := open(t, folder)
	file, err := os.Open(filepath.Join(folder, eventlog.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		at := (*events)[250+mathrand.IntN(50)]
		tail, ok := eventlog.Tail(file, info.Size(), at.Seq, at.Hash)
		if diff := cmp.Diff((*events)[at.Seq:], tail, cmp.Transformer("none", func(e []eventlog.Event) []eventlog.Event {
			return append([]eventlog.Event{}, e...)
		})); !ok || diff != "" {
			t.Errorf("tail after %d (-want +got):\n%s", at.Seq, diff)
		}
	}
	if _, ok := eventlog.Tail(file, info.Size(), 1, (*events)[0].Hash); ok {
		t.Error("an event before the window was found")
	}
}
