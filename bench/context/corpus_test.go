package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNoTwoWordsAreSpelledAlike(t *testing.T) {
	known := map[string]uint64{}
	for word := uint64(1); word < 300_000; word++ {
		text := string(appendWord(nil, word))
		if known[text] != 0 {
			t.Fatalf("%q is word %d and word %d", text, known[text], word)
		}
		known[text] = word
	}
}

func TestWordsFollowZipfAndHeaps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	times := map[uint64]int{}
	const early, all = 200_000, 3_200_000
	var atFirst int
	for i := range all {
		if i == early {
			atFirst = len(times)
		}
		times[anyWord(r)]++
	}
	for _, word := range []uint64{1, 10, 100, 1000, 7000} {
		want := all * isCommon * math.Log(1+1/float64(word)) / math.Log(common+1)
		if got := float64(times[word]); math.Abs(got-want) > want/5 {
			t.Errorf("word %d came %g times, want about %.0f", word, got, want)
		}
	}
	growth := math.Log(float64(len(times))/float64(atFirst)) / math.Log(all/early)
	if growth < 0.4 || growth > 0.7 {
		t.Errorf("the vocabulary grew from %d to %d words, with the power %.2f of the text", atFirst, len(times), growth)
	}
}

func TestDocumentsAreDistinctAndOfTwoKilobytes(t *testing.T) {
	c := corpus(2000)
	known := map[string]bool{}
	size := 0
	for i := range int(c) {
		text := string(c.appendDocument(nil, i))
		if known[text] || known[c.path(i)] {
			t.Fatalf("document %d is there twice", i)
		}
		known[text], known[c.path(i)] = true, true
		size += len(text)
	}
	if mean := size / int(c); mean < 1900 || mean > 2200 {
		t.Errorf("documents have %d bytes on average", mean)
	}
}

func TestPlantedWordsAreInTheirDocuments(t *testing.T) {
	for _, c := range []corpus{2000, 4567} {
		in := map[string]int{}
		for i := range int(c) {
			for _, word := range strings.Fields(string(c.appendDocument(nil, i))) {
				if strings.HasPrefix(word, "planted") {
					in[word]++
				}
			}
		}
		want := 0
		for _, documents := range matches {
			for number := range plantedWords {
				if !c.plants(documents) {
					continue
				}
				want++
				if word := planted(documents, number); in[word] != documents {
					t.Errorf("%s is in %d of %d documents", word, in[word], c)
				}
			}
		}
		if len(in) != want {
			t.Errorf("%d planted words, want %d", len(in), want)
		}
	}
}

func TestOneDocumentInAHundredIsAmended(t *testing.T) {
	c := corpus(250)
	dir := t.TempDir()
	size, err := c.write(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.amend(dir); err != nil {
		t.Fatal(err)
	}
	var total int64
	var changed []int
	for i := range int(c) {
		before := c.appendDocument(nil, i)
		total += int64(len(before))
		now, err := os.ReadFile(filepath.Join(dir, c.path(i)))
		if err != nil {
			t.Fatal(err)
		}
		if string(now) != string(before) {
			changed = append(changed, i)
		}
	}
	if size != total || len(changed) != 3 {
		t.Errorf("size %d, want %d; changed %v, want 3 documents", size, total, changed)
	}
}
