package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestRequestsCarryIDAndStamp(t *testing.T) {
	for _, size := range []int{5, 1 << 10, 100 << 10} {
		r := newRequests(16, size)
		made := 0
		for made < 40 {
			b, n := r.batch(40 - made)
			lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
			if len(lines) != n {
				t.Fatalf("%d lines in a batch of %d", len(lines), n)
			}
			for _, line := range lines {
				var m struct {
					ID     int
					Params struct{ Arguments struct{ Text string } }
				}
				if err := json.Unmarshal([]byte(line), &m); err != nil {
					t.Fatal(err)
				}
				text := m.Params.Arguments.Text
				if m.ID != firstID+made || len(text) != size || text[:stamp] != fmt.Sprintf("%05d", made) {
					t.Fatalf("call %d: id %d, text %.10q of %d bytes", made, m.ID, text, len(text))
				}
				made++
			}
		}
	}
}

func TestAnswersAreChecked(t *testing.T) {
	good := func(n int) string {
		return fmt.Sprintf(`{"result":{"content":[{"type":"text","text":"%05d%s"}]},"id":%d}`, n, filler(3), firstID+n)
	}
	a := answers{textSize: stamp + 3}
	for _, n := range []int{2, 0, 1, 70} {
		if err := a.check([]byte(good(n)), 100); err != nil {
			t.Errorf("call %d: %v", n, err)
		}
	}
	bad := map[string]string{
		"second answer":  good(0),
		"never made":     good(100),
		"other text":     strings.Replace(good(5), "00005", "00006", 1),
		"other filler":   strings.Replace(good(5), filler(3), "xyz", 1),
		"tool error":     strings.Replace(good(5), `]}`, `],"isError":true}`, 1),
		"protocol error": fmt.Sprintf(`{"id":%d,"error":{"code":-32603,"message":"no"}}`, firstID+5),
		"no JSON":        "hello",
	}
	for name, line := range bad {
		if err := a.check([]byte(line), 100); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	// Another order of members is as good.
	if err := a.check([]byte(fmt.Sprintf(`{"id":%d,"result":{"content":[{"text":"00006%s","type":"text"}]}}`, firstID+6, filler(3))), 100); err != nil {
		t.Error(err)
	}
}

func TestFloors(t *testing.T) {
	at := func(peer string, ratio float64) row {
		return row{cell: cell{16, 5}, Peer: peer, Ratio: ratio}
	}
	big := cell{16, 100 << 10}
	r := report{
		Rows: []row{
			at(ours, 0), at("gosdk", 12), at("mcpgo", 2.5),
			{cell: big, Peer: ours},
		},
		Skipped: map[string]string{"typescript": "not available: npm is not installed"},
	}
	var out strings.Builder
	if r.check(&out) {
		t.Error("a ratio below its floor was accepted")
	}
	for _, want := range []string{
		"floor kept: gosdk at 5 B", "floor missed: mcpgo at 5 B, 16 in flight: 2.50×, want 3×",
		"floor skipped: typescript at 5 B", "floor skipped: typescript at 100 KB",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
	if (&report{}).check(&out) {
		t.Error("a report without our own figures was accepted")
	}
}
