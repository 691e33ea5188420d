package sample_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"mcpworks/internal/secret"
	"mcpworks/packs/judge/internal/ojapi"
	"mcpworks/packs/judge/sample"

	gocmp "github.com/google/go-cmp/cmp"
)

// evening is the time for all tests: the 5th of March 2026 in UTC, at 20:30.
func evening() time.Time { return time.Date(2026, 3, 5, 20, 30, 0, 0, time.UTC) }

func ask(t *testing.T, h http.Handler, target string, header ...string) (status int, contentType, body string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for _, auth := range header {
		r.Header.Set("Authorization", auth)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Header().Get("Content-Type"), w.Body.String()
}

func TestErrors(t *testing.T) {
	h := sample.Handler(sample.Options{Now: evening})
	for target, want := range map[string]struct {
		status int
		detail string
	}{
		"/api/v1/daily?domain=org":                            {400, "domain must be 'com' or 'cn'"},
		"/api/v1/daily?date=5.3.2026":                         {400, "invalid date format, expected YYYY-MM-DD"},
		"/api/v1/daily?date=":                                 {400, "invalid date format, expected YYYY-MM-DD"},
		"/api/v1/daily?date=2026-02-30":                       {400, "invalid calendar date"},
		"/api/v1/daily?date=2020-03-31":                       {400, "date must be >= 2020-04-01"},
		"/api/v1/daily?date=2026-03-06":                       {400, "date must be <= today"},
		"/api/v1/daily?domain=cn&date=2026-03-07":             {400, "date must be <= today"},
		"/api/v1/daily?domain=cn&source=leetcode.com":         {400, "domain and source conflict"},
		"/api/v1/daily?source=spoj":                           {400, "source must be 'leetcode.com' or 'leetcode.cn'"},
		"/api/v1/problems/LeetCode/1":                         {400, "invalid source: LeetCode"},
		"/api/v1/problems/a%2Fb/c":                            {400, "invalid source: a/b"},
		"/api/v1/problems/leetcode/1":                         {404, "problem not found"},
		"/api/v1/problems/leetcode/widest-gap":                {404, "problem not found"},
		"/api/v1/similar":                                     {400, "query parameter is required"},
		"/api/v1/similar?q=%20":                               {400, "query parameter is required"},
		"/api/v1/similar?q=%22ab%22":                          {400, "query must be at least 3 characters"},
		"/api/v1/similar?q=" + strings.Repeat("x", 2001):      {400, "query must be at most 2000 characters"},
		"/api/v1/similar?q=" + strings.Repeat("%C3%A9", 1001): {400, "query must be at most 2000 characters"},
		"/api/v1/similar/leetcode/1":                          {404, "no embedding found for this problem"},
		"/api/v1/similar/spoj/SP99002":                        {404, "no embedding found for this problem"},
	} {
		status, contentType, body := ask(t, h, target)
		var got struct {
			Type, Title, Detail string
			Status              int
		}
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Errorf("%s: %v in %s", target, err, body)
			continue
		}
		if status != want.status || got.Status != want.status || got.Detail != want.detail ||
			got.Type != "about:blank" || got.Title != http.StatusText(status) || contentType != "application/problem+json" {
			t.Errorf("%s: %d %s %s; want %d %q", target, status, contentType, body, want.status, want.detail)
		}
	}
}

func TestErrorsThatAreNoDocuments(t *testing.T) {
	h := sample.Handler(sample.Options{})
	if status, contentType, body := ask(t, h, "/nowhere"); status != 404 || contentType != "" || body != "" {
		t.Errorf("unknown route: %d %q %q", status, contentType, body)
	}
	for _, target := range []string{"/api/v1/similar?q=gap&limit=abc", "/api/v1/similar?q=gap&threshold=x"} {
		if status, contentType, _ := ask(t, h, target); status != 400 || !strings.HasPrefix(contentType, "text/plain") {
			t.Errorf("%s: %d %q", target, status, contentType)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/status", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST gives %d", w.Code)
	}
}

func TestToken(t *testing.T) {
	h := sample.Handler(sample.Options{Token: secret.New("let me in")})
	for _, target := range []string{"/status", "/api/v1/daily", "/api/v1/problems/leetcode/4021", "/api/v1/resolve/4021", "/api/v1/similar?q=gap"} {
		for _, auth := range []string{"", "Bearer ", "Bearer wrong", "let me in", "bearer let me in"} {
			status, _, body := ask(t, h, target, auth)
			if status != http.StatusUnauthorized || !strings.Contains(body, "missing or invalid token") {
				t.Errorf("%s with %q: %d %s", target, auth, status, body)
			}
		}
		if status, _, body := ask(t, h, target, "Bearer let me in"); status != http.StatusOK {
			t.Errorf("%s with the token: %d %s", target, status, body)
		}
	}
	if status, _, _ := ask(t, h, "/health"); status != http.StatusOK {
		t.Errorf("/health: %d", status)
	}
	if status, _, _ := ask(t, h, "/nowhere"); status != http.StatusNotFound {
		t.Errorf("an unknown route: %d", status)
	}
}

