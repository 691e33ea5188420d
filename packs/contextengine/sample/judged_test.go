package sample_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/sample"

	"github.com/google/go-cmp/cmp"
)

func judged(t *testing.T) []sample.Query {
	t.Helper()
	queries, err := sample.Judged()
	if err != nil {
		t.Fatal(err)
	}
	return queries
}

func TestJudgementsNameDocuments(t *testing.T) {
	documents := written(t)
	for _, q := range judged(t) {
		for id, grade := range q.Relevant {
			if _, exists := documents[id]; !exists {
				t.Errorf("%q: there is no %s", q.Text, id)
			}
			if grade < 1 || grade > 3 {
				t.Errorf("%q: %s has grade %d", q.Text, id, grade)
			}
		}
		if n := len(q.Relevant); n < 1 || n >= len(documents) {
			t.Errorf("%q: %d of %d documents are relevant", q.Text, n, len(documents))
		}
	}
}

// A query is of use only if an answer fits: its budget holds one of the
// documents with its best grade, but not the whole sample.
func TestBudgetsDecide(t *testing.T) {
	documents := written(t)
	tokens := func(id string) int64 { return int64(len(documents[id])+3) / 4 } // SEL-12
	var all int64
	for id := range documents {
		all += tokens(id)
	}
	for _, q := range judged(t) {
		best, fits := 0, false
		for _, grade := range q.Relevant {
			best = max(best, grade)
		}
		for id, grade := range q.Relevant {
			fits = fits || grade == best && tokens(id) <= q.Budget
		}
		if !fits || q.Budget >= all {
			t.Errorf("%q: a budget of %d decides nothing", q.Text, q.Budget)
		}
	}
}

func TestQueriesAreAskedOnce(t *testing.T) {
	var seen []string
	for _, q := range judged(t) {
		text := strings.ToLower(q.Text)
		if slices.Contains(seen, text) {
			t.Errorf("%q is asked twice", q.Text)
		}
		if n := len(strings.Fields(text)); n < 1 || n > 6 {
			t.Errorf("%q has %d words", q.Text, n)
		}
		seen = append(seen, text)
	}
	if len(seen) < 30 {
		t.Errorf("only %d queries", len(seen))
	}
}

func TestCallersOwnTheirQueries(t *testing.T) {
	first := judged(t)
	clear(first[0].Relevant)
	if again := judged(t); len(again[0].Relevant) == 0 {
		t.Error("two callers share their judgements")
	}
}

func TestParse(t *testing.T) {
	got, err := sample.Parse([]byte(`{"queries":[{"query":"a b","budget":7,"relevant":{"x/y.md":3,"z.md":1}}]}`))
	want := []sample.Query{{Text: "a b", Budget: 7, Relevant: map[string]int{"x/y.md": 3, "z.md": 1}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("parsed (-want +got), %v:\n%s", err, diff)
	}
}

func TestParseRefuses(t *testing.T) {
	good := query(`"query":"a","budget":1,"relevant":{"x.md":1}`)
	if _, err := sample.Parse([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{
		"no text":            ``,
		"null":               `null`,
		"an array":           `[` + good + `]`,
		"no queries":         `{"queries":[]}`,
		"more than one text": good + good,
		"an unknown member":  strings.Replace(good, `{`, `{"notes":"",`, 1),
		"a name's case":      strings.Replace(good, `"queries"`, `"Queries"`, 1),
		"a member twice":     strings.Replace(good, `{`, `{"queries":[],`, 1),
		"an unknown detail":  query(`"query":"a","budget":1,"relevant":{"x.md":1},"grade":1`),
		"a detail's case":    query(`"query":"a","Budget":1,"relevant":{"x.md":1}`),
		"an id's case":       query(`"query":"a","budget":1,"relevant":{"X.md":1}`),
		"an id twice":        query(`"query":"a","budget":1,"relevant":{"x.md":1,"x.md":2}`),
		"no query":           query(`"budget":1,"relevant":{"x.md":1}`),
		"a blank query":      query(`"query":" ","budget":1,"relevant":{"x.md":1}`),
		"no budget":          query(`"query":"a","relevant":{"x.md":1}`),
		"a negative budget":  query(`"query":"a","budget":-1,"relevant":{"x.md":1}`),
		"half a token":       query(`"query":"a","budget":1.5,"relevant":{"x.md":1}`),
		"nothing relevant":   query(`"query":"a","budget":1,"relevant":{}`),
		"grade 0":            query(`"query":"a","budget":1,"relevant":{"x.md":0}`),
		"grade 4":            query(`"query":"a","budget":1,"relevant":{"x.md":4}`),
	} {
		if got, err := sample.Parse([]byte(text)); err == nil {
			t.Errorf("%s: accepted as %v", what, got)
		}
	}
}

func query(members string) string { return fmt.Sprintf(`{"queries":[{%s}]}`, members) }
