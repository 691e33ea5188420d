package canonical_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/canonical"

	"pgregory.net/rapid"
)

// JSON-6, with the vectors of section 16.
func TestScoresAreShortWithAFraction(t *testing.T) {
	for _, tt := range []struct {
		matches, words int
		want           string
	}{
		{0, 5, "0.0"},
		{1, 1, "1.0"},
		{1, 2, "0.5"},
		{1, 3, "0.33333334"},
		{2, 3, "0.6666667"},
		{1, 7, "0.14285715"},
		{3, 4, "0.75"},
		{5, 9, "0.5555556"},
		{99, 100, "0.99"},
		{1, 1000000, "0.000001"},
		{1, 1000001, "9.99999e-7"},
		{1, 2000000, "5e-7"},
		{1, 16777217, "5.9604645e-8"},
		{1, 100000, "0.00001"},
		{16777215, 16777216, "0.99999994"},
	} {
		got := canonical.AppendScore([]byte("score "), float32(tt.matches)/float32(tt.words))
		if string(got) != "score "+tt.want {
			t.Errorf("%d of %d words: %s, want %s", tt.matches, tt.words, got, tt.want)
		}
	}
}

// Other rankings know scores above one; none of them ever gets JSON wrong.
func TestScoresBeyondOne(t *testing.T) {
	for _, tt := range []struct {
		score float32
		want  string
	}{
		{2, "2.0"},
		{12.5, "12.5"},
		{16777216, "16777216.0"},
		{999999900000, "999999900000.0"},
		{1e13, "1e13"},
		{1.5e20, "1.5e20"},
		{math.MaxFloat32, "3.4028235e38"},
		{math.SmallestNonzeroFloat32, "1e-45"},
		{1e-10, "1e-10"},
		{1.25e-10, "1.25e-10"},
		{-0.5, "-0.5"},
		{-2, "-2.0"},
		{-5e-7, "-5e-7"},
		{float32(math.Copysign(0, -1)), "-0.0"},
		{math.Nextafter32(1e-6, 0), "9.999999e-7"},
		{math.Nextafter32(1e-6, 1), "0.0000010000001"},
		{float32(math.Inf(1)), "null"},
		{float32(math.Inf(-1)), "null"},
		{float32(math.NaN()), "null"},
	} {
		if got := string(canonical.AppendScore(nil, tt.score)); got != tt.want {
			t.Errorf("AppendScore(%g) = %s, want %s", tt.score, got, tt.want)
		}
	}
}

// Between 0 and 1 a score has one of these shapes (JSON-6): positional with a
// fraction, or digits and a negative exponent without a leading zero.
var scoreShape = regexp.MustCompile(`^(0\.0|1\.0|0\.[0-9]*[1-9]|[1-9](\.[0-9]*[1-9])?e-([7-9]|[1-9][0-9]))$`)

func checkScore(t *rapid.T, score float32) {
	text := string(canonical.AppendScore(nil, score))
	back, err := strconv.ParseFloat(text, 32)
	if err != nil || float32(back) != score {
		t.Fatalf("%g is written %s, which reads %g: %v", score, text, back, err)
	}
	if !scoreShape.MatchString(text) {
		t.Fatalf("%g has the wrong shape: %s", score, text)
	}
	if exponent := score != 0 && score < 1e-6; exponent != strings.Contains(text, "e") {
		t.Fatalf("%g is in the wrong notation: %s", score, text)
	}
}

func TestScoresReadBackToThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.IntRange(1, 1<<30).Draw(t, "words")
		matches := rapid.IntRange(0, words).Draw(t, "matches")
		checkScore(t, float32(matches)/float32(words))
		checkScore(t, rapid.Float32Range(0, 1).Draw(t, "score"))
		checkScore(t, math.Float32frombits(rapid.Uint32Range(0, math.Float32bits(1)).Draw(t, "bits")))
	})
}

// Every score near the bound between the notations keeps to its side.
func TestScoresAroundAMillionth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := math.Float32bits(1e-6)
		checkScore(t, math.Float32frombits(rapid.Uint32Range(bound-1000, bound+1000).Draw(t, "bits")))
	})
}

func BenchmarkAppendScore(b *testing.B) {
	b.ReportAllocs()
	dst := make([]byte, 0, 32)
	for b.Loop() {
		dst = canonical.AppendScore(dst[:0], 1.0/3)
	}
}
