package contextengine

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"unicode/utf8"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/selection"
)

// A Query is what a cache is asked.
type Query struct {
	// Text is split into the words to look for; empty means none (RES-2).
	Text string
	// Budget is the most tokens that the selected documents have together.
	Budget int64
	// Ranking is tf-v0 or bm25-v1; empty means tf-v0.
	Ranking string
}

// Rankings are the names of ways to score, the default first.
var Rankings = []string{string(selection.TermFrequency), string(selection.BM25)}

// ErrRanking is the error of a ranking that does not exist.
var ErrRanking = errors.New(`ranking must be one of "` + string(selection.TermFrequency) + `", "` + string(selection.BM25) + `"`)

// Resolve selects documents of the cache at dir, which is any path (CLI-8), and
// returns the selection as compact JSON (section 7.5).
func Resolve(ctx context.Context, dir string, q Query) ([]byte, error) {
	asked, err := q.checked()
	if err != nil {
		return nil, err
	}
	var result []byte
	err = cache.Use(func() (*cache.Cache, error) { return cache.Open(dir) }, func(c *cache.Cache) error {
		selected, err := selection.Scan(ctx, c, asked)
		if err == nil {
			result, err = selected.Encode(ctx, math.MaxInt)
		}
		return err
	})
	return result, err
}

func (q Query) checked() (selection.Query, error) {
	ranking, known := selection.ParseRanking(q.Ranking)
	switch {
	case !utf8.ValidString(q.Text):
		return selection.Query{}, InvalidQuery.because("it is not valid UTF-8")
	case q.Budget < 0:
		return selection.Query{}, InvalidBudget.because("it is negative")
	case !known:
		return selection.Query{}, ErrRanking
	}
	return selection.Query{Text: q.Text, Budget: q.Budget, Ranking: ranking}, nil
}

const (
	resolveName       = "context.resolve"
	resolveProperties = `"budget":{"description":"Maximum token budget for selected context","minimum":0,"type":"integer"},` +
		describeCache + `,"query":{"description":"Search query for context selection","type":"string"}`
	resolveRequired = `"required":["cache","query","budget"],"type":"object"`
)

var resolveTool = &tool{
	Tool: mcp.Tool{
		Name:        resolveName,
		Title:       "Resolve context",
		Description: "Resolve context from a cache using a query and token budget",
		InputSchema: json.RawMessage(`{"properties":{` + resolveProperties +
			`,"ranking":{"default":"tf-v0","description":"How documents are ordered: by share of matching words (tf-v0) or by BM25 (bm25-v1)",` +
			`"enum":["tf-v0","bm25-v1"],"type":"string"}},` + resolveRequired + `}`),
		OutputSchema: json.RawMessage(`{"type":"object","required":["documents","selection"],"properties":{` +
			`"documents":{"type":"array","description":"Best first, each complete","items":{"type":"object",` +
			`"required":["id","version","content","score","tokens","why"],"properties":{` +
			`"id":{"type":"string"},"version":{"type":"string"},"content":{"type":"string"},` +
			`"score":{"type":"number","minimum":0},"tokens":{"type":"integer","minimum":0},` +
			`"why":{"type":"object","required":["query_terms","term_matches","total_words"],"properties":{` +
			`"query_terms":{"type":"array","items":{"type":"string"}},` +
			`"term_matches":{"type":"integer","minimum":0},"total_words":{"type":"integer","minimum":0},` +
			`"terms":{"type":"array","description":"With bm25-v1","items":{"type":"object"}}}}}}},` +
			`"selection":{"type":"object","required":["query","budget","tokens_used","documents_considered",` +
			`"documents_selected","documents_excluded_by_budget"],"properties":{` +
			`"query":{"type":"string"},"budget":{"type":"integer","minimum":0},"tokens_used":{"type":"integer","minimum":0},` +
			`"documents_considered":{"type":"integer","minimum":0},"documents_selected":{"type":"integer","minimum":0},` +
			`"documents_excluded_by_budget":{"type":"integer","minimum":0},` +
			`"ranking":{"type":"string","description":"If it is not tf-v0"}}}}}`),
		Annotations: hints,
	},
	inputV0: json.RawMessage(`{"properties":{` + resolveProperties + `},` + resolveRequired + `}`),
	ending:  "\n", // RES-3
	find:    (*Engine).resolve,
}

func (e *Engine) resolve(ctx context.Context, args arguments, most int) ([]byte, error) {
	name, q, err := args.query()
	if err != nil {
		return nil, err
	}
	result, err := e.store.Resolve(ctx, e.root, name, q)
	if err != nil {
		return nil, err
	}
	return result.Encode(ctx, most)
}

// The most bytes that a selection may have for a client; what is longer is an
// internal error. The query is part of it as often as documents are. A command
// has no such limit.
const (
	maxAnswer     = 128 << 20
	maxStructured = 8 << 20 // it is sent twice, and held to its schema: some twenty times that for a while
)

// query reads the arguments in the order in which they are blamed (RES-1).
func (a arguments) query() (name string, _ selection.Query, err error) {
	var q Query
	var ok bool
	if q.Text, ok = a["query"].(string); !ok {
		return "", selection.Query{}, InvalidQuery.because("the argument query is not a string")
	}
	if q.Budget, err = a.budget(); err != nil {
		return "", selection.Query{}, err
	}
	if name, err = a.cache(); err != nil {
		return "", selection.Query{}, err
	}
	if q.Ranking, err = a.ranking(); err != nil {
		return "", selection.Query{}, err
	}
	asked, err := q.checked()
	return name, asked, err
}

// ranking reads an argument that the six codes know nothing of.
func (a arguments) ranking() (string, error) {
	value := a["ranking"]
	if value == nil {
		return "", nil
	}
	name, _ := value.(string)
	if _, known := selection.ParseRanking(name); name == "" || !known {
		return "", &server.Failure{Text: "invalid arguments for " + resolveName + ":\n- /" + ErrRanking.Error()}
	}
	return name, nil
}

// budget reads digits and nothing else: 1.0, 1e3 and -0 are not integers here.
func (a arguments) budget() (int64, error) {
	literal, ok := a["budget"].(json.Number)
	if !ok {
		return 0, InvalidBudget.because("the argument budget is not a number")
	}
	n, err := strconv.ParseUint(string(literal), 10, 63)
	if err != nil {
		return 0, InvalidBudget.because("the argument budget is not an integer from 0 to 9223372036854775807")
	}
	return int64(n), nil
}
