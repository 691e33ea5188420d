package deflate

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"flag"
	"io"
	"os/exec"
	"path/filepath"
	"testing"
)

var texts = flag.Int("texts", 4000, "random texts to compare with zlib; one in a hundred is large")

// An oracle is a running python3 that compresses with its own zlib.
type oracle struct {
	in      io.Writer
	out     *bufio.Reader
	version string
}

// startOracle skips the test if there is no python3 with zlib.
func startOracle(t *testing.T) *oracle {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed: no independent zlib to compare with")
	}
	if out, err := exec.CommandContext(t.Context(), python, "-c", "import zlib").CombinedOutput(); err != nil {
		t.Skipf("python3 has no zlib to compare with: %v: %s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), python, filepath.Join("testdata", "zlib.py"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	o := &oracle{in: in, out: bufio.NewReader(out)}
	o.version = string(o.read(t))
	return o
}

func (o *oracle) deflate(t *testing.T, text []byte) []byte {
	t.Helper()
	message := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	if _, err := o.in.Write(append(message, text...)); err != nil {
		t.Fatal(err)
	}
	return o.read(t)
}

func (o *oracle) read(t *testing.T) []byte {
	t.Helper()
	var length [4]byte
	if _, err := io.ReadFull(o.out, length[:]); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, binary.BigEndian.Uint32(length[:]))
	if _, err := io.ReadFull(o.out, answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// isStock tells whether the oracle's zlib writes the recorded streams. Some
// systems come with a faster relative of zlib whose matches differ.
func (o *oracle) isStock(t *testing.T) bool {
	t.Helper()
	for _, v := range readVectors(t) {
		text, err := v.recipe.make()
		if err != nil {
			t.Fatal(err)
		}
		if len(text) < 10_000 && sum(o.deflate(t, text)) != v.sum {
			return false
		}
	}
	return true
}

func TestSameAsZlibLive(t *testing.T) {
	o := startOracle(t)
	if !o.isStock(t) {
		t.Skipf("the zlib %s of python3 is not stock zlib: it does not write the recorded streams", o.version)
	}
	n := *texts
	if testing.Short() {
		n /= 10
	}
	random := source(1)
	for i := range n {
		size := 2000
		switch {
		case i%100 == 0:
			size = 60_000
		case i%3 == 0:
			size = 60
		}
		r := randomRecipe(&random, size)
		text, err := r.make()
		if err != nil {
			t.Fatal(err)
		}
		got, want := Append(nil, text), o.deflate(t, text)
		if !bytes.Equal(got, want) {
			t.Fatalf("%s\nis %d bytes, zlib %s makes it %d: they differ from byte %d on",
				r, len(got), o.version, len(want), commonPrefix(append(got, make([]byte, len(want))...), want))
		}
	}
}
