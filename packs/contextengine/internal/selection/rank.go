package selection

import (
	"cmp"
	"math"
	"slices"
)

// A ranked list is how documents fared that have at least one term.
type ranked struct {
	picks []pick // with a score, best first
	// others are those whose score is zero all the same, by document.
	others map[uint32]pick
	known  numbers // has both
}

// isScored says whether a document is among the picks.
func (r *ranked) isScored(document uint32) bool {
	_, isOther := r.others[document]
	return !isOther && r.known.get(document) > 0
}

// A pick is a document with its score.
type pick struct {
	document uint32
	matches  uint32      // words that are terms
	words    uint32      // of the document
	terms    []termCount // those it has; of what was picked by BM25
	score    float64     // a float32 for TermFrequency, a multiple of 1e-6 for BM25
}

// A termCount says how often a term occurs, by its number among the distinct
// ones.
type termCount struct{ term, times uint32 }

// rank scores the documents that have terms, and sorts them: highest score
// first, then by id, which is by number (SEL-10).
func rank(q *parsedQuery, docs *corpus, found [][]occurrence) ranked {
	scheme := scheme{add: func(*pick, int, uint32) {}, finish: termFrequency}
	if q.Ranking == BM25 {
		scheme = bm25(docs, found)
	}
	picks, known := gather(docs, found, scheme)
	r := ranked{others: map[uint32]pick{}, known: known}
	scored := picks[:0]
	for _, p := range picks {
		if scheme.finish(&p); p.score > 0 {
			scored = append(scored, p)
		} else {
			r.others[p.document] = p
		}
	}
	slices.SortFunc(scored, func(a, b pick) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		return cmp.Compare(a.document, b.document)
	})
	r.picks = scored
	return r
}

// A scheme is how a score is made: of each term that occurs, in the order of the
// query, and then as a whole.
type scheme struct {
	add    func(p *pick, term int, times uint32)
	finish func(p *pick)
}

// gather adds up the occurrences of each document.
func gather(docs *corpus, found [][]occurrence, s scheme) ([]pick, numbers) {
	most := 0
	for _, occurrences := range found {
		most += len(occurrences)
	}
	known := newNumbers(len(docs.words), most)
	picks := make([]pick, 0, min(most, len(docs.words)))
	for term, occurrences := range found {
		for _, o := range occurrences {
			i := known.get(o.document)
			if i == 0 {
				picks = append(picks, pick{document: o.document, words: docs.words[o.document]})
				i = uint32(len(picks))
				known.set(o.document, i)
			}
			p := &picks[i-1]
			p.matches += o.times
			s.add(p, term, o.times)
		}
	}
	return picks, known
}

// explain notes how often each term occurs in what was picked.
func explain(picks []pick, documents int, found [][]occurrence) {
	at := newNumbers(documents, len(picks))
	for i := range picks {
		at.set(picks[i].document, uint32(i+1))
	}
	for term, occurrences := range found {
		for _, o := range occurrences {
			if i := at.get(o.document); i > 0 {
				picks[i-1].terms = append(picks[i-1].terms, termCount{uint32(term), o.times})
			}
		}
	}
}

// numbers map documents to numbers other than 0: in a table if many documents
// have one, otherwise without taking memory for all documents.
type numbers struct {
	dense  []uint32
	sparse map[uint32]uint32
}

func newNumbers(documents, expected int) numbers {
	if expected > documents/256 {
		return numbers{dense: make([]uint32, documents)}
	}
	return numbers{sparse: make(map[uint32]uint32, expected)}
}

func (n numbers) get(document uint32) uint32 {
	if n.dense != nil {
		return n.dense[document]
	}
	return n.sparse[document]
}

func (n numbers) set(document, number uint32) {
	if n.dense != nil {
		n.dense[document] = number
	} else {
		n.sparse[document] = number
	}
}

// termFrequency is the share of the words that are terms: two integers made
// single precision, then divided once (SEL-7).
func termFrequency(p *pick) { p.score = float64(float32(p.matches) / float32(p.words)) }

// The constants of bm25-v1.
const (
	bm25Saturation = 1.2  // k1
	bm25Length     = 0.75 // b
	bm25Unit       = 1e6  // scores are whole multiples of its inverse
)

// bm25 makes the scores of ranking bm25-v1. They are the same on every platform:
// each step is one operation of IEEE 754 in double precision, in a fixed order
// and never fused with the next, the terms are added in the order of the query,
// and the sum is rounded to six decimals before anything is compared.
func bm25(docs *corpus, found [][]occurrence) scheme {
	n := float64(len(docs.words))
	weights := make([]float64, len(found))
	for i, occurrences := range found {
		df := float64(len(occurrences))
		weights[i] = logarithm(1 + float64(float64(n-df)+0.5)/float64(df+0.5))
	}
	average := float64(docs.total) / max(n, 1)
	return scheme{
		add: func(p *pick, term int, times uint32) {
			length := float64(1-bm25Length) + float64(bm25Length*float64(float64(p.words)/average))
			tf := float64(times)
			gain := float64(tf*(bm25Saturation+1)) / float64(tf+float64(bm25Saturation*length))
			p.score += float64(weights[term] * gain)
		},
		finish: func(p *pick) { p.score = math.Floor(float64(p.score*bm25Unit)+0.5) / bm25Unit },
	}
}

// logarithm is the natural logarithm of x >= 1, made of exact steps: that of
// package math differs between processors in its last digit. With x = m * 2^e
// and m near 1, ln m = 2 artanh((m-1)/(m+1)).
func logarithm(x float64) float64 {
	m, e := math.Frexp(x) // m in [0.5, 1)
	if m < math.Sqrt2/2 {
		m, e = m*2, e-1
	}
	z := float64(m-1) / float64(m+1)
	square := float64(z * z)
	power, sum := z, 0.0
	for k := 1; k < 30; k += 2 {
		sum += float64(power / float64(k))
		power = float64(power * square)
	}
	return float64(2*sum) + float64(float64(e)*math.Ln2)
}
