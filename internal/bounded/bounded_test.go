package bounded_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"mcpworks/internal/bounded"

	"pgregory.net/rapid"
)

func TestReadStopsAtMax(t *testing.T) {
	for _, tt := range []struct {
		in   string
		max  int64
		want string
		cut  bool
	}{
		{"", 0, "", false},
		{"", 5, "", false},
		{"hello", 5, "hello", false},
		{"hello", 4, "hell", true},
		{"hello", 6, "hello", false},
		{"hello", 0, "", true},
		{"hello", -1, "", true},
	} {
		for name, r := range map[string]io.Reader{
			"plain":     strings.NewReader(tt.in),
			"one byte":  iotest.OneByteReader(strings.NewReader(tt.in)),
			"early EOF": iotest.DataErrReader(strings.NewReader(tt.in)),
		} {
			data, cut, err := bounded.Read(r, tt.max)
			if string(data) != tt.want || cut != tt.cut || err != nil {
				t.Errorf("%s: Read(%q, %d) = %q, %v, %v; want %q, %v, nil", name, tt.in, tt.max, data, cut, err, tt.want, tt.cut)
			}
		}
	}
}

func TestReadBuffersNoMoreThanMax(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size, max := rapid.IntRange(0, 40_000).Draw(t, "size"), rapid.IntRange(0, 40_000).Draw(t, "max")
		in := bytes.Repeat([]byte("abcdefg"), size/7+1)[:size]
		r := bytes.NewReader(in)
		data, cut, err := bounded.Read(r, int64(max))
		if err != nil || cut != (size > max) || !bytes.Equal(data, in[:min(size, max)]) {
			t.Fatalf("Read of %d bytes: %d, %v, %v", size, len(data), cut, err)
		}
		if cap(data) > max {
			t.Fatalf("buffer of %d bytes for a max of %d", cap(data), max)
		}
		if taken := size - r.Len(); taken > max+1 {
			t.Fatalf("took %d bytes for a max of %d", taken, max)
		}
	})
}

func TestReadAllocatesWithWhatArrives(t *testing.T) {
	data, _, err := bounded.Read(strings.NewReader("small"), 1<<62)
	if err != nil || cap(data) > 1<<16 {
		t.Errorf("a buffer of %d bytes for 5, %v", cap(data), err)
	}
}

func TestReadGivesWhatArrivedBeforeAFailure(t *testing.T) {
	broken := errors.New("broken pipe")
	r := io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken))
	data, cut, err := bounded.Read(r, 10)
	if string(data) != "half" || cut || err != broken {
		t.Errorf("Read = %q, %v, %v", data, cut, err)
	}
	// A failure after max bytes costs the caller nothing.
	r = io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken))
	data, cut, err = bounded.Read(r, 4)
	if string(data) != "half" || !cut || err != nil {
		t.Errorf("Read = %q, %v, %v", data, cut, err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func TestReadGivesUpWithoutProgress(t *testing.T) {
	if _, _, err := bounded.Read(idle{}, 10); err != io.ErrNoProgress {
		t.Errorf("error is %v", err)
	}
}

func TestBytesCutsBetweenCharacters(t *testing.T) {
	for _, tt := range []struct {
		in   string
		max  int
		want string
	}{
		{"", 0, ""},
		{"abc", 3, "abc"},
		{"abc", 2, "ab…"},
		{"abc", 0, "…"},
		{"abc", -1, "…"},
		{"aé", 2, "a…"},
		{"a😀b", 4, "a…"},
		{"a😀b", 5, "a😀…"},
		{"\x80\x80\x80\x80\x80\x80", 5, "\x80\x80\x80\x80\x80…"},
	} {
		if got := bounded.Bytes(tt.in, tt.max, "…"); got != tt.want {
			t.Errorf("Bytes(%q, %d) = %q, want %q", tt.in, tt.max, got, tt.want)
		}
	}
}

func TestBytesIsValidAndWithinItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, max := rapid.String().Draw(t, "s"), rapid.IntRange(0, 40).Draw(t, "max")
		got := bounded.Bytes(s, max, "<cut>")
		if len(s) <= max {
			if got != s {
				t.Fatalf("changed %q to %q", s, got)
			}
			return
		}
		kept, ok := strings.CutSuffix(got, "<cut>")
		if !ok || !strings.HasPrefix(s, kept) || len(kept) > max || len(kept) <= max-utf8.UTFMax || !utf8.ValidString(got) {
			t.Fatalf("Bytes(%q, %d) = %q", s, max, got)
		}
	})
}

func TestRunesKeepsTheFirst(t *testing.T) {
	for _, tt := range []struct {
		in   string
		max  int
		want string
	}{
		{"", 0, ""},
		{"abc", 0, ""},
		{"abc", -1, ""},
		{"最大的", 2, "最大"},
		{"ab😀c", 3, "ab😀"},
		{"\xff\xffa", 2, "\xff\xff"},
	} {
		if got := bounded.Runes(tt.in, tt.max); got != tt.want {
			t.Errorf("Runes(%q, %d) = %q, want %q", tt.in, tt.max, got, tt.want)
		}
	}
}

func TestRunesIsValidAndWithinItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, max := rapid.String().Draw(t, "s"), rapid.IntRange(0, 40).Draw(t, "max")
		got := bounded.Runes(s, max)
		want := []rune(s)
		want = want[:min(max, len(want))]
		if got != string(want) || !utf8.ValidString(got) {
			t.Fatalf("Runes(%q, %d) = %q", s, max, got)
		}
	})
}
