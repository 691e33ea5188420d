package launch_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime"
	"testing"

	"mcpworks/internal/rawjson"
	"mcpworks/packs/launch"
	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/state"
)

// stanza has characters of one to four bytes, and a length that no power of two
// is a multiple of.
const stanza = "größer als ein Megabyte — für 3 € 😀\n"

// largeSize is at least 200 MiB, in whole stanzas.
const largeSize = (200<<20/int64(len(stanza)) + 1) * int64(len(stanza))

// A heavy walker leaves a large report behind.
type heavy struct{ *walker }

func (h heavy) Execute(ctx context.Context, held *run.Held) (bool, error) {
	if held.Snapshot().State == state.FactsReady {
		text := io.LimitReader(&endless{}, largeSize)
		if _, err := held.WriteArtifactFrom(ctx, "reports/large.md", "", "W4", text); err != nil {
			return false, err
		}
	}
	return h.walker.Execute(ctx, held)
}

// endless is stanza after stanza.
type endless struct{ at int }

func (e *endless) Read(p []byte) (int, error) {
	for n := 0; n < len(p); {
		more := copy(p[n:], stanza[e.at:])
		n, e.at = n+more, (e.at+more)%len(stanza)
	}
	return len(p), nil
}

const mostHeap = 16 << 20

// S-43: 200 MiB come in pieces that make the file again. At no time has the heap
// grown by more than 16 MiB: neither by what stays after a piece, nor by that and
// all that answering the next one allocates.
func TestS43LargeArtifact(t *testing.T) {
	w := &walker{}
	h := newHouse(t, launch.Config{CallsPerMinute: 1_000_000}, w, false)
	s := h.open(t)
	run := s.start("one")
	executeHeavily(t, h, run)
	whole, recorded, pieces := sha256.New(), "", 0
	quiet := heap()
	kept := quiet.HeapAlloc // as of the last look
	for offset, complete := int64(0), false; !complete; pieces++ {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		piece := s.piece(run, "reports/large.md", offset)
		runtime.ReadMemStats(&after)
		if grown := int64(kept) - int64(quiet.HeapAlloc) + int64(after.TotalAlloc-before.TotalAlloc); grown > mostHeap {
			t.Fatalf("at %d the heap can have grown by %d bytes", offset, grown)
		}
		if pieces%25 == 0 {
			kept = heap().HeapAlloc
		}
		io.WriteString(whole, piece.content)
		recorded, offset, complete = piece.sha256, offset+int64(len(piece.content)), piece.next == ""
		if !complete && piece.next != fmt.Sprint(offset) || piece.encoding != "utf-8" { // a character cut in two would be longer in the answer
			t.Fatalf("the piece ends at %d, the next begins at %s, in %s", offset, piece.next, piece.encoding)
		}
	}
	if got := hex.EncodeToString(whole.Sum(nil)); got != recorded || pieces < 500 {
		t.Errorf("%d pieces have the sha256 %s, the file %s", pieces, got, recorded)
	}
}

// A piece is a part of a file, as get_artifact answers it.
type piece struct{ content, encoding, sha256, next string }

// piece reads a part of a file, and allocates little for it.
func (s *session) piece(run, name string, offset int64) piece {
	s.t.Helper()
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"get_artifact","arguments":{"run_id":"%s","artifact_name":"%s",`+
		`"offset":%d,"max_bytes":409600}}}`, run, name, offset))
	frame, err := s.conn.Read()
	if err != nil {
		s.t.Fatal(err)
	}
	answer := rawjson.Member(rawjson.Member(frame, "result"), "structuredContent")
	text := func(name string) string {
		value, ok := rawjson.String(rawjson.Member(answer, name))
		if !ok {
			s.t.Fatalf("the answer is %.300s", frame)
		}
		return value
	}
	return piece{text("content"), text("encoding"), text("sha256"), string(rawjson.Member(answer, "next_offset"))}
}

// executeHeavily has another launcher on the data directory execute a run.
func executeHeavily(t *testing.T, h *house, run string) {
	t.Helper()
	worker, err := launch.Open(t.Context(), launch.Config{DataDir: h.dir, NetworkAllowlist: []string{"github.com"}}, func(operate.Rooms) (operate.Executor, error) { return heavy{h.walker}, nil })
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- worker.Work(ctx) }()
	<-h.walker.resting(run)
	stop()
	if err := errors.Join(<-ended, worker.Close()); err != nil {
		t.Fatal(err)
	}
}

// heap is the state of the heap when everything that is not needed is gone.
func heap() (stats runtime.MemStats) {
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats
}
