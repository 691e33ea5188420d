package plantuml

import (
	"bufio"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestInvariant17Vectors(t *testing.T) {
	file, err := os.Open(filepath.Join("testdata", "encoded.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		quoted, rest, _ := strings.Cut(lines.Text(), "\t")
		var text, encoded string
		var size, deflated int
		if err := json.Unmarshal([]byte(quoted), &text); err != nil {
			t.Fatalf("%s: %v", quoted, err)
		}
		if _, err := fmt.Sscan(rest, &size, &deflated, &encoded); err != nil {
			t.Fatalf("%s: %v", quoted, err)
		}
		if got := Encode(text); got != encoded || len(text) != size || len(got) != filled(deflated) {
			t.Errorf("Encode(%s) = %s, want %s", quoted, got, encoded)
		}
		if got, err := Decode(encoded); got != text || err != nil {
			t.Errorf("Decode(%s) = %q, %v, want %s", encoded, got, err, quoted)
		}
	}
}

// filled is the number of characters for a stream of n bytes.
func filled(n int) int { return (n + 2) / 3 * 4 }

func TestInvariant17LargeVectors(t *testing.T) {
	steps := "@startuml\n"
	for i := range 1600 {
		steps += fmt.Sprintf("Node%d --> Node%d : step %d\n", i, (7*i+3)%997, i)
	}
	steps += "@enduml"
	for _, v := range []struct {
		name, text            string
		bytes, deflated, long int
		sum                   string
	}{
		{"one letter", strings.Repeat("A", 51_200), 51_200, 68, 92, "aae37f951c3678f7b0f16066c5fb98f2c213f460286a5b783b47f2814085fa16"},
		{"one line", strings.Repeat("A --> B\n", 6400), 51_200, 102, 136, "7050f6a05a611e1ca7cd1f1f9f1c50a9fbb6148514417de52c547feefe6d146b"},
		{"steps", steps, 50_408, 11_823, 15_764, "c91933de3006329c965ad5e9840dc7ae83a73fa877edade72c497734eabcb7d2"},
	} {
		got := Encode(v.text)
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte(got)))
		if len(v.text) != v.bytes || len(got) != v.long || filled(v.deflated) != v.long || sum != v.sum {
			t.Errorf("%s: %d bytes become %d characters with sum %s, want %d, %d and %s", v.name, len(v.text), len(got), sum, v.bytes, v.long, v.sum)
		}
		if back, err := Decode(got); back != v.text || err != nil {
			t.Errorf("%s does not come back: %d bytes, %v", v.name, len(back), err)
		}
	}
}

func TestInvariant11URL(t *testing.T) {
	if got, want := URL("SmG0"), "https://www.plantuml.com/plantuml/svg/SmG0"; got != want {
		t.Errorf("URL = %s, want %s", got, want)
	}
}

var form = regexp.MustCompile(`^([0-9A-Za-z_-]{4})+$`)

// wantForm checks what holds for each encoded text by itself.
func wantForm(t interface{ Errorf(string, ...any) }, text, encoded string) {
	if !form.MatchString(encoded) {
		t.Errorf("invariant 12: %q is not groups of four from the alphabet", encoded)
	}
	stream, err := alphabet.DecodeString(encoded)
	if err != nil {
		t.Errorf("invariant 13: %v", err)
		return
	}
	// bytes.Reader lets the inflater stop right behind the final block.
	reader := bytes.NewReader(stream)
	back, err := io.ReadAll(flate.NewReader(reader))
	if err != nil || string(back) != text {
		t.Errorf("invariant 13: %q comes back as %q, %v", text, back, err)
	}
	fill := stream[len(stream)-reader.Len():]
	if len(fill) > 2 || strings.Trim(string(fill), "\x00") != "" {
		t.Errorf("invariant 14: % x after the final block", fill)
	}
	for _, header := range []string{"\x78\x01", "\x78\x9c", "\x78\xda"} {
		if bytes.HasPrefix(stream, []byte(header)) {
			t.Errorf("invariant 14: %q begins as a zlib stream, % x", text, header)
		}
	}
}

// texts draws Unicode text of 1 to MaxText bytes that repeats itself as
// diagrams do.
func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.StringN(1, 40, -1), 1, 8).Draw(t, "parts")
		order := rapid.SliceOfN(rapid.IntRange(0, len(parts)-1), 1, 200).Draw(t, "order")
		times := rapid.SampledFrom([]int{1, 1, 1, 5, 100}).Draw(t, "times")
		var b strings.Builder
		for range times {
			for _, i := range order {
				if b.Len()+len(parts[i]) > MaxText {
					return b.String()
				}
				b.WriteString(parts[i])
			}
		}
		return b.String()
	})
}

