package stdio_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/stdio"
)

// STD-1, BASE-12: the CR before LF is tolerated, so it is no part of the
// message and does not count against its limit.
func TestSTD1CarriageReturnDoesNotCount(t *testing.T) {
	got, _ := frames(t, strings.NewReader("1234\r\n"), stdio.Options{MaxMessage: 4})
	if !slices.Equal(got, []string{"1234"}) {
		t.Errorf("got %q", got)
	}
}

// A line cut off by a read error is not a message: only the end of the input
// may end a line without LF.
func TestReadErrorInsideALineIsNoMessage(t *testing.T) {
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader("1\n{\"cut"), iotest.ErrReader(broken))
	got, err := frames(t, in, stdio.Options{})
	if !slices.Equal(got, []string{"1"}) || !errors.Is(err, broken) {
		t.Errorf("frames %q, end %v", got, err)
	}
}

// A writer that takes less than it was given and says nothing breaks its own
// contract, but the next message must not be glued to half a line.
func TestSilentShortWriteIsFinal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn := stdio.New(silent(), shortWriter{}, stdio.Options{})
		_ = conn.Write(t.Context(), []byte("12345"))
		synctest.Wait()
		if err := conn.Write(t.Context(), []byte("6")); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("Write = %v", err)
		}
		_ = conn.Close(t.Context())
	})
}

type shortWriter struct{}

func (shortWriter) Write(p []byte) (int, error) { return len(p) - 1, nil }

// A line that never ends is known to be too long as soon as it is, and what
// follows its end is read as if nothing had been.
func TestEndlessLineIsReportedAtOnce(t *testing.T) {
	in, out := io.Pipe()
	conn := stdio.New(in, io.Discard, stdio.Options{MaxMessage: 70 << 10})
	defer conn.Close(t.Context())
	go func() {
		_, _ = io.WriteString(out, strings.Repeat("x", 256<<10))
	}()
	if _, err := conn.Read(); !errors.As(err, new(*transport.FrameError)) {
		t.Fatalf("Read = %v", err)
	}
	go func() {
		_, _ = io.WriteString(out, "the rest\n1\n")
		out.Close()
	}()
	if line, err := conn.Read(); string(line) != "1" || err != nil {
		t.Errorf("Read = %q, %v", line, err)
	}
	if _, err := conn.Read(); !errors.Is(err, io.EOF) {
		t.Errorf("Read = %v", err)
	}
}

// Raw lines are as they are, the empty ones too; only the newline is gone.
func TestRawLines(t *testing.T) {
	got, _ := frames(t, strings.NewReader("a\r\n\n \xef\xbb\xbf{}\nlast"), stdio.Options{Raw: true})
	if want := []string{"a\r", "", " \xef\xbb\xbf{}", "last"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
