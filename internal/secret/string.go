// Package secret keeps tokens out of sight: a string that cannot print itself,
// and a redactor that takes secrets out of text made by others.
package secret

import (
	"fmt"
	"io"
	"log/slog"
)

// Redacted is what stands wherever a secret would have stood.
const Redacted = "[redacted]"

// String is a secret. Every way of printing, logging or marshalling it gives
// Redacted; only Reveal gives the value. The zero value holds nothing.
//
// The value sits behind a pointer because fmt does not ask the methods of an
// unexported field, and not any method for %p: it then prints an address.
// Two Strings therefore do not compare with ==.
type String struct {
	_     [0]func() // not comparable
	value *string
}

// New makes a secret of s. An empty s gives the zero value.
func New(s string) String {
	if s == "" {
		return String{}
	}
	return String{value: &s}
}

// Reveal returns the value, for the one place that has to send or compare it.
func (s String) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// IsZero reports whether s holds nothing.
func (s String) IsZero() bool { return s.value == nil }

// String returns Redacted.
func (String) String() string { return Redacted }

// GoString returns Redacted.
func (String) GoString() string { return Redacted }

// Format writes Redacted for every verb and flag.
func (String) Format(f fmt.State, _ rune) { io.WriteString(f, Redacted) }

// LogValue returns Redacted.
func (String) LogValue() slog.Value { return slog.StringValue(Redacted) }

// MarshalText returns Redacted; encoding/json and encoding/xml use it too.
func (String) MarshalText() ([]byte, error) { return []byte(Redacted), nil }
