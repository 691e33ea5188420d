package sample

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The bounds of 4.2. Queries are measured in bytes.
const (
	defaultLimit = 10
	maxLimit     = 50
	minQuery     = 3
	maxQuery     = 2000
)

// match is one result (4.4).
type match struct {
	Source     string  `json:"source"`
	ID         string  `json:"id"`
	Title      *string `json:"title"`
	Difficulty *string `json:"difficulty"`
	Link       *string `json:"link"`
	Similarity float64 `json:"similarity"`
}

func (b *backend) similarToText(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	query := strings.TrimSpace(cmp.Or(q.Get("q"), q.Get("query")))
	if inner, ok := strings.CutPrefix(query, `"`); ok && strings.HasSuffix(inner, `"`) {
		query = strings.TrimSpace(strings.TrimSuffix(inner, `"`))
	}
	switch {
	case query == "":
		writeProblem(w, http.StatusBadRequest, "query parameter is required")
	case len(query) < minQuery:
		writeProblem(w, http.StatusBadRequest, fmt.Sprintf("query must be at least %d characters", minQuery))
	case len(query) > maxQuery:
		writeProblem(w, http.StatusBadRequest, fmt.Sprintf("query must be at most %d characters", maxQuery))
	default:
		words := wordsOf(query)
		b.rank(w, q, words, nil, rewrite(query, words))
	}
}

func (b *backend) similarToProblem(w http.ResponseWriter, r *http.Request) {
	p := b.byID(r.PathValue("source"), r.PathValue("id"))
	if p == nil || p.Content == nil {
		writeProblem(w, http.StatusNotFound, "no embedding found for this problem")
		return
	}
	b.rank(w, r.URL.Query(), p.words(), p, nil)
}

// rewrite gives the words that the search used, or nil when they are the query
// itself.
func rewrite(query string, words []string) *string {
	rewritten := strings.Join(words, " ")
	if rewritten == "" || rewritten == query {
		return nil
	}
	return &rewritten
}

// rank answers with the problems that share words with the wanted ones, best
// first and in a fixed order.
func (b *backend) rank(w http.ResponseWriter, q url.Values, words []string, except *problem, rewritten *string) {
	limit, threshold, ok := rankingOf(q)
	if !ok {
		http.Error(w, "Failed to deserialize query string", http.StatusBadRequest)
		return
	}
	keep := strings.Split(q.Get("source"), ",")
	results := []match{}
	for _, p := range b.problems {
		score := overlap(words, p.words())
		if p == except || p.Content == nil || score == 0 || score < threshold || q.Has("source") && !slices.Contains(keep, p.Source) {
			continue
		}
		results = append(results, match{p.Source, p.ID, p.Title, p.Difficulty, p.Link, score})
	}
	slices.SortStableFunc(results, func(a, b match) int { return cmp.Compare(b.Similarity, a.Similarity) })
	writeJSON(w, map[string]any{"rewritten_query": rewritten, "results": results[:min(limit, len(results))]})
}

func rankingOf(q url.Values) (limit int, threshold float64, ok bool) {
	limit = defaultLimit
	var err error
	if q.Has("limit") {
		if limit, err = strconv.Atoi(q.Get("limit")); err != nil || limit < 0 {
			return 0, 0, false
		}
	}
	if q.Has("threshold") {
		if threshold, err = strconv.ParseFloat(q.Get("threshold"), 64); err != nil {
			return 0, 0, false
		}
	}
	return min(limit, maxLimit), threshold, true
}

// words are those of title, tags and statement.
func (p *problem) words() []string {
	text := strings.Join(p.Tags, " ")
	for _, part := range []*string{p.Title, p.TitleCN, p.Content, p.ContentCN} {
		if part != nil {
			text += " " + *part
		}
	}
	return wordsOf(text)
}

// fillers say nothing about a problem.
var fillers = []string{
	"an", "and", "are", "as", "at", "by", "code", "em", "for", "how", "if", "in", "is", "it", "leq", "li", "of", "on",
	"one", "or", "pre", "strong", "sub", "sup", "that", "the", "to", "ul", "what", "when", "with",
}

// wordsOf splits text into lower-case words, each once, in order. A Chinese
// character is a word; a single Latin letter is none.
func wordsOf(text string) []string {
	var words []string
	add := func(word string) {
		if !slices.Contains(fillers, word) && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	for _, field := range strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		switch han := strings.IndexFunc(field, func(c rune) bool { return unicode.Is(unicode.Han, c) }); {
		case han >= 0:
			for _, c := range field {
				add(string(c))
			}
		case len(field) > 1:
			add(field)
		}
	}
	return words
}

// overlap is the share of the wanted words that are in the others, weighed
// down a little so that it never claims identity, with three decimals.
func overlap(wanted, others []string) float64 {
	if len(wanted) == 0 {
		return 0
	}
	common := 0
	for _, word := range wanted {
		if slices.Contains(others, word) {
			common++
		}
	}
	return math.Round(990*float64(common)/float64(len(wanted))) / 1000
}
