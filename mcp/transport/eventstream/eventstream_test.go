package eventstream_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mcpworks/mcp/transport/eventstream"
)

// A record is all that a stream says: "type|data|id" for each event, then how to
// come back.
type record struct {
	Events []string
	LastID string
	Retry  time.Duration
}

const tooLong = "too long"

func event(kind, data, id string) string { return kind + "|" + data + "|" + id }

// read reads a stream to its end.
func read(in io.Reader, maxEvent int) (record, error) {
	r := eventstream.NewReader(in, maxEvent)
	got := record{Retry: -1}
	for {
		ev, err := r.Next()
		switch {
		case err == nil:
			got.Events = append(got.Events, event(ev.Type, string(ev.Data), ev.ID))
			continue
		case errors.Is(err, eventstream.ErrTooLong):
			got.Events = append(got.Events, tooLong)
			continue
		}
		got.LastID = r.LastID()
		if wait, said := r.Retry(); said {
			got.Retry = wait
		}
		return got, err
	}
}

func TestEvents(t *testing.T) {
	const limit = 20
	for name, test := range map[string]struct {
		text   string
		events []string
		lastID string
		retry  time.Duration // 0 means that none is said, -1 that it is zero
	}{
		"nothing":          {text: ""},
		"one":              {text: "data: a\n\n", events: []string{"message|a|"}},
		"CR":               {text: "data: a\rdata: b\r\r", events: []string{"message|a\nb|"}},
		"CRLF":             {text: "data: a\r\ndata: b\r\n\r\n", events: []string{"message|a\nb|"}},
		"all line ends":    {text: "data: a\rdata: b\ndata: c\r\n\n", events: []string{"message|a\nb\nc|"}},
		"LF CR is two":     {text: "data: a\n\rdata: b\n\r", events: []string{"message|a|", "message|b|"}},
		"byte order mark":  {text: "\ufeffdata: a\n\n", events: []string{"message|a|"}},
		"two marks":        {text: "\ufeff\ufeffdata: a\n\ndata: b\n\n", events: []string{"message|b|"}},
		"a mark later on":  {text: "data: a\n\ufeffdata: b\n\n", events: []string{"message|a|"}},
		"half a mark":      {text: "\xef\xbbdata: a\n\ndata: b\n\n", events: []string{"message|b|"}},
		"comments":         {text: ": hello\n:\ndata: a\n: between\n\n", events: []string{"message|a|"}},
		"only comments":    {text: ": alive\n\n: alive\n\n"},
		"no space":         {text: "data:a\n\n", events: []string{"message|a|"}},
		"two spaces":       {text: "data:  a\n\n", events: []string{"message| a|"}},
		"tab is kept":      {text: "data:\ta\n\n", events: []string{"message|\ta|"}},
		"colons":           {text: "data: a: b:\n\n", events: []string{"message|a: b:|"}},
		"no colon":         {text: "data\n\n", events: []string{"message||"}},
		"two without":      {text: "data\ndata\n\n", events: []string{"message|\n|"}},
		"empty data":       {text: "data:\n\n", events: []string{"message||"}},
		"a space before":   {text: " data: a\n\n"},
		"case matters":     {text: "Data: a\nDATA: b\n\n"},
		"unknown fields":   {text: "date: a\ndata: b\nfoo\n\n", events: []string{"message|b|"}},
		"type":             {text: "event: ping\ndata: a\n\ndata: b\n\n", events: []string{"ping|a|", "message|b|"}},
		"last type":        {text: "event: a\nevent: b\ndata: x\n\n", events: []string{"b|x|"}},
		"empty type":       {text: "event: a\nevent:\ndata: x\n\n", events: []string{"message|x|"}},
		"type alone":       {text: "event: a\n\ndata: x\n\n", events: []string{"message|x|"}},
		"id":               {text: "id: 1\ndata: a\n\ndata: b\n\n", events: []string{"message|a|1", "message|b|1"}, lastID: "1"},
		"id alone":         {text: "id: 1\n\n", lastID: "1"},
		"id taken back":    {text: "id: 1\ndata: a\n\nid\ndata: b\n\n", events: []string{"message|a|1", "message|b|"}},
		"id with NUL":      {text: "id: 1\ndata: a\n\nid: 2\x00\ndata: b\n\n", events: []string{"message|a|1", "message|b|1"}, lastID: "1"},
		"id with spaces":   {text: "id:  1 \ndata: a\n\n", events: []string{"message|a| 1 "}, lastID: " 1 "},
		"NUL elsewhere":    {text: "event: \x00\ndata: \x00\n\n", events: []string{"\x00|\x00|"}},
		"broken off":       {text: "data: a\n\nid: 2\ndata: b\n", events: []string{"message|a|"}},
		"no last line end": {text: "data: a\n\ndata: b", events: []string{"message|a|"}},
		"retry":            {text: "retry: 250\n\n", retry: 250 * time.Millisecond},
		"retry at once":    {text: "retry: 250\n", retry: 250 * time.Millisecond},
		"half a retry":     {text: "retry: 25"},
		"retry zero":       {text: "retry: 0\n\n", retry: -1},
		"last retry":       {text: "retry: 250\nretry: 100\n\n", retry: 100 * time.Millisecond},
		"leading zeros":    {text: "retry: 00100\n\n", retry: 100 * time.Millisecond},
		"bad retries":      {text: "retry: 7\nretry: -1\nretry: 1.5\nretry: 1e3\nretry:  1\nretry: 1 \nretry: ١\nretry:\nretry\n\n", retry: 7 * time.Millisecond},
		"endless retry":    {text: "retry: 99999999999999999999\n\n", retry: math.MaxInt64 / time.Millisecond * time.Millisecond},
		"not UTF-8":        {text: "data: \xff\xfe\n\n", events: []string{"message|\xff\xfe|"}},
		"at the limit":     {text: "data: 12345678901234567890\n\n", events: []string{"message|12345678901234567890|"}},
		"data too long":    {text: "data: 123456789012345678901\nid: 5\n\ndata: a\n\n", events: []string{tooLong, "message|a|5"}, lastID: "5"},
		"far too long":     {text: "id: 5\ndata: " + strings.Repeat("x", 10_000) + "\n\ndata: a\n\n", events: []string{tooLong, "message|a|5"}, lastID: "5"},
		"lines too long":   {text: "data: 1234567890\ndata: 1234567890\ndata: a\n\ndata: a\n\n", events: []string{tooLong, "message|a|"}},
		"lines fit":        {text: "data: 1234567890\ndata: 123456789\n\n", events: []string{"message|1234567890\n123456789|"}},
		"too many lines":   {text: strings.Repeat("data\n", 22) + "\n", events: []string{tooLong}},
		"type too long":    {text: "event: 123456789012345678901\ndata: a\n\n", events: []string{tooLong}},
		"id too long":      {text: "id: 123456789012345678901\ndata: a\n\n", events: []string{tooLong}},
		"long comment":     {text: ":" + strings.Repeat("x", 10_000) + "\ndata: a\n\n", events: []string{"message|a|"}},
		"long unknown":     {text: strings.Repeat("data", 10_000) + ": x\ndata: a\n\n", events: []string{"message|a|"}},
		"long and broken":  {text: "data: " + strings.Repeat("x", 10_000)},
	} {
		t.Run(name, func(t *testing.T) {
			want := record{Events: test.events, LastID: test.lastID, Retry: test.retry}
			switch test.retry {
			case 0:
				want.Retry = -1
			case -1:
				want.Retry = 0
			}
			got, err := read(strings.NewReader(test.text), limit)
			if diff := cmp.Diff(want, got); diff != "" || err != io.EOF {
				t.Errorf("%v, -want +got:\n%s", err, diff)
			}
			if diff := cmp.Diff(want, naive(test.text, limit)); diff != "" {
				t.Errorf("the naive reader, -want +got:\n%s", diff)
			}
		})
	}
}