func TestInvariants12To14EncodedForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		encoded := Encode(text)
		wantForm(t, text, encoded)
		if back, err := Decode(encoded); back != text || err != nil {
			t.Errorf("Decode gives %q for %q: %v", back, text, err)
		}
	})
}

func TestInvariant15SameTextSameURL(t *testing.T) {
	const text, want = "@startuml\nA -> B\n@enduml", "SoWkIImgAStDuN9KqBLJSE9oICrB0N81"
	for range 1000 {
		if got := Encode(text); got != want {
			t.Fatalf("Encode = %s, want %s", got, want)
		}
	}
	var group sync.WaitGroup
	for i := range 100 {
		group.Go(func() {
			Encode(strings.Repeat("B -> A\n", i))
			if got := Encode(text); got != want {
				t.Errorf("Encode = %s, want %s", got, want)
			}
		})
	}
	group.Wait()
}

func TestInvariant16DifferentTextsDifferentURLs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := texts().Draw(t, "text")
		b := rapid.OneOf(texts(), rapid.SampledFrom([]string{a + " ", a + "\n", a + "\x00", a[1:], strings.ToUpper(a), strings.TrimSpace(a)})).Draw(t, "other")
		if (Encode(a) == Encode(b)) != (a == b) {
			t.Errorf("%q and %q are both %s", a, b, Encode(a))
		}
	})
}

func TestDecodeOtherEncoders(t *testing.T) {
	for _, v := range []struct{ name, encoded, want string }{
		{"fill left out", "SrJGjLDm0W0", "A -> B"},
		{"more fill", "SrJGjLDm0W0000000000", "A -> B"},
		{"zopfli", "Syp9J4vLqBLJSCfFib9mB2t9ICqhoKnEBCdCprC8IYqiJIqkuGBAAUW2rO0LOr5LN92VLvpA1G00",
			"Alice -> Bob: Authentication Request\nBob --> Alice: Authentication Response\n"},
		{"empty", "0m00", ""},
	} {
		if got, err := Decode(v.encoded); got != v.want || err != nil {
			t.Errorf("%s: Decode(%s) = %q, %v, want %q", v.name, v.encoded, got, err, v.want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, v := range []struct{ name, encoded string }{
		{"nothing", ""},
		{"a character too many", "SrJGjLDm0"},
		{"other alphabet", "SrJGjLDm0W=="},
		{"line end", "SrJG\njLDm0W00"},
		{"format mark", "~1SrJGjLDm0W00"},
		{"whole URL", URL("SrJGjLDm0W00")},
		{"cut off", "SoWkIImgAStDuN98"},
		{"reserved block type", "1m00"},
		{"the seed's mapping", "fJy0iLkkuAA1AQc0"},
		{"the seed's Base64, mapped", "U9nBBICkIIu102v11p00"},
		{"a byte too large", Encode(strings.Repeat("A", MaxText+1))},
		{"far too large", Encode(strings.Repeat("A", 100*MaxText))},
	} {
		if got, err := Decode(v.encoded); err == nil || got != "" {
			t.Errorf("%s: Decode gives %d bytes and no error", v.name, len(got))
		}
	}
	if _, err := Decode(Encode(strings.Repeat("A", MaxText))); err != nil {
		t.Errorf("the largest text: %v", err)
	}
}

func FuzzEncode(f *testing.F) {
	for _, text := range []string{"", "A", "@startuml\nA --> B: 你好 🌍\n@enduml", strings.Repeat("A -> B\r\n", 50), "\xff\xfe"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		encoded := Encode(text)
		wantForm(t, text, encoded)
		if back, err := Decode(encoded); len(text) <= MaxText && (back != text || err != nil) {
			t.Errorf("Decode gives %q for %q: %v", back, text, err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, encoded := range []string{"SmG0", "SrJGjLDm0W", "fJy0iLkkuAA1AQc0", "~h41", "0m00", "0040_x41"} {
		f.Add(encoded)
	}
	f.Fuzz(func(t *testing.T, encoded string) {
		text, err := Decode(encoded)
		switch {
		case err != nil && (text != "" || !utf8.ValidString(err.Error())):
			t.Errorf("refused with %q and %v", text, err)
		case err == nil && len(text) > MaxText:
			t.Errorf("%d bytes", len(text))
		case err == nil:
			if again, err := Decode(Encode(text)); again != text || err != nil {
				t.Errorf("accepted as %q, encoded again it is %q, %v", text, again, err)
			}
		}
	})
}

func ExampleEncode() {
	encoded := Encode("@startuml\nBob -> Alice : hello\n@enduml")
	fmt.Println(URL(encoded))
	// Output: https://www.plantuml.com/plantuml/svg/SoWkIImgAStDuNBAJrBGjLDmpCbCJbMmKiX8pSd9vt98pKi1IW80
}
