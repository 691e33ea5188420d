package ojapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func ptr[T any](v T) *T { return &v }

const sampleProblem = `{"id":"4021","source":"leetcode","slug":"widest-gap","title":"Widest Gap","title_cn":null,
 "difficulty":"Medium","ac_rate":57.083,"rating":0.0,"contest":null,"problem_index":null,
 "tags":["Array","Sorting"],"link":"https://leetcode.com/problems/widest-gap/",
 "category":"Algorithms","paid_only":0,"content":"<p>Return the <b>widest</b> gap.</p>",
 "content_cn":null,"similar_questions":[]}`

func TestProblemBodies(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       Problem
	}{
		{"the sample of 4.4", sampleProblem, Problem{
			Source: "leetcode", ID: "4021", Title: "Widest Gap", Difficulty: "Medium", ACRate: ptr(57.083),
			Tags: []string{"Array", "Sorting"}, Link: "https://leetcode.com/problems/widest-gap/",
			Content: "<p>Return the <b>widest</b> gap.</p>",
		}},
		{"a number as id", `{"id":4021}`, Problem{Source: "asked", ID: "4021"}},
		{"a long number as id keeps its digits", `{"id":12345678901234567890123}`, Problem{Source: "asked", ID: "12345678901234567890123"}},
		{"an empty id is an id", `{"id":""}`, Problem{Source: "asked"}},
		{"null everywhere else", `{"id":"1","source":null,"title":null,"difficulty":null,"tags":null,"link":null,"ac_rate":null,"content":null}`,
			Problem{Source: "asked", ID: "1"}},
		{"blank texts", `{"id":"1","source":" ","title":"\t","content":"\n "}`, Problem{Source: "asked", ID: "1"}},
		{"other types where text is expected", `{"id":"1","title":["x"],"difficulty":800,"tags":"dp","link":{},"ac_rate":"57"}`,
			Problem{Source: "asked", ID: "1", Difficulty: "800"}},
		{"odd tags are left out", `{"id":"1","tags":["dp",null,7,{},"graphs"]}`, Problem{Source: "asked", ID: "1", Tags: []string{"dp", "7", "graphs"}}},
		{"a rate beyond all numbers", `{"id":"1","ac_rate":1e999}`, Problem{Source: "asked", ID: "1"}},
		{"names match exactly", `{"id":"1","Title":"no","TITLE":"no"}`, Problem{Source: "asked", ID: "1"}},
		{"escaped names are names", `{"\u0069d":"1"}`, Problem{Source: "asked", ID: "1"}},
		{"the last of two counts", `{"id":"1","id":"2"}`, Problem{Source: "asked", ID: "2"}},
		{"Chinese texts", `{"id":"P1","title_cn":"最大","content_cn":"求"}`, Problem{Source: "asked", ID: "P1", TitleCN: "最大", ContentCN: "求"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := serve(t, okJSON(tt.body)).Problem(t.Context(), "asked", "1")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Errorf("problem (-want +got):\n%s", diff)
			}
		})
	}
}

func TestInvariant34DailyIsFromLeetCode(t *testing.T) {
	for body, want := range map[string]string{
		`{"date":"2026-03-05","domain":"com","id":"4021"}`: "leetcode",
		`{"id":"4021","source":""}`:                        "leetcode",
		`{"id":"4021","source":"elsewhere"}`:               "elsewhere",
	} {
		p, err := serve(t, okJSON(body)).Daily(t.Context(), "com", "2026-03-05")
		if err != nil || p.Source != want {
			t.Errorf("%s: %+v, %v", body, p, err)
		}
	}
}

