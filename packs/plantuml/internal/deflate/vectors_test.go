package deflate

import (
	"bufio"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "ask the zlib of python3 again for the streams of testdata/vectors.txt")

// A vector is a line of testdata/vectors.txt.
type vector struct {
	recipe recipe
	bytes  int    // of the input
	stream int    // bytes of the stream
	sum    string // SHA-256 of the stream
}

func (v vector) String() string {
	return fmt.Sprintf("%s\t%d\t%d\t%s", v.recipe, v.bytes, v.stream, v.sum)
}

func sum(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

var vectorsFile = filepath.Join("testdata", "vectors.txt")

// readVectors reads the vectors. A line that is a recipe alone is one too, for
// -update to complete.
func readVectors(t *testing.T) (vectors []vector) {
	t.Helper()
	file, err := os.Open(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		r, figures, _ := strings.Cut(line, "\t")
		v := vector{recipe: recipe(r)}
		if _, err := fmt.Sscan(figures, &v.bytes, &v.stream, &v.sum); err != nil && !*update {
			t.Fatalf("%s: %s: %v", vectorsFile, line, err)
		}
		vectors = append(vectors, v)
	}
	return vectors
}

// TestInvariant17SameAsZlibRecorded compares with streams that stock zlib
// wrote, so that it needs no zlib here.
func TestInvariant17SameAsZlibRecorded(t *testing.T) {
	if *update {
		updateVectors(t)
	}
	for _, v := range readVectors(t) {
		text, err := v.recipe.make()
		if err != nil {
			t.Error(err)
			continue
		}
		if stream := Append(nil, text); len(text) != v.bytes || len(stream) != v.stream || sum(stream) != v.sum {
			t.Errorf("%s: %d bytes become %d, want %d and %d", v.recipe, len(text), len(stream), v.bytes, v.stream)
		}
	}
}

// updateVectors completes the lines of the file, keeping its comments.
func updateVectors(t *testing.T) {
	o := startOracle(t)
	old, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(old)) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && line[0] != '#' {
			r, _, _ := strings.Cut(line, "\t")
			text, err := recipe(r).make()
			if err != nil {
				t.Fatal(err)
			}
			stream := o.deflate(t, text)
			line = vector{recipe(r), len(text), len(stream), sum(stream)}.String()
		}
		b.WriteString(line + "\n")
	}
	if err := os.WriteFile(vectorsFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("streams of zlib %s", o.version)
}
