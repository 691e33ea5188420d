package selection

import (
	"context"
	"errors"
	"math"
	"strconv"

	"mcpworks/internal/rawjson"
	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/canonical"
	"mcpworks/packs/contextengine/internal/document"
)

// A Result is what a query selected.
type Result struct {
	query       *parsedQuery
	picks       []pick
	documents   []document.Document // of the picks
	frequencies []int               // how many documents have each distinct term
	used        int64
	considered  int
}

// read reads the documents that were picked, and checks each again: what is
// answered is what the manifest promised.
func (r *Result) read(ctx context.Context, c *cache.Cache) error {
	entries := make([]int, len(r.picks))
	at := make(map[int]int, len(r.picks))
	for i, p := range r.picks {
		entries[i] = int(p.document)
		at[entries[i]] = i
	}
	r.documents = make([]document.Document, len(r.picks))
	return c.EachOf(ctx, cache.Workers(), entries, func(_, entry int, d *document.Document) { r.documents[at[entry]] = *d })
}

// ErrTooLong is a result that is longer than it may be.
var ErrTooLong = errors.New("the result is too long")

// AppendJSON appends the result, compact (SEL-18 to SEL-22).
func (r *Result) AppendJSON(dst []byte) []byte {
	dst, _ = r.append(context.Background(), dst, math.MaxInt)
	return dst
}

// Encode returns what AppendJSON appends, unless ctx ends or it gets longer than
// most bytes. A query is repeated with every document that it selects, so that
// not much of either is needed for a lot of both.
func (r *Result) Encode(ctx context.Context, most int) ([]byte, error) {
	return r.append(ctx, nil, most)
}

func (r *Result) append(ctx context.Context, dst []byte, most int) ([]byte, error) {
	terms := appendStrings(nil, r.query.terms)
	dst = append(dst, `{"documents":[`...)
	for i := range r.picks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(dst) > most-len(terms)-len(r.documents[i].Content) {
			return nil, ErrTooLong
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.appendDocument(dst, i, terms)
	}
	return r.appendSelection(append(dst, `],"selection":`...)), nil
}

func (r *Result) appendSelection(dst []byte) []byte {
	o := rawjson.Begin(dst)
	o.String("query", r.query.Text)
	o.Int("budget", r.query.Budget)
	o.Int("tokens_used", r.used)
	o.Int("documents_considered", int64(r.considered))
	o.Int("documents_selected", int64(len(r.picks)))
	o.Int("documents_excluded_by_budget", int64(r.considered-len(r.picks)))
	if r.query.Ranking != TermFrequency {
		o.String("ranking", string(r.query.Ranking))
	}
	return append(o.End(), '}')
}

func appendStrings(dst []byte, values []string) []byte {
	dst = append(dst, '[')
	for i, value := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = rawjson.AppendString(dst, value)
	}
	return append(dst, ']')
}

func (r *Result) appendDocument(dst []byte, i int, terms []byte) []byte {
	p, d := &r.picks[i], &r.documents[i]
	o := rawjson.Begin(dst)
	o.String("id", d.ID)
	o.String("version", d.Version.String())
	o.String("content", d.Content)
	o.Set(r.appendScore(o.Name("score"), p.score))
	o.Int("tokens", document.Tokens(d.Content))
	o.Set(r.appendWhy(o.Name("why"), p, terms))
	return o.End()
}

func (r *Result) appendScore(dst []byte, score float64) []byte {
	if r.query.Ranking == TermFrequency {
		return canonical.AppendScore(dst, float32(score))
	}
	return strconv.AppendFloat(dst, score, 'f', 6, 64)
}

// appendWhy appends what the score was made of.
func (r *Result) appendWhy(dst []byte, p *pick, terms []byte) []byte {
	o := rawjson.Begin(dst)
	o.Raw("query_terms", terms)
	o.Int("term_matches", int64(p.matches))
	o.Int("total_words", int64(p.words))
	if r.query.Ranking != TermFrequency {
		o.Set(r.appendTerms(o.Name("terms"), p))
	}
	return o.End()
}

// appendTerms says of each term that the document has how often it has it, and
// how many documents do (17.4).
func (r *Result) appendTerms(dst []byte, p *pick) []byte {
	dst = append(dst, '[')
	for i, count := range p.terms {
		if i > 0 {
			dst = append(dst, ',')
		}
		o := rawjson.Begin(dst)
		o.String("term", r.query.distinct[count.term])
		o.Int("frequency", int64(count.times))
		o.Int("documents", int64(r.frequencies[count.term]))
		dst = o.End()
	}
	return append(dst, ']')
}
