package launch_test

import (
	"testing"

	"mcpworks/packs/launch"
)

// 14.4, S-45: a client that goes away cancels its calls within a second, also when
// the server has been asked to stop before.
func TestS45StopThenDisconnect(t *testing.T) {
	m := newMood()
	w := &walker{at: m.at}
	h := newHouse(t, launch.Config{CallsPerMinute: 1_000_000}, w, true)
	s := h.open(t)
	run := s.start("one")
	<-w.resting(run)
	h.idle()
	m.word.Store("block")
	s.send(`{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"validate_run","arguments":{"run_id":"` + run + `"}}}`)
	<-m.begun
	s.stop()
	for codeOf(s.call("list_runs", "{}")) == "" {
	}
	s.hangUp()
}
