package deflate

import (
	"bytes"
	"compress/flate"
	"io"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func inflate(stream []byte) (text, rest []byte, err error) {
	reader := bytes.NewReader(stream) // an io.ByteReader, so that nothing behind the stream is read
	text, err = io.ReadAll(flate.NewReader(reader))
	return text, stream[len(stream)-reader.Len():], err
}

// wantRoundTrip checks that the stream of text ends where it says it does.
func wantRoundTrip(t interface{ Errorf(string, ...any) }, text []byte) {
	got, rest, err := inflate(Append(nil, text))
	if err != nil || !bytes.Equal(got, text) || len(rest) != 0 {
		t.Errorf("%d bytes come back as %d, with %d behind them: %v", len(text), len(got), len(rest), err)
	}
}

func TestInvariant13RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := source(rapid.Uint64().Draw(t, "seed"))
		r := randomRecipe(&random, rapid.SampledFrom([]int{10, 300, 5000, 51_200}).Draw(t, "size"))
		text, err := r.make()
		if err != nil {
			t.Fatal(err)
		}
		wantRoundTrip(t, text)
	})
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	text := []byte("abcabcabc")
	want := Append(nil, text)
	for _, room := range []int{0, 1, 100} {
		dst := append(make([]byte, 0, 3+room), "abc"...)
		got := Append(dst, text)
		if string(got[:3]) != "abc" || !bytes.Equal(got[3:], want) {
			t.Errorf("with room for %d: %x, want abc and %x", room, got, want)
		}
	}
}

// TestInvariant15OneAfterTheOther gives the same tables texts that would match
// each other if anything was left in them.
func TestInvariant15OneAfterTheOther(t *testing.T) {
	texts := make([][]byte, 50)
	want := make([][]byte, len(texts))
	random := source(3)
	for i := range texts {
		text, err := recipe("diagram(1,300)").make()
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = text[random.below(300):]
		want[i] = new(compressor).compress(nil, texts[i])
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i, text := range texts {
				if got := Append(nil, text); !bytes.Equal(got, want[i]) {
					t.Errorf("text %d: %x, want %x", i, got, want[i])
				}
			}
		})
	}
	group.Wait()
}

func TestAppendKeepsItsTables(t *testing.T) {
	text, err := recipe("diagram(1,51200)").make()
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]byte, 0, 1<<16)
	c := new(compressor)
	if n := testing.AllocsPerRun(10, func() { c.compress(dst, text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestCodesAreComplete checks lengths that no text of bearable size leads to.
func TestCodesAreComplete(t *testing.T) {
	check := func(t interface{ Errorf(string, ...any) }, frequencies []uint32, limit uint8) {
		codes := make([]code, len(frequencies))
		new(huffman).assign(codes, frequencies, limit)
		room := 1 << limit
		for s, c := range codes {
			if c.length > limit || frequencies[s] > 0 && c.length == 0 {
				t.Errorf("%d, which occurs %d times, has %d bits", s, frequencies[s], c.length)
			}
			if c.length > 0 {
				room -= 1 << (limit - c.length)
			}
		}
		if room != 0 {
			t.Errorf("%v: %d of %d values are left over", frequencies, room, 1<<limit)
		}
	}
	for n := 2; n <= 32; n++ {
		fibonacci := []uint32{1, 1}
		for len(fibonacci) < n {
			fibonacci = append(fibonacci, fibonacci[len(fibonacci)-1]+fibonacci[len(fibonacci)-2])
		}
		check(t, fibonacci, longestCode)
		check(t, fibonacci[:min(n, lengthSymbols)], longestOfLength)
	}
	rapid.Check(t, func(t *rapid.T) {
		frequency := rapid.Custom(func(t *rapid.T) uint32 { return 1<<rapid.IntRange(0, 14).Draw(t, "log") - 1 })
		check(t, rapid.SliceOfN(frequency, 3, literals).Draw(t, "frequencies"), longestCode)
		check(t, rapid.SliceOfN(frequency, 3, lengthSymbols).Draw(t, "frequencies"), longestOfLength)
	})
}

func FuzzRoundTrip(f *testing.F) {
	for _, r := range []recipe{`""`, `"a"*600`, "bytes(1,300)", "diagram(1,500)", "copies(2,2000,5)", `"\x80bc" "\xe1bc"*9`} {
		text, err := r.make()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		wantRoundTrip(t, text)
		if got := new(compressor).compress(nil, text); !bytes.Equal(got, Append(nil, text)) {
			t.Error("fresh tables give another stream than used ones")
		}
	})
}
