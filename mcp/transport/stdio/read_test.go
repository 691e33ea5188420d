package stdio_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/stdio"
)

// tooLong stands for a frame that was dropped.
const tooLong = "<too long>"

// frames reads everything there is, and returns the error at the end.
func frames(t testing.TB, in io.Reader, opts stdio.Options) ([]string, error) {
	t.Helper()
	conn := stdio.New(in, io.Discard, opts)
	defer func() {
		if err := conn.Close(t.Context()); err != nil {
			t.Errorf("Close: %v", err)
		}
	}()
	return readFrames(conn)
}

func readFrames(conn transport.Conn) (all []string, err error) {
	for {
		frame, err := conn.Read()
		var long *transport.FrameError
		switch {
		case errors.As(err, &long):
			all = append(all, tooLong)
		case err != nil:
			return all, err
		default:
			all = append(all, string(frame))
		}
	}
}

// readers are ways in which the same bytes can arrive.
var readers = map[string]func(io.Reader) io.Reader{
	"at once":            func(r io.Reader) io.Reader { return r },
	"byte by byte":       iotest.OneByteReader,
	"half by half":       iotest.HalfReader,
	"with the last data": iotest.DataErrReader,
}

func TestSTD1Lines(t *testing.T) {
	long := strings.Repeat("x", 70<<10)
	for name, test := range map[string]struct {
		input string
		want  []string
	}{
		"lines":                   {"1\n2\n", []string{"1", "2"}},
		"CR before LF":            {"1\r\n2\r\n", []string{"1", "2"}},
		"blank lines":             {"\n\r\n \t\n1\n\n\n2\n \n", []string{"1", "2"}},
		"white space around":      {" \t1 \r\n", []string{"1"}},
		"no LF at the end":        {"1\n2", []string{"1", "2"}},
		"CR and no LF at the end": {"1\n2\r", []string{"1", "2"}},
		"blanks at the end":       {"1\n  ", []string{"1"}},
		"nothing":                 {"", nil},
		"only blank lines":        {"\n\r\n\n", nil},
		"a bare CR is no end":     {"1\r2\n", []string{"1\r2"}},
		"many CRs":                {"1\r\r\r\n", []string{"1"}},
		"NUL":                     {"\x00\n1\n", []string{"\x00", "1"}},
		"longer than the buffer":  {long + "\n" + long + "\r\n" + long, []string{long, long, long}},
	} {
		for how, reader := range readers {
			t.Run(name+", "+how, func(t *testing.T) {
				got, err := frames(t, reader(strings.NewReader(test.input)), stdio.Options{})
				if diff := cmp.Diff(test.want, got); diff != "" || !errors.Is(err, io.EOF) {
					t.Errorf("end %v, -want +got:\n%s", err, diff)
				}
			})
		}
	}
}

func TestSTD4OverlongLineIsDroppedToItsEnd(t *testing.T) {
	for _, limit := range []int{1, 10, 64<<10 - 1, 64 << 10, 64<<10 + 1, 100_000} {
		exact := strings.Repeat("x", limit)
		shorter, longer, huge := exact[1:], exact+"x", strings.Repeat(exact, 2)+"x"
		for name, test := range map[string]struct {
			input string
			want  []string
		}{
			"one less":                   {shorter + "\n1\n", []string{shorter, "1"}},
			"one less and CR":            {shorter + "\r\n1\n", []string{shorter, "1"}},
			"exact":                      {exact + "\n1\n", []string{exact, "1"}},
			"exact at the end":           {exact, []string{exact}},
			"one more":                   {longer + "\n1\n", []string{tooLong, "1"}},
			"one more and CR":            {longer + "\r\n1\n", []string{tooLong, "1"}},
			"one more at the end":        {longer, []string{tooLong}},
			"one more, CRLF at the end":  {longer + "\r\n", []string{tooLong}},
			"far too long":               {huge + "\n1\n", []string{tooLong, "1"}},
			"far too long at the end":    {"1\n" + huge, []string{"1", tooLong}},
			"twice":                      {huge + "\n" + longer + "\n1\n", []string{tooLong, tooLong, "1"}},
			"twice with blanks between":  {longer + "\n\n\r\n" + longer + "\n1", []string{tooLong, tooLong, "1"}},
			"one dropped, one as before": {huge + "\n" + exact + "\n", []string{tooLong, exact}},
		} {
			want := slices.DeleteFunc(slices.Clone(test.want), func(s string) bool { return s == "" })
			for how, reader := range readers {
				if limit > 64<<10+1 && how == "byte by byte" {
					continue // says nothing new, slowly
				}
				t.Run(fmt.Sprintf("%d, %s, %s", limit, name, how), func(t *testing.T) {
					got, err := frames(t, reader(strings.NewReader(test.input)), stdio.Options{MaxMessage: limit})
					if !slices.Equal(want, got) || !errors.Is(err, io.EOF) {
						t.Errorf("end %v, want %.60q, got %.60q", err, want, got)
					}
				})
			}
		}
	}
}

