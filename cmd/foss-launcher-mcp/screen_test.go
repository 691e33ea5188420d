package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// What stays is whole wherever the line that changes was, and that line is gone
// in the end.
func TestScreen(t *testing.T) {
	var out bytes.Buffer
	s := &screen{out: &out, rewrites: true}
	s.draw("one")
	s.draw("one")
	fmt.Fprintln(s, "stays")
	s.draw("two\nlines")
	s.draw("")
	fmt.Fprintln(s, "ends")
	const cutOff, whole = "\x1b[?7l", "\x1b[?7h"
	want := eraseLine + cutOff + "one" + whole + eraseLine + "stays\n" + eraseLine + cutOff + "two" + whole + eraseLine + cutOff + whole + "ends\n"
	if out.String() != want {
		t.Errorf("%q", out.String())
	}
}

// Where lines cannot be rewritten nothing but what stays is written.
func TestPlainScreen(t *testing.T) {
	var out bytes.Buffer
	s := newScreen(&out)
	s.draw("one")
	fmt.Fprintln(s, "stays")
	if out.String() != "stays\n" || strings.Contains(out.String(), "\x1b") {
		t.Errorf("%q", out.String())
	}
}
