package main

import (
	"context"
	"fmt"
	"time"
)

// plantedCalls is how often the words of one number of matches are asked for in
// each corpus, at a time.
const plantedCalls = 25 * plantedWords

// withMatches returns a query for each word that is in so many documents.
func (c *collection) withMatches(documents int) []*query {
	queries := make([]*query, plantedWords)
	for number := range queries {
		queries[number] = c.query(number+1, planted(documents, number))
	}
	return queries
}

// compareGrowth asks for words that are in as many documents of one corpus as
// of the other, of two servers in turn.
func (b *bench) compareGrowth(ctx context.Context, small, large collection) error {
	var sessions []*session
	defer func() {
		for _, s := range sessions {
			s.kill()
		}
	}()
	for _, c := range []collection{small, large} {
		s, err := b.start(ctx)
		if err != nil {
			return err
		}
		sessions = append(sessions, s)
		if _, err := s.warmUp(c.typical()); err != nil {
			return err
		}
	}
	var all []comparison
	for _, documents := range matches {
		if !small.plants(documents) {
			continue
		}
		all = append(all, comparison{
			name: fmt.Sprintf("p50 of %d matches, large", documents), beside: "the same, small", most: maxGrowth,
			measure: func(context.Context) (pair, error) {
				return inTurn(sessions, small.withMatches(documents), large.withMatches(documents))
			},
		})
	}
	all = append(all, comparison{
		name: "memory after queries, large", beside: "text", most: maxMemory,
		measure: func(ctx context.Context) (pair, error) { return b.memory(ctx, large) },
	})
	return b.compareAll(ctx, all)
}

// inTurn makes the same calls to both servers.
func inTurn(sessions []*session, small, large []*query) (pair, error) {
	var times [2][]time.Duration
	for i := range plantedCalls {
		for corpus, queries := range [][]*query{small, large} {
			_, took, err := sessions[corpus].resolve(queries[i%plantedWords])
			if err != nil {
				return pair{}, err
			}
			times[corpus] = append(times[corpus], took)
		}
	}
	return compareMedians(times[1], times[0]), nil
}