func TestBASE12DefaultLimitIs4MiB(t *testing.T) {
	exact := strings.Repeat("x", 4<<20)
	got, err := frames(t, strings.NewReader(exact+"\nx"+exact+"\n1\n"), stdio.Options{})
	if !slices.Equal(got, []string{exact, tooLong, "1"}) || !errors.Is(err, io.EOF) {
		t.Errorf("%d frames, end %v", len(got), err)
	}
}

// A dropped line costs no memory, however long it is.
func TestSTD4DroppedLineIsNotKept(t *testing.T) {
	const length = 64 << 20
	in := io.MultiReader(io.LimitReader(zeros{}, length), strings.NewReader("\n1\n"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, _ := frames(t, in, stdio.Options{MaxMessage: 1 << 10})
	runtime.ReadMemStats(&after)
	if !slices.Equal(got, []string{tooLong, "1"}) {
		t.Errorf("got %.60q", got)
	}
	if cost := after.TotalAlloc - before.TotalAlloc; cost > 2<<20 {
		t.Errorf("reading over %d bytes cost %d", length, cost)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestReadErrorIsFinal(t *testing.T) {
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader("1\n2\n"), iotest.ErrReader(broken))
	got, err := frames(t, in, stdio.Options{})
	if !slices.Equal(got, []string{"1", "2"}) || !errors.Is(err, broken) {
		t.Errorf("frames %q, end %v", got, err)
	}
	in = io.MultiReader(strings.NewReader("1\n"), iotest.ErrReader(broken))
	conn := stdio.New(in, io.Discard, stdio.Options{})
	defer conn.Close(t.Context())
	if frame, err := conn.Read(); string(frame) != "1" || err != nil {
		t.Errorf("Read = %q, %v", frame, err)
	}
	for range 3 {
		if _, err := conn.Read(); !errors.Is(err, broken) {
			t.Errorf("Read = %v", err)
		}
	}
}

// naive is what Read should do, in the plainest way.
func naive(input []byte, limit int) (all []string) {
	for line := range bytes.SplitAfterSeq(input, []byte("\n")) {
		if rest, ended := bytes.CutSuffix(line, []byte("\n")); ended {
			line = bytes.TrimSuffix(rest, []byte("\r"))
		}
		switch trimmed := bytes.Trim(line, " \t\r\n"); {
		case len(line) > limit:
			all = append(all, tooLong)
		case len(trimmed) > 0:
			all = append(all, string(trimmed))
		}
	}
	return all
}

// chunks gives the input in pieces of the lengths in sizes, then one by one;
// a zero is a read of nothing.
type chunks struct {
	input []byte
	sizes []byte
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.input) == 0 {
		return 0, io.EOF
	}
	size := 1
	if len(c.sizes) > 0 {
		size, c.sizes = int(c.sizes[0]), c.sizes[1:]
	}
	n := copy(p, c.input[:min(size, len(c.input))])
	c.input = c.input[n:]
	return n, nil
}

func checkChunks(t testing.TB, input, sizes []byte, limit int) {
	t.Helper()
	if len(sizes) > 0 && bytes.Count(sizes, []byte{0}) > 50 { // io.ErrNoProgress is right then
		return
	}
	want := naive(input, limit)
	got, err := frames(t, &chunks{input, sizes}, stdio.Options{MaxMessage: limit})
	if diff := cmp.Diff(want, got); diff != "" || !errors.Is(err, io.EOF) {
		t.Fatalf("input %q, limit %d, end %v, -want +got:\n%s", input, limit, err, diff)
	}
}

func TestAnyChunkingGivesTheSameFrames(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"\n", "\r\n", "\r", " ", "a", "bc", "{}", strings.Repeat("x", 20)})).Draw(r, "parts")
		sizes := rapid.SliceOf(rapid.ByteRange(0, 9)).Draw(r, "sizes")
		checkChunks(t, []byte(strings.Join(parts, "")), sizes, rapid.IntRange(1, 30).Draw(r, "limit"))
	})
}

func FuzzChunks(f *testing.F) {
	f.Add([]byte("{\"a\":1}\r\n\n[]\nlast"), []byte{3, 0, 1, 200}, 8)
	f.Add([]byte("0123456789\n1\n"), []byte{255}, 9)
	f.Fuzz(func(t *testing.T, input, sizes []byte, limit int) {
		checkChunks(t, input, sizes, 1+limit&0xff)
	})
}
