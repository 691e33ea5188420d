package selection

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// Chains that grow side by side keep their bytes apart.
func TestBlocks(t *testing.T) {
	lengths := []int{0, 1, 2, 3, 4, 5, 8, 11, 12, 13, 1019, 1020, 1021, 5000}
	rapid.Check(t, func(t *rapid.T) {
		var b blocks
		chains := make([]chain, rapid.IntRange(1, 12).Draw(t, "chains"))
		written := make([][]byte, len(chains))
		for range rapid.IntRange(0, 60).Draw(t, "writes") {
			i := rapid.IntRange(0, len(chains)-1).Draw(t, "chain")
			text := bytes.Repeat([]byte{rapid.Byte().Draw(t, "byte")}, rapid.SampledFrom(lengths).Draw(t, "length"))
			for j := range text {
				text[j] += byte(j)
			}
			if !b.write(&chains[i], text) {
				t.Fatal("no room")
			}
			written[i] = append(written[i], text...)
		}
		for i, c := range chains {
			if got := b.appendTo([]byte("before"), c); string(got) != "before"+string(written[i]) {
				t.Fatalf("chain %d has %x, want %x", i, got, written[i])
			}
		}
	})
}

// Blocks end with their page, and chains go on in the next.
func TestBlocksOverPages(t *testing.T) {
	var b blocks
	chains := make([]chain, 999)
	written := make([][]byte, len(chains))
	for round := range 40 {
		for i := range chains {
			text := fmt.Appendf(nil, "%03d:%03d:%02d;", i, 999-i, round)
			if !b.write(&chains[i], text) {
				t.Fatal("no room")
			}
			written[i] = append(written[i], text...)
		}
	}
	if len(b.pages) < 2 {
		t.Fatalf("%d pages are too few for this test", len(b.pages))
	}
	for i, c := range chains {
		if got := b.appendTo(nil, c); !bytes.Equal(got, written[i]) {
			t.Fatalf("chain %d has %q, want %q", i, got, written[i])
		}
	}
}
