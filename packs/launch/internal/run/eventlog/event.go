package eventlog

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/packs/launch/internal/artifact"
)

// TimeLayout is how times are written (0).
const TimeLayout = "2006-01-02T15:04:05.000Z"

// Time writes a time as events have it.
func Time(t time.Time) string { return t.UTC().Format(TimeLayout) }

// An Event is one line of the log (5.3).
type Event struct {
	Hash    string          `json:"event_hash"`
	ID      string          `json:"event_id"`
	Fence   int64           `json:"fence"`
	Parent  string          `json:"parent_span_id,omitempty"`
	Payload json.RawMessage `json:"payload"`
	Prev    string          `json:"prev_hash"`
	RunID   string          `json:"run_id"`
	Seq     int64           `json:"seq"`
	Span    string          `json:"span_id"`
	Trace   string          `json:"trace_id"`
	Time    string          `json:"ts"`
	Type    string          `json:"type"`
}

// A Draft is what a writer says; the log adds the rest.
type Draft struct {
	Type    string
	Payload any    // an object without fractions; nil is an empty one
	Span    string // empty: a new one
	Parent  string
	// Audit marks an event that changes no state. It may reach the disk up to
	// 50 ms after it was appended.
	Audit bool
}

const hashOpening = `{"event_hash":"`

// hashOf is the hash of an event: that of its canonical JSON without the hash.
func (e *Event) hashOf() string {
	sum := sha256.Sum256(e.members(rawjson.Begin(nil)))
	return hex.EncodeToString(sum[:])
}

// line is the canonical JSON of the event with the hash, and the line end.
func (e *Event) line() []byte {
	object := rawjson.Begin(nil)
	object.String("event_hash", e.Hash)
	return append(e.members(object), '\n')
}

// members writes all but the hash, sorted by name.
func (e *Event) members(object rawjson.ObjectWriter) []byte {
	object.String("event_id", e.ID)
	object.Int("fence", e.Fence)
	object.NonEmpty("parent_span_id", e.Parent)
	object.Raw("payload", e.Payload)
	object.String("prev_hash", e.Prev)
	object.String("run_id", e.RunID)
	object.Int("seq", e.Seq)
	object.String("span_id", e.Span)
	object.String("trace_id", e.Trace)
	object.String("ts", e.Time)
	object.String("type", e.Type)
	return object.End()
}

// parse reads a line (without its end) whose hash is right. The hash is taken
// over the bytes as they are, so no change of any byte passes.
func parse(line []byte) (Event, error) {
	rest, ok := bytes.CutPrefix(line, []byte(hashOpening))
	if !ok || len(rest) < 66 || string(rest[64:66]) != `",` {
		return Event{}, errors.New("the line does not begin with a hash")
	}
	sum := sha256.Sum256(append([]byte("{"), rest[66:]...))
	if hex.EncodeToString(sum[:]) != string(rest[:64]) {
		return Event{}, errors.New("the hash is wrong")
	}
	var event Event
	if err := json.Unmarshal(line, &event); err != nil {
		return Event{}, fmt.Errorf("the line is no event: %w", err)
	}
	return event, nil
}

// payloadOf is the canonical JSON of a payload, redacted.
func payloadOf(payload any, redact func(any) any) (json.RawMessage, error) {
	if payload == nil {
		return json.RawMessage("{}"), nil
	}
	text, err := artifact.Canonical(payload)
	if err != nil {
		return nil, err
	}
	value, err := rawjson.Decode(text)
	if err != nil {
		return nil, err
	}
	if redact != nil {
		value = redact(value)
	}
	if _, ok := value.(map[string]any); !ok {
		return nil, errors.New("a payload has to be an object")
	}
	if err := refuseFractions(value); err != nil {
		return nil, err
	}
	return rawjson.Append(nil, value)
}

// refuseFractions keeps floats out of what is hashed (0).
func refuseFractions(value any) error {
	switch value := value.(type) {
	case json.Number:
		if strings.ContainsAny(string(value), ".eE") {
			return fmt.Errorf("a payload has to do without the fraction %s", value)
		}
	case []any:
		for _, element := range value {
			if err := refuseFractions(element); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, member := range value {
			if err := refuseFractions(member); err != nil {
				return err
			}
		}
	}
	return nil
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// newID is evt_ and a ULID: 48 bits of time, 80 random ones.
func newID(now time.Time, random io.Reader) (string, error) {
	var drawn [10]byte
	if _, err := io.ReadFull(random, drawn[:]); err != nil {
		return "", fmt.Errorf("draw an event id: %w", err)
	}
	high := uint64(now.UnixMilli())<<16 | uint64(binary.BigEndian.Uint16(drawn[:]))
	low := binary.BigEndian.Uint64(drawn[2:])
	var text [26]byte
	for i := len(text) - 1; i >= 0; i-- {
		text[i] = crockford[low&31]
		low = low>>5 | high<<59
		high >>= 5
	}
	return "evt_" + string(text[:]), nil
}

// newHex is n random bytes in hexadecimal.
func newHex(n int, random io.Reader) (string, error) {
	bits := make([]byte, n)
	if _, err := io.ReadFull(random, bits); err != nil {
		return "", fmt.Errorf("draw an id: %w", err)
	}
	return hex.EncodeToString(bits), nil
}