func TestInvariant39ResolveUsesTheNestedProblem(t *testing.T) {
	for body, want := range map[string]Problem{
		`{"source":"leetcode","id":"1","problem":{"id":"2","source":"spoj"}}`: {Source: "spoj", ID: "2"},
		`{"source":"leetcode","id":"1","problem":{"id":"2"}}`:                 {Source: "leetcode", ID: "2"},
		`{"source":"leetcode","id":"1","problem":{"id":2,"source":""}}`:       {Source: "leetcode", ID: "2"},
	} {
		got, err := serve(t, okJSON(body)).Resolve(t.Context(), "x")
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

func TestInvariant40Unresolved(t *testing.T) {
	for body, want := range map[string]Unresolved{
		`{"source":"atcoder","id":"abc999_z","problem":null}`: {Source: "atcoder", ID: "abc999_z"},
		`{"source":"atcoder","id":7}`:                         {Source: "atcoder", ID: "7"},
		`{}`:                                                  {},
	} {
		_, err := serve(t, okJSON(body)).Resolve(t.Context(), "x")
		var e *Unresolved
		if !errors.As(err, &e) || *e != want {
			t.Errorf("%s: %v", body, err)
		}
	}
	for body, reason := range map[string]string{
		`{"problem":[]}`:   "problem: expected an object",
		`{"problem":"x"}`:  "problem: expected an object",
		`{"problem":{}}`:   "problem without id",
		`{"problem":true}`: "problem: expected an object",
	} {
		_, err := serve(t, okJSON(body)).Resolve(t.Context(), "x")
		wantTransport(t, err, "invalid JSON: "+reason)
	}
}

func TestSimilarBodies(t *testing.T) {
	got, err := serve(t, okJSON(`{"rewritten_query":"largest difference","extra":1,"results":[
  {"source":"leetcode","id":"164","title":"Maximum Gap","difficulty":"Medium","link":"https://leetcode.com/problems/maximum-gap/","similarity":0.791},
  {"source":"codeforces","id":1900,"title":null,"difficulty":null,"link":null,"similarity":1}]}`)).
		SimilarByText(t.Context(), "gap", 10, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	want := &Similar{RewrittenQuery: "largest difference", Results: []Match{
		{Source: "leetcode", ID: "164", Title: "Maximum Gap", Difficulty: "Medium", Link: "https://leetcode.com/problems/maximum-gap/", Similarity: 0.791},
		{Source: "codeforces", ID: "1900", Similarity: 1},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("similar (-want +got):\n%s", diff)
	}
	for _, body := range []string{`{"results":[]}`, `{"rewritten_query":null,"results":[]}`} { // invariant 48
		got, err := serve(t, okJSON(body)).SimilarByProblem(t.Context(), "s", "1", 10, 0, "")
		if err != nil || got.RewrittenQuery != "" || len(got.Results) != 0 {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
	}
}

func TestSimilarWrongShapes(t *testing.T) {
	const incomplete = "result 1: expected source, id and a numeric similarity"
	for body, reason := range map[string]string{
		`{}`:               "missing results",
		`{"Results":[]}`:   "missing results",
		`{"results":null}`: "missing results",
		`{"results":{}}`:   "missing results",
		`{"results":[1]}`:  "result 1: expected an object",
		`{"results":[{"id":"1","similarity":1}]}`:                                     incomplete,
		`{"results":[{"source":"s","similarity":1}]}`:                                 incomplete,
		`{"results":[{"source":"s","id":"1"}]}`:                                       incomplete,
		`{"results":[{"source":"s","id":"1","similarity":"0.5"}]}`:                    incomplete,
		`{"results":[{"source":"s","id":"1","similarity":null}]}`:                     incomplete,
		`{"results":[{"source":"s","id":"1","similarity":1e999}]}`:                    incomplete,
		`{"results":[{"source":null,"id":"1","similarity":1}]}`:                       incomplete,
		`{"results":[{"source":"s","id":"1","similarity":1},{"source":"s","id":[]}]}`: strings.Replace(incomplete, "1", "2", 1),
	} {
		_, err := serve(t, okJSON(body)).SimilarByText(t.Context(), "gap", 10, 0, "")
		wantTransport(t, err, "invalid JSON: "+reason)
	}
}

func TestStatusBodies(t *testing.T) {
	got, err := serve(t, okJSON(`{"version":"0.2.1","platforms":[
 {"source":"luogu","total":18446744073709551615,"missing_content":0,"not_embedded":339},
 {"source":"atcoder","total":null,"missing_content":-1,"not_embedded":1.5,"new":true}]}`)).Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := &Status{Version: "0.2.1", Platforms: []Platform{
		{Source: "luogu", Total: ptr(^uint64(0)), MissingContent: ptr(uint64(0)), NotEmbedded: ptr(uint64(339))},
		{Source: "atcoder"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	for body, reason := range map[string]string{
		`{}`:                                 "missing version",
		`{"version":null,"platforms":[]}`:    "missing version",
		`{"version":"1"}`:                    "missing platforms",
		`{"version":"1","platforms":null}`:   "missing platforms",
		`{"version":"1","platforms":["x"]}`:  "platform 1: expected an object",
		`{"version":"1","platforms":[null]}`: "platform 1: expected an object",
	} {
		_, err := serve(t, okJSON(body)).Status(t.Context())
		wantTransport(t, err, "invalid JSON: "+reason)
	}
}

// FuzzBodies feeds any bytes to every decoder. What is accepted has valid texts
// and, written out again, is accepted with the same meaning; what is refused
// gives one of the errors of section 9.
func FuzzBodies(f *testing.F) {
	for _, body := range []string{
		sampleProblem,
		`{"status":"fetching","retry_after":30}`,
		`{"rewritten_query":null,"results":[{"source":"s","id":1,"similarity":0.5}]}`,
		`{"source":"atcoder","id":"abc999_z","problem":null}`,
		`{"source":"leetcode","id":"1","problem":{"id":"1","tags":[]}}`,
		`{"version":"0.2.1","platforms":[{"source":"luogu","total":1,"missing_content":0,"not_embedded":3}]}`,
		`{"type":"about:blank","title":"Not Found","status":404,"detail":"problem not found"}`,
		"{", "[]", "null", "\xff", `{"id":"\ud800"}`, "",
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		checkExcerpt(t, body)
		o, err := parseObject(body)
		if err != nil {
			return
		}
		checkProblem(t, o)
		s, err := decodeSimilar(o)
		checkDecoded(t, s, err)
		st, err := decodeStatus(o)
		checkDecoded(t, st, err)
		p, err := decodeResolved(o)
		checkDecoded(t, p, err)
	})
}

func checkExcerpt(t *testing.T, body []byte) {
	c := New(Config{})
	retryAfter(response{isJSON: true, body: body})
	text := c.failureText(response{status: 500, isJSON: true, body: body})
	if !utf8.ValidString(text) || !strings.HasPrefix(text, "[") {
		t.Fatalf("failure text %q", text)
	}
	text = c.failureText(response{status: 500, body: body})
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > len("[500] ")+500 {
		t.Fatalf("fallback text %q", text)
	}
}

func checkDecoded[T any](t *testing.T, v *T, err error) {
	if (v == nil) == (err == nil) {
		t.Fatalf("decoded %v together with %v", v, err)
	}
	var transport *TransportError
	var unresolved *Unresolved
	if err != nil && !errors.As(err, &transport) && !errors.As(err, &unresolved) {
		t.Fatalf("error outside the closed list: %T", err)
	}
	if !utf8.ValidString(fmt.Sprint(v)) {
		t.Fatalf("invalid text in %q", fmt.Sprint(v))
	}
}

func checkProblem(t *testing.T, o object) {
	p, err := decodeProblem(o, "s")
	checkDecoded(t, p, err)
	if err != nil {
		return
	}
	again, err := json.Marshal(map[string]any{
		"source": p.Source, "id": p.ID, "title": p.Title, "title_cn": p.TitleCN, "content": p.Content,
		"content_cn": p.ContentCN, "difficulty": p.Difficulty, "link": p.Link, "tags": p.Tags, "ac_rate": p.ACRate,
	})
	if err != nil {
		t.Fatal(err)
	}
	o, err = parseObject(again)
	if err != nil {
		t.Fatal(err)
	}
	q, err := decodeProblem(o, "s")
	if diff := cmp.Diff(p, q); err != nil || diff != "" {
		t.Fatalf("%s decodes to something else: %v\n%s", again, err, diff)
	}
}
