package client

import (
	"encoding/base64"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"mcpworks/internal/rawjson"
	"mcpworks/internal/secret"
)

// A Transcript is a recorder that remembers. The zero value remembers 64 MiB of
// messages; what comes after that is only counted.
type Transcript struct {
	// MaxBytes stands in for the 64 MiB.
	MaxBytes int

	mu      sync.Mutex
	events  []Event
	bytes   int
	dropped int
}

// eventBytes is what an event costs beside its message.
const eventBytes = 128

// Record implements Recorder.
func (t *Transcript) Record(e Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	most := t.MaxBytes
	if most <= 0 {
		most = 64 << 20
	}
	size := len(e.Message) + len(e.Note) + eventBytes
	if t.bytes+size > most {
		t.dropped++
		return
	}
	t.bytes += size
	t.events = append(t.events, e)
}

// Events returns what was recorded so far, and how many events there was no
// room for.
func (t *Transcript) Events() (events []Event, dropped int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.events), t.dropped
}

// JSONLines is a recorder that writes one JSON object for each event. A message
// that is not UTF-8 is written in base64. The values of headers that hold
// credentials are never written. After the first error it writes nothing more.
func JSONLines(w io.Writer) Recorder { return &jsonLines{w: w} }

type jsonLines struct {
	w io.Writer

	mu  sync.Mutex
	err error
}

func (j *jsonLines) Record(e Event) {
	line := append(e.appendJSON(nil), '\n')
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		_, j.err = j.w.Write(line)
	}
}

func (e *Event) appendJSON(dst []byte) []byte {
	o := rawjson.Begin(dst)
	o.Float("ms", millis(e.At))
	o.String("kind", string(e.Kind))
	switch {
	case e.Message == nil:
	case utf8.Valid(e.Message):
		o.String("message", string(e.Message))
	default:
		o.String("base64", base64.StdEncoding.EncodeToString(e.Message))
	}
	o.NonEmpty("note", e.Note)
	if e.HTTP != nil {
		o.Set(e.HTTP.appendJSON(o.Name("http")))
	}
	if e.Exit != nil {
		o.Set(e.Exit.appendJSON(o.Name("exit")))
	}
	return o.End()
}

// millis keeps microseconds.
func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (x *Exchange) appendJSON(dst []byte) []byte {
	o := rawjson.Begin(dst)
	o.String("method", x.Method)
	o.String("url", x.URL)
	o.Set(appendHeader(o.Name("request"), x.Request))
	if x.Status != 0 {
		o.Int("status", int64(x.Status))
		o.Set(appendHeader(o.Name("response"), x.Response))
	}
	o.NonEmpty("proto", x.Proto)
	o.Float("tookMs", millis(x.Took))
	o.NonEmpty("error", x.Err)
	return o.End()
}

func appendHeader(dst []byte, header http.Header) []byte {
	o := rawjson.Begin(dst)
	for _, name := range slices.Sorted(maps.Keys(header)) {
		value := strings.Join(header[name], ", ")
		if isRevealing(name) {
			value = secret.Redacted
		}
		o.String(name, value)
	}
	return o.End()
}

func (x *Exit) appendJSON(dst []byte) []byte {
	o := rawjson.Begin(dst)
	o.Int("code", int64(x.Code))
	o.NonEmpty("signal", x.Signal)
	o.String("after", x.After.String())
	o.Float("tookMs", millis(x.Took))
	o.Bool("leftovers", x.Leftovers)
	return o.End()
}