func TestAnEventIsSentOffByItsLastLineEnd(t *testing.T) {
	for _, text := range []string{"data: a\n\n", "data: a\r\r", "data: a\r\n\r"} { // what may follow CR is not waited for
		in := io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.New("asked for more")))
		if ev, err := eventstream.NewReader(in, 100).Next(); err != nil || string(ev.Data) != "a" {
			t.Errorf("%q: %q, %v", text, ev.Data, err)
		}
	}
}

func TestDataBelongsToTheCaller(t *testing.T) {
	r := eventstream.NewReader(strings.NewReader("data: one\n\ndata: two\n\n"), 100)
	first, _ := r.Next()
	if _, err := r.Next(); err != nil || string(first.Data) != "one" {
		t.Errorf("%q, %v", first.Data, err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func TestFailuresAreHandedOn(t *testing.T) {
	broken := errors.New("broken pipe")
	in := io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(broken))
	got, err := read(in, 100)
	if diff := cmp.Diff([]string{"message|a|"}, got.Events); diff != "" || err != broken {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	if _, err := read(idle{}, 100); err != io.ErrNoProgress {
		t.Errorf("a reader that gives nothing: %v", err)
	}
	r := eventstream.NewReader(iotest.DataErrReader(strings.NewReader("data: a\n\n")), 100)
	if ev, err := r.Next(); err != nil || string(ev.Data) != "a" {
		t.Errorf("with an early end: %q, %v", ev.Data, err)
	}
	for range 2 {
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("after the end: %v", err)
		}
	}
}

// An endless is an event that never ends.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	if e.read > 64<<20 {
		return 0, io.ErrUnexpectedEOF
	}
	for i := range p {
		p[i] = "data: x"[min(e.read+i, 6)]
	}
	e.read += len(p)
	return len(p), nil
}

func TestAnEndlessEventTakesNoMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := read(&endless{}, 1<<20)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; err != io.ErrUnexpectedEOF || used > 10<<20 {
		t.Errorf("%d bytes for a limit of 1 MiB, %v", used, err)
	}
}

func TestIDsGoOnAcrossConnections(t *testing.T) {
	r := eventstream.NewReader(strings.NewReader("data: a\n\nid: 2\ndata: b\n\nid\n\n"), 100)
	r.Continue("1")
	for _, want := range []string{"1", "2"} {
		if ev, err := r.Next(); err != nil || ev.ID != want || r.LastID() != want {
			t.Errorf("id %q, last %q, %v; want %q", ev.ID, r.LastID(), err, want)
		}
	}
	if _, err := r.Next(); err != io.EOF || r.LastID() != "" {
		t.Errorf("last %q, %v; want none", r.LastID(), err)
	}
}

var lineEnd = regexp.MustCompile("\r\n|\r|\n")

// naive reads a whole stream by the letter of the standard, with the limit.
func naive(text string, maxEvent int) record {
	got := record{Retry: -1}
	lines := lineEnd.Split(strings.TrimPrefix(text, "\ufeff"), -1)
	var kind, data, id string
	long := false
	for _, line := range lines[:len(lines)-1] {
		if line == "" {
			got.LastID = id
			switch {
			case long:
				got.Events = append(got.Events, tooLong)
			case data != "":
				if kind == "" {
					kind = "message"
				}
				got.Events = append(got.Events, event(kind, strings.TrimSuffix(data, "\n"), id))
			}
			kind, data, long = "", "", false
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case name == "data":
			data += value + "\n"
			long = long || len(data) > maxEvent+1
		case name == "event" && len(value) > maxEvent, name == "id" && len(value) > maxEvent:
			long = true
		case name == "event":
			kind = value
		case name == "id" && !strings.Contains(value, "\x00"):
			id = value
		case name == "retry" && len(value) <= maxEvent && regexp.MustCompile("^[0-9]+$").MatchString(value):
			var ms float64
			_, _ = fmt.Sscan(value, &ms)
			got.Retry = time.Duration(min(ms, float64(math.MaxInt64/time.Millisecond))) * time.Millisecond
		}
	}
	return got
}

// chunks is a reader that gives its text in pieces of the given sizes.
type chunks struct {
	text  string
	sizes []byte
}

func (c *chunks) Read(p []byte) (int, error) {
	if c.text == "" {
		return 0, io.EOF
	}
	size := 1
	if len(c.sizes) > 0 {
		size, c.sizes = int(c.sizes[0]), c.sizes[1:]
	}
	n := copy(p[:min(size, len(p))], c.text)
	c.text = c.text[n:]
	return n, nil
}

func agree(t interface{ Fatalf(string, ...any) }, text string, sizes []byte, maxEvent int) {
	want := naive(text, maxEvent)
	for name, in := range map[string]io.Reader{
		"in one piece": strings.NewReader(text), "in pieces": &chunks{text, sizes}, "in bytes": &chunks{text: text},
	} {
		got, err := read(in, maxEvent)
		if diff := cmp.Diff(want, got); diff != "" || err != io.EOF {
			t.Fatalf("%q %s: %v, -want +got:\n%s", text, name, err, diff)
		}
	}
}

func TestReaderAgreesWithTheNaiveOne(t *testing.T) {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"data", "data:", "data: ", "event", "event:", "id", "id: ", "retry:", "retry: ", ":", " ", "\n", "\r", "\r\n", "\n\n", "\r\r",
			"\ufeff", "\xef", "\xbb", "\xbf", "\x00", "7", "99999999999999999999", "é", "\xff",
		}),
		rapid.StringN(0, 8, -1),
		rapid.Map(rapid.IntRange(0, 9000), func(n int) string { return strings.Repeat("y", n) }),
	)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "text"), "")
		sizes := rapid.SliceOfN(rapid.ByteRange(1, 255), 0, 40).Draw(t, "sizes")
		agree(t, text, sizes, rapid.SampledFrom([]int{1, 5, 30, 5000, 1 << 20}).Draw(t, "limit"))
	})
}

func FuzzReader(f *testing.F) {
	f.Add("\ufeffid: 1\r\nevent: a\rdata: b\n\n: c\nretry: 7\n\n", []byte{1, 2, 3}, 20)
	f.Add("data: "+strings.Repeat("x", 5000)+"\n\ndata\r\r", []byte{255, 1}, 100)
	f.Fuzz(func(t *testing.T, text string, sizes []byte, maxEvent int) {
		for i := range sizes {
			sizes[i] = max(sizes[i], 1)
		}
		agree(t, text, sizes, max(maxEvent&0xffff, 1))
	})
}
