package main

import (
	"bytes"
	"testing"
)

// The status line lists kinds of talks, each once, and is not there if there was
// nothing to talk about.
func TestProgress(t *testing.T) {
	for _, test := range []struct {
		phases []string
		want   string
	}{
		{nil, ""},
		{[]string{"main", "main"}, ""},
		{[]string{"main", "version", "main", "framing", "version"}, "talks so far: main, version, framing\n"},
	} {
		var out bytes.Buffer
		p := &progress{out: &out}
		for _, phase := range test.phases {
			p.tell(phase)
		}
		p.done("server")
		if got := out.String(); got != test.want {
			t.Errorf("%q is told as %q", test.phases, got)
		}
	}
	var out bytes.Buffer
	p := &progress{out: &out, several: true}
	p.tell("main")
	p.done("server")
	if got := out.String(); got != "server: done\n" {
		t.Errorf("one of several is told as %q", got)
	}
}