// newClient connects the judge's own client with the sample.
func newClient(t *testing.T) *ojapi.Client {
	s := httptest.NewServer(sample.Handler(sample.Options{Now: evening}))
	t.Cleanup(s.Close)
	origin, err := ojapi.ParseOrigin(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return ojapi.New(ojapi.Config{Origin: origin})
}

func TestDailyForEveryDay(t *testing.T) {
	c := newClient(t)
	seen := map[string]bool{}
	for day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); day.Before(evening()); day = day.AddDate(0, 0, 1) {
		date := day.Format(time.DateOnly)
		first, err := c.Daily(t.Context(), "com", date)
		if err != nil {
			t.Fatal(err)
		}
		again, err := c.Daily(t.Context(), "com", date)
		if diff := gocmp.Diff(first, again); err != nil || diff != "" {
			t.Fatalf("%s differs between two calls: %v\n%s", date, err, diff)
		}
		seen[first.ID] = true
	}
	if len(seen) < 2 {
		t.Errorf("only %v in a quarter", seen)
	}
	for _, date := range []string{"2020-04-01", "2026-03-06"} { // it is the 6th in UTC+8
		if _, err := c.Daily(t.Context(), "cn", date); err != nil {
			t.Errorf("cn on %s: %v", date, err)
		}
	}
}

func TestDailyBody(t *testing.T) {
	_, contentType, body := ask(t, sample.Handler(sample.Options{Now: evening}), "/api/v1/daily?source=leetcode.cn")
	var got map[string]any
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	if _, has := got["source"]; has || got["date"] != "2026-03-06" || got["domain"] != "cn" || got["id"] == nil || contentType != "application/json" {
		t.Errorf("daily body: %s", body)
	}
}

func TestResolve(t *testing.T) {
	c := newClient(t)
	for query, want := range map[string]string{
		"https://leetcode.com/problems/widest-gap/":               "leetcode/4021",
		"https://leetcode.cn/problems/widest-gap":                 "leetcode/4021",
		"https://leetcode.com/problems/lantern-rows/description/": "leetcode/4022",
		"leetcode:widest-gap":                                     "leetcode/4021",
		"leetcode:4021":                                           "leetcode/4021",
		"4023":                                                    "leetcode/4023",
		"quiet-queries":                                           "leetcode/4023",
		"9001A":                                                   "codeforces/9001A",
		"CF9001A":                                                 "codeforces/9001A",
		"cf9002c":                                                 "codeforces/9002C",
		"codeforces:9002C":                                        "codeforces/9002C",
		"https://codeforces.com/contest/9001/problem/A":    "codeforces/9001A",
		"https://codeforces.com/problemset/problem/9002/C": "codeforces/9002C",
		"abc901_a": "atcoder/abc901_a",
		"https://atcoder.jp/contests/abc902/tasks/abc902_d": "atcoder/abc902_d",
		"SP99001": "spoj/SP99001",
		"P99001":  "luogu/P99001",
		"B99002":  "luogu/B99002",
		"https://www.luogu.com.cn/problem/P99001": "luogu/P99001",
	} {
		p, err := c.Resolve(t.Context(), query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
		} else if got := p.Source + "/" + p.ID; got != want {
			t.Errorf("%s resolves to %s, want %s", query, got, want)
		}
	}
}

func TestUnresolved(t *testing.T) {
	c := newClient(t)
	for query, want := range map[string]ojapi.Unresolved{
		"abc999_z":             {Source: "atcoder", ID: "abc999_z"},
		"1":                    {Source: "leetcode", ID: "1"},
		"leetcode/widest-gap":  {Source: "leetcode", ID: "leetcode/widest-gap"},
		"https://example.com/": {Source: "unknown", ID: "https://example.com/"},
		"uva:100":              {Source: "uva", ID: "100"},
		"UVA100":               {Source: "luogu", ID: "UVA100"},
		"1900A":                {Source: "codeforces", ID: "1900A"},
		"100% sure":            {Source: "leetcode", ID: "100% sure"},
	} {
		_, err := c.Resolve(t.Context(), query)
		var got *ojapi.Unresolved
		if !errors.As(err, &got) || *got != want {
			t.Errorf("%s: %v, want %v", query, err, want)
		}
	}
}

