package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgressOfAShortBuildIsNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := progress{out: &out, started: time.Now()}
		for i := range 9 {
			p.update(i, 9)
			time.Sleep(100 * time.Millisecond)
		}
		p.erase()
		if out.Len() > 0 {
			t.Errorf("it wrote %q", out.String())
		}
	})
}

func TestProgressOfALongBuildIsOneLineThatGoesAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := progress{out: &out, started: time.Now()}
		time.Sleep(time.Second)
		p.update(10, 400)
		p.update(20, 400) // too soon
		time.Sleep(100 * time.Millisecond)
		p.update(15, 400) // overtaken
		time.Sleep(100 * time.Millisecond)
		p.update(300, 400)
		p.erase()
		time.Sleep(time.Second)
		p.update(400, 400) // too late
		const want = "\r\x1b[KBuilding: 10 of 400 documents" +
			"\r\x1b[KBuilding: 20 of 400 documents" +
			"\r\x1b[KBuilding: 300 of 400 documents" +
			"\r\x1b[K"
		if got := out.String(); got != want {
			t.Errorf("it wrote %q, want %q", got, want)
		}
	})
}

func TestProgressFromEverywhere(t *testing.T) {
	var out bytes.Buffer
	p := progress{out: &out, started: time.Now().Add(-time.Hour)}
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() { p.update(i, 100) })
	}
	wg.Wait()
	p.erase()
	if got := out.String(); !strings.HasPrefix(got, "\r\x1b[KBuilding: ") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("it wrote %q", got)
	}
}

func TestNoProgressErasesNothing(t *testing.T) {
	var p progress
	p.update(1, 2)
	p.erase()
	if !p.drawn.IsZero() {
		t.Error("it was drawn")
	}
}

func TestOnlyTerminalsAreRewritten(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	for _, c := range []struct {
		name, term string
		w          io.Writer
		want       bool
	}{
		{"a device", "xterm", device, true},
		{"a dumb device", "dumb", device, false},
		{"a device without a name", "", device, false},
		{"a file", "xterm", file, false},
		{"a pipe", "xterm", w, false},
		{"a buffer", "xterm", new(bytes.Buffer), false},
	} {
		t.Setenv("TERM", c.term)
		if got := isTerminal(c.w); got != c.want {
			t.Errorf("isTerminal of %s is %v", c.name, got)
		}
	}
}
