package main

import (
	"bytes"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/packs/launch"
)

// 18.9: the lease of a process that is gone is waited for, and that is told; the
// lock of one that works is not.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told bytes.Buffer
		c := &call{stderr: newScreen(&told)}
		locked := &launch.Error{Code: launch.RunLocked, Details: map[string]any{"holder_tool": "open_pr", "holder_gone": true}, RetryAfter: 20 * time.Second}
		began, asked := time.Now(), 0
		answer, err := c.patiently(t.Context(), func() (json.RawMessage, error) {
			if asked++; asked == 1 {
				return nil, locked
			}
			return json.RawMessage(`{}`), nil
		})
		if err != nil || string(answer) != "{}" || time.Since(began) != 20*time.Second {
			t.Errorf("%s after %s: %v", answer, time.Since(began), err)
		}
		if told.String() != "the process that held the run for open_pr is gone; its lease ends in 20 s\n" {
			t.Errorf("told %q", told.String())
		}
		delete(locked.Details, "holder_gone")
		if _, err := c.patiently(t.Context(), func() (json.RawMessage, error) { return nil, locked }); err != locked {
			t.Errorf("a process that works: %v", err)
		}
	})
}
