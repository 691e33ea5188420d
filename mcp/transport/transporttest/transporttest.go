// Package transporttest is the one suite that every transport passes. Only
// tests import it.
package transporttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/mcp/transport"
)

// A Link makes the two ends of a fresh connection. It is called inside a
// bubble of testing/synctest, so all it uses must live in memory.
type Link func() (a, b transport.Conn)

// Run holds a transport to what transport.Conn promises. Holds is a number of
// bytes that is more than one direction takes before it blocks.
func Run(t *testing.T, link Link, holds int) {
	s := suite{link, holds}
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"MessagesArriveInOrder", s.order},
		{"MessagesOfAnySizeArrive", s.sizes},
		{"BothDirectionsAreIndependent", s.directions},
		{"WriteTakesACopy", s.copies},
		{"ReadGivesMemoryOfItsOwn", s.owned},
		{"QueuedMessagesComeBeforeEOF", s.eof},
		{"ConcurrentWritersNeverInterleave", s.writers},
		{"FullQueueBlocksUntilThereIsRoom", s.room},
		{"FullQueueBlocksUntilContextEnds", s.context},
		{"CloseFlushes", s.flush},
		{"CloseUnblocksRead", s.closeRead},
		{"CloseUnblocksWrite", s.closeWrite},
		{"UseAfterCloseIsErrClosed", s.afterClose},
		{"CloseTwiceIsHarmless", s.closeTwice},
		{"PeerGoneIsAnError", s.peerGone},
	} {
		t.Run(test.name, func(t *testing.T) { synctest.Test(t, test.run) })
	}
}

type suite struct {
	link  Link
	holds int
}

// brief ends a Close that has nobody to flush to.
func brief(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	t.Cleanup(cancel)
	return ctx
}

func (s suite) open(t *testing.T) (a, b transport.Conn) {
	a, b = s.link()
	t.Cleanup(func() {
		_ = a.Close(brief(t)) // a test may have closed it
		_ = b.Close(brief(t))
	})
	return a, b
}

func write(t *testing.T, c transport.Conn, msg string) {
	t.Helper()
	if err := c.Write(t.Context(), []byte(msg)); err != nil {
		t.Errorf("Write: %v", err)
	}
}

func read(t *testing.T, c transport.Conn) string {
	t.Helper()
	frame, err := c.Read()
	if err != nil {
		t.Errorf("Read: %v", err)
	}
	return string(frame)
}

func want(t *testing.T, c transport.Conn, msg string) {
	t.Helper()
	if got := read(t, c); got != msg {
		t.Errorf("Read = %.80q, want %.80q", got, msg)
	}
}

func (s suite) order(t *testing.T) {
	a, b := s.open(t)
	const count = 1000
	go func() {
		for i := range count {
			write(t, a, fmt.Sprintf(`{"n":%d}`, i))
		}
	}()
	for i := range count {
		want(t, b, fmt.Sprintf(`{"n":%d}`, i))
	}
}

func (s suite) sizes(t *testing.T) {
	a, b := s.open(t)
	for _, size := range []int{3, 4095, 4096, 65535, 65536, 65537, 1 << 20, 4<<20 - 2} {
		msg := `"` + strings.Repeat("x", size-2) + `"`
		go write(t, a, msg)
		want(t, b, msg)
	}
}

func (s suite) directions(t *testing.T) {
	a, b := s.open(t)
	for range 3 {
		write(t, a, `"to b"`)
		write(t, b, `"to a"`)
	}
	for range 3 {
		want(t, a, `"to a"`)
		want(t, b, `"to b"`)
	}
}

func (s suite) copies(t *testing.T) {
	a, b := s.open(t)
	msg := []byte(`"one"`)
	if err := a.Write(t.Context(), msg); err != nil {
		t.Fatal(err)
	}
	copy(msg, `"two"`)
	want(t, b, `"one"`)
}

func (s suite) owned(t *testing.T) {
	a, b := s.open(t)
	write(t, a, `"first"`)
	write(t, a, `"other"`)
	first, err := b.Read()
	if err != nil {
		t.Fatal(err)
	}
	want(t, b, `"other"`)
	if string(first) != `"first"` {
		t.Errorf("the first frame became %q", first)
	}
}

func (s suite) eof(t *testing.T) {
	a, b := s.open(t)
	write(t, a, `1`)
	write(t, a, `2`)
	closed := make(chan error, 1)
	go func() { closed <- a.Close(t.Context()) }()
	want(t, b, `1`)
	synctest.Wait()
	want(t, b, `2`)
	for range 2 {
		if frame, err := b.Read(); !errors.Is(err, io.EOF) {
			t.Errorf("Read = %q, %v, want EOF", frame, err)
		}
	}
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
}

func (s suite) writers(t *testing.T) {
	a, b := s.open(t)
	const writers, each = 16, 50
	for w := range writers {
		go func() {
			for i := range each {
				msg := fmt.Sprintf(`[%d,%d,"%s"]`, w, i, strings.Repeat(string(rune('a'+w)), 200+37*i))
				write(t, a, msg)
			}
		}()
	}
	next := make([]int, writers)
	for range writers * each {
		frame := read(t, b)
		var w, i int
		if _, err := fmt.Sscanf(frame, "[%d,%d,", &w, &i); err != nil {
			t.Fatalf("frame %.80q: %v", frame, err)
		}
		full := fmt.Sprintf(`[%d,%d,"%s"]`, w, i, strings.Repeat(string(rune('a'+w)), 200+37*i))
		if frame != full || i != next[w] {
			t.Fatalf("writer %d message %d: got %.80q", w, next[w], frame)
		}
		next[w]++
	}
}

