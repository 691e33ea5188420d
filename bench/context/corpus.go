package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
)

// A corpus is a number of Markdown documents, of about 2 KB and all distinct.
// One of the same size is the same in every run.
type corpus int

// seed is that of all corpora.
const seed = 1

// matches says how many documents the planted words are in, plantedWords of
// them for each number.
var matches = []int{20, 200, 2000}

const plantedWords = 16

// planted is a word that stands in exactly so many documents of a corpus, and
// is none of the vocabulary.
func planted(documents, number int) string { return fmt.Sprintf("planted-%d-%d", documents, number) }

// plants reports whether the corpus is large enough for words in so many
// documents.
func (c corpus) plants(documents int) bool { return int(c) >= 10*documents }

// path is where a document stands below the folder of the corpus.
func (c corpus) path(i int) string {
	return fmt.Sprintf("area-%02d/topic-%03d/Note-%06d.md", i%10, i%500, i)
}

// write makes the files of the corpus and returns the size of its text.
func (c corpus) write(dir string) (int64, error) {
	var size, next atomic.Int64
	failed := make([]error, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for worker := range failed {
		all.Go(func() {
			var text []byte
			for i := next.Add(1) - 1; i < int64(c) && failed[worker] == nil; i = next.Add(1) - 1 {
				text = c.appendDocument(text[:0], int(i))
				size.Add(int64(len(text)))
				failed[worker] = writeFile(filepath.Join(dir, c.path(int(i))), text)
			}
		})
	}
	all.Wait()
	for _, err := range failed {
		if err != nil {
			return 0, err
		}
	}
	return size.Load(), nil
}

func writeFile(path string, text []byte) error {
	err := os.WriteFile(path, text, 0o666)
	if os.IsNotExist(err) {
		if err = os.MkdirAll(filepath.Dir(path), 0o777); err == nil {
			err = os.WriteFile(path, text, 0o666)
		}
	}
	return err
}

// amend changes one document in a hundred.
func (c corpus) amend(dir string) error {
	for i := 0; i < int(c); i += 100 {
		text := fmt.Appendf(c.appendDocument(nil, i), "\nAmended: %d.\n", i)
		if err := writeFile(filepath.Join(dir, c.path(i)), text); err != nil {
			return err
		}
	}
	return nil
}

// appendDocument writes a document: a title, its number, which no other has,
// some paragraphs and lists with headings, and its share of the planted words.
func (c corpus) appendDocument(dst []byte, i int) []byte {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	end := len(dst) + 1000 + r.IntN(1900)
	dst = appendHeading(append(dst, "# "...), r)
	dst = fmt.Appendf(dst, "Note %06d.\n", i)
	for len(dst) < end {
		dst = append(dst, '\n')
		switch r.IntN(8) {
		case 0:
			dst = appendHeading(append(dst, "## "...), r)
		case 1, 2:
			for range 2 + r.IntN(4) {
				dst = append(appendSentence(append(dst, "- "...), r), '\n')
			}
		default:
			dst = appendParagraph(dst, r, end)
		}
	}
	return c.appendPlanted(dst, i)
}

func appendHeading(dst []byte, r *rand.Rand) []byte {
	for range 1 + r.IntN(4) {
		dst = append(appendCapital(dst, anyWord(r)), ' ')
	}
	dst[len(dst)-1] = '\n'
	return dst
}

// appendParagraph writes sentences, none that begins after end.
func appendParagraph(dst []byte, r *rand.Rand, end int) []byte {
	for range 2 + r.IntN(5) {
		if dst = append(appendSentence(dst, r), ' '); len(dst) >= end {
			break
		}
	}
	dst[len(dst)-1] = '\n'
	return dst
}

func appendSentence(dst []byte, r *rand.Rand) []byte {
	dst = appendCapital(dst, anyWord(r))
	for range 4 + r.IntN(16) {
		dst = appendDressed(appendSpace(dst, r), r)
	}
	return append(dst, "......:?!"[r.IntN(9)])
}

func appendSpace(dst []byte, r *rand.Rand) []byte {
	switch n := r.IntN(1000); {
	case n < 60:
		return append(dst, ", "...)
	case n < 61:
		return append(dst, " — "...) // in one of four documents something is not ASCII
	}
	return append(dst, ' ')
}

// appendDressed writes a word as it stands in the middle of a sentence, which
// is mostly plain.
func appendDressed(dst []byte, r *rand.Rand) []byte {
	word := anyWord(r)
	switch n := r.IntN(200); {
	case n < 8:
		return appendCapital(dst, word)
	case n < 10:
		return append(appendWord(append(dst, '`'), word), '`')
	case n < 12:
		return append(appendWord(append(dst, "**"...), word), "**"...)
	case n < 13:
		return append(appendWord(append(dst, '('), word), ')')
	case n < 15:
		return fmt.Append(dst, word%1000)
	case n < 17:
		return append(appendWord(append(appendWord(append(dst, '['), word), "]("...), anyWord(r)), ".md)"...)
	}
	return appendWord(dst, word)
}

func appendCapital(dst []byte, word uint64) []byte {
	at := len(dst)
	dst = appendWord(dst, word)
	dst[at] -= 'a' - 'A'
	return dst
}

// appendPlanted writes the planted words of a document. Those of a word are as
// far from each other as they can be.
func (c corpus) appendPlanted(dst []byte, i int) []byte {
	for _, documents := range matches {
		if !c.plants(documents) {
			continue
		}
		apart := int(c) / documents
		for number := range plantedWords {
			if i%apart == number%apart && i/apart < documents {
				dst = append(append(dst, '\n'), planted(documents, number)...)
			}
		}
	}
	return append(dst, '\n')
}
