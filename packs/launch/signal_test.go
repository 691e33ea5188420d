package launch_test

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/run/flock"
)

// lockRun takes the lock of a run, as another process on the data directory
// would, so that calls which change the run wait.
func (w workplace) lockRun(t *testing.T, run string) (release func()) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(w.data, "runs", run, ".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if err := flock.Lock(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	return func() { file.Close() }
}

// awaitEvent waits until the server has written an event that has a text.
func (w workplace) awaitEvent(t *testing.T, text string) {
	t.Helper()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for range look.C {
		events, err := os.ReadFile(filepath.Join(w.data, "server_events.ndjson"))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(events, []byte(text)) {
			return
		}
	}
}

const validateStarted = `"tool":"validate_run"},"prev_hash"` // the first event of such a call has no duration

// S-27, 14.1: the program gets a signal while validate_run waits for its run. The
// answer arrives, a call sent after the signal gets SHUTTING_DOWN, and the
// program exits with 0.
func TestS27Signals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			w := newWorkplace(t, fixtures.Sparse())
			p := w.serve(t)
			run := p.startRun(w.config(nil))
			if state := p.rest(run); state != "READY_FOR_PR" {
				t.Fatalf("the run rests in %s", state)
			}
			release := w.lockRun(t, run)
			p.send(`{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"validate_run","arguments":{"run_id":"` + run + `"}}}`)
			w.awaitEvent(t, validateStarted)
			if err := p.command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			for { // until the program has noticed
				r := p.call("list_runs", "{}")
				if r.Error != nil {
					r.wants(t, -32603, "ORCHESTRATOR_SHUTTING_DOWN")
					break
				}
			}
			release()
			r, text := p.next()
			var answer struct {
				Report struct{ OK bool } `json:"validation_report"`
			}
			r.structured(t, &answer)
			if string(r.ID) != `"slow"` || !answer.Report.OK {
				t.Errorf("the call in flight is answered with %s", text)
			}
			if code := p.exit(); code != 0 {
				t.Errorf("the program ends with %d:\n%s", code, p.log.String())
			}
		})
	}
}

// S-45, 14.4: the client goes away while validate_run waits for its run. The
// program ends in order, the call has changed nothing, and nothing stays locked.
func TestS45Disconnect(t *testing.T) {
	w := newWorkplace(t, fixtures.Sparse())
	p := w.serve(t)
	run := p.startRun(w.config(nil))
	if state := p.rest(run); state != "READY_FOR_PR" {
		t.Fatalf("the run rests in %s", state)
	}
	release := w.lockRun(t, run)
	log := filepath.Join(w.data, "runs", run, "events.ndjson")
	before, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	p.send(`{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"validate_run","arguments":{"run_id":"` + run + `"}}}`)
	w.awaitEvent(t, validateStarted)
	if code := p.leave(); code != 0 {
		t.Errorf("the program ends with %d:\n%s", code, p.log.String())
	}
	if after, err := os.ReadFile(log); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the log of the run has changed from\n%s\nto\n%s\n%v", before, after, err)
	}
	release()
	w.serve(t).call("validate_run", `{"run_id":"`+run+`"}`).structured(t, nil)
}
