package ojapi

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// Similar is a ranking of problems, best first.
type Similar struct {
	// RewrittenQuery is what the backend searched for; empty when it is null.
	RewrittenQuery string
	Results        []Match
}

// Match is one ranked problem. Title, Difficulty and Link are empty when null.
type Match struct {
	Source, ID              string
	Title, Difficulty, Link string
	// Similarity is 1 for the same problem.
	Similarity float64
}

// SimilarByText ranks problems by a free text (6.3). filter is a
// comma-separated list of platforms to keep; a blank one keeps all.
func (c *Client) SimilarByText(ctx context.Context, query string, limit int, threshold float64, filter string) (*Similar, error) {
	return c.similar(ctx, "/api/v1/similar?q="+Escape(query)+"&"+ranking(limit, threshold, filter))
}

// SimilarByProblem ranks problems by their likeness to a given one (6.3).
func (c *Client) SimilarByProblem(ctx context.Context, source, id string, limit int, threshold float64, filter string) (*Similar, error) {
	return c.similar(ctx, "/api/v1/similar/"+Escape(source)+"/"+Escape(id)+"?"+ranking(limit, threshold, filter))
}

// ranking builds the common parameters, whose order is fixed (6.3). An empty
// source parameter would make the backend drop every result.
func ranking(limit int, threshold float64, filter string) string {
	query := "limit=" + strconv.Itoa(limit) + "&threshold=" + formatThreshold(threshold)
	if filter = cleanFilter(filter); filter != "" {
		query += "&source=" + Escape(filter)
	}
	return query
}

func (c *Client) similar(ctx context.Context, target string) (*Similar, error) {
	o, err := c.ask(ctx, target)
	if err != nil {
		return nil, err
	}
	return decodeSimilar(o)
}

func decodeSimilar(o object) (*Similar, error) {
	list, ok := o.array("results")
	if !ok {
		return nil, invalidJSON("missing results")
	}
	s := &Similar{RewrittenQuery: o.textOr("rewritten_query", "")}
	for i, raw := range list {
		match, err := decodeMatch(raw)
		if err != nil {
			return nil, invalidJSON(fmt.Sprintf("result %d: %v", i+1, err))
		}
		s.Results = append(s.Results, match)
	}
	return s, nil
}

func decodeMatch(raw []byte) (Match, error) {
	o, err := asObject(raw)
	if err != nil {
		return Match{}, err
	}
	source, hasSource := o.text("source")
	id, hasID := o.text("id")
	similarity := o.float("similarity")
	if !hasSource || !hasID || similarity == nil {
		return Match{}, errors.New("expected source, id and a numeric similarity")
	}
	return Match{
		Source:     source,
		ID:         id,
		Title:      o.textOr("title", ""),
		Difficulty: o.textOr("difficulty", ""),
		Link:       o.textOr("link", ""),
		Similarity: *similarity,
	}, nil
}