func TestResolveDecodesTwiceAndTakesPlainURLs(t *testing.T) {
	h := sample.Handler(sample.Options{})
	for _, query := range []string{"https%253A%252F%252Fleetcode.com%252Fproblems%252Fwidest-gap", "https://leetcode.com/problems/widest-gap/"} {
		if _, _, body := ask(t, h, "/api/v1/resolve/"+query); !strings.Contains(body, `"problem":{"id":"4021"`) {
			t.Errorf("%s: %s", query, body)
		}
	}
}

func TestSimilarIsRankedAndBounded(t *testing.T) {
	c := newClient(t)
	all, err := c.SimilarByText(t.Context(), "the widest gap between neighbours after sorting", 50, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	if all.RewrittenQuery != "widest gap between neighbours after sorting" || len(all.Results) < 3 || all.Results[0].ID == "" {
		t.Fatalf("similar: %+v", all)
	}
	if !slices.IsSortedFunc(all.Results, func(a, b ojapi.Match) int { return cmp.Compare(b.Similarity, a.Similarity) }) {
		t.Errorf("not sorted: %+v", all.Results)
	}
	two, err := c.SimilarByText(t.Context(), "the widest gap between neighbours after sorting", 2, 0, "")
	if diff := gocmp.Diff(all.Results[:2], two.Results); err != nil || diff != "" {
		t.Errorf("limit 2: %v\n%s", err, diff)
	}
	lowest := all.Results[1].Similarity
	some, err := c.SimilarByText(t.Context(), "the widest gap between neighbours after sorting", 50, lowest, "")
	if err != nil || len(some.Results) == 0 || slices.ContainsFunc(some.Results, func(m ojapi.Match) bool { return m.Similarity < lowest }) {
		t.Errorf("threshold: %+v, %v", some, err)
	}
	spoj, err := c.SimilarByText(t.Context(), "widest gap", 50, 0, "spoj,luogu")
	if err != nil || spoj.RewrittenQuery != "" || len(spoj.Results) != 1 || spoj.Results[0].Source != "spoj" {
		t.Errorf("source filter: %+v, %v", spoj, err)
	}
}

func TestSimilarToAProblemLeavesItOut(t *testing.T) {
	c := newClient(t)
	s, err := c.SimilarByProblem(t.Context(), "leetcode", "4021", 10, 0, "")
	if err != nil || len(s.Results) == 0 || s.RewrittenQuery != "" {
		t.Fatalf("similar: %+v, %v", s, err)
	}
	for _, m := range s.Results {
		if m.Source == "leetcode" && m.ID == "4021" || m.Similarity <= 0 || m.Similarity >= 1 {
			t.Errorf("result %+v", m)
		}
	}
	if s.Results[0].ID != "P99001" { // the same problem in Chinese
		t.Errorf("best match is %+v", s.Results[0])
	}
}

func TestEmptySourceDropsEverything(t *testing.T) {
	_, _, body := ask(t, sample.Handler(sample.Options{}), "/api/v1/similar?q=widest+gap&source=")
	if !strings.Contains(body, `"results":[]`) {
		t.Errorf("body: %s", body)
	}
}

func TestStatusCounts(t *testing.T) {
	s, err := newClient(t).Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range s.Platforms {
		b, _ := json.Marshal(p)
		got = append(got, string(b))
	}
	want := []string{
		`{"Source":"atcoder","Total":2,"MissingContent":0,"NotEmbedded":0}`,
		`{"Source":"codeforces","Total":2,"MissingContent":0,"NotEmbedded":0}`,
		`{"Source":"leetcode","Total":3,"MissingContent":0,"NotEmbedded":0}`,
		`{"Source":"luogu","Total":2,"MissingContent":0,"NotEmbedded":0}`,
		`{"Source":"spoj","Total":2,"MissingContent":1,"NotEmbedded":1}`,
	}
	if diff := gocmp.Diff(want, got); diff != "" || s.Version != sample.Version {
		t.Errorf("status of version %s (-want +got):\n%s", s.Version, diff)
	}
}

// A problem's texts must reach the client byte for byte.
func TestProblemBody(t *testing.T) {
	p, err := newClient(t).Problem(t.Context(), "luogu", "P99001")
	if err != nil {
		t.Fatal(err)
	}
	if p.Title != "最大间隔" || p.Difficulty != "普及/提高-" || !strings.HasPrefix(p.Content, "# 题目描述\n\n") || p.ACRate == nil {
		t.Errorf("problem: %+v", p)
	}
	p, err = newClient(t).Problem(t.Context(), "spoj", "SP99002")
	if err != nil || p.Content != "" {
		t.Errorf("problem without statement: %+v, %v", p, err)
	}
}

func ExampleHandler() {
	s := httptest.NewServer(sample.Handler(sample.Options{}))
	defer s.Close()
	resp, err := http.Get(s.URL + "/health")
	if err != nil {
		return
	}
	defer resp.Body.Close()
	io.Copy(os.Stdout, resp.Body)
	// Output: {"status":"ok"}
}