// fill writes to a peer that does not read until a write blocks, and returns
// how many messages were taken and what becomes of the one that was not.
func (s suite) fill(ctx context.Context, t *testing.T, c transport.Conn, msg []byte) (taken int, blocked <-chan error) {
	results := make(chan error)
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	go func() {
		for {
			select {
			case results <- c.Write(ctx, msg):
			case <-done:
				return
			}
		}
	}()
	for {
		synctest.Wait()
		select {
		case err := <-results:
			if err != nil {
				t.Fatalf("write %d: %v", taken, err)
			}
			if taken++; taken*len(msg) > s.holds {
				t.Fatalf("%d messages of %d bytes were taken for a peer that does not read", taken, len(msg))
			}
		default:
			return taken, results
		}
	}
}

func (s suite) room(t *testing.T) {
	a, b := s.open(t)
	msg := bytes.Repeat([]byte("7"), 64<<10)
	taken, blocked := s.fill(t.Context(), t, a, msg)
	time.Sleep(time.Hour) // of the bubble: nothing but room helps
	synctest.Wait()
	select {
	case err := <-blocked:
		t.Fatalf("a write to a full queue returned %v", err)
	default:
	}
	for range taken {
		want(t, b, string(msg))
	}
	synctest.Wait()
	select {
	case err := <-blocked:
		if err != nil {
			t.Errorf("write after there was room: %v", err)
		}
	default:
		t.Error("the writer is still blocked after everything was read")
	}
}

func (s suite) context(t *testing.T) {
	a, b := s.open(t)
	ctx, cancel := context.WithCancel(t.Context())
	msg := bytes.Repeat([]byte("7"), 64<<10)
	taken, blocked := s.fill(ctx, t, a, msg)
	cancel()
	if err := <-blocked; !errors.Is(err, context.Canceled) {
		t.Errorf("blocked write returned %v", err)
	}
	for range taken { // the connection is as good as before
		want(t, b, string(msg))
	}
	go write(t, a, `"later"`)
	for got := ""; got != `"later"`; {
		if got = read(t, b); got != `"later"` && got != string(msg) {
			t.Fatalf("after a write that was given up: %.80q", got)
		}
	}
}

func (s suite) flush(t *testing.T) {
	a, b := s.open(t)
	var all []string
	for i := range 10 {
		all = append(all, fmt.Sprintf(`"%d"`, i))
		write(t, a, all[i])
	}
	go func() {
		if err := a.Close(t.Context()); err != nil {
			t.Errorf("Close: %v", err)
		}
	}()
	var got []string
	for {
		frame, err := b.Read()
		if err != nil {
			break
		}
		got = append(got, string(frame))
	}
	if !slices.Equal(got, all) {
		t.Errorf("before the end came %q", got)
	}
}

func (s suite) closeRead(t *testing.T) {
	a, _ := s.open(t)
	failed := make(chan error, 1)
	go func() {
		_, err := a.Read()
		failed <- err
	}()
	synctest.Wait()
	_ = a.Close(brief(t))
	if err := <-failed; err == nil {
		t.Error("Read returned a frame")
	}
}

func (s suite) closeWrite(t *testing.T) {
	a, _ := s.open(t)
	_, blocked := s.fill(t.Context(), t, a, bytes.Repeat([]byte("7"), 64<<10))
	go func() { _ = a.Close(brief(t)) }()
	if err := <-blocked; !errors.Is(err, transport.ErrClosed) {
		t.Errorf("blocked write returned %v, want ErrClosed", err)
	}
}

func (s suite) afterClose(t *testing.T) {
	a, _ := s.open(t)
	_ = a.Close(brief(t))
	if err := a.Write(t.Context(), []byte(`1`)); !errors.Is(err, transport.ErrClosed) {
		t.Errorf("Write = %v, want ErrClosed", err)
	}
	if frame, err := a.Read(); err == nil {
		t.Errorf("Read = %q", frame)
	}
}

func (s suite) closeTwice(t *testing.T) {
	a, b := s.open(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { _ = a.Close(brief(t)) })
		all.Go(func() { _ = b.Close(brief(t)) })
	}
	all.Wait()
}

func (s suite) peerGone(t *testing.T) {
	a, b := s.open(t)
	_ = b.Close(brief(t))
	var err error
	for range 1000 { // the first may still be queued
		if err = a.Write(t.Context(), []byte(`1`)); err != nil {
			break
		}
		synctest.Wait()
	}
	if err == nil || errors.Is(err, transport.ErrClosed) {
		t.Errorf("writing to a peer that is gone: %v", err)
	}
	if _, err := a.Read(); !errors.Is(err, io.EOF) {
		t.Errorf("reading from a peer that is gone: %v, want EOF", err)
	}
}
