package judge_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"mcpworks/internal/secret"
	"mcpworks/packs/judge"

	"pgregory.net/rapid"
)

// A mirror is a backend that answers with what a property has just drawn.
type mirror struct {
	status      int
	contentType string
	body        string
	asked       []string
}

func (m *mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.asked = append(m.asked, r.Method+" "+r.RequestURI)
	w.Header()["Content-Type"] = nil
	if m.contentType != "" {
		w.Header().Set("Content-Type", m.contentType)
	}
	w.WriteHeader(m.status)
	w.Write([]byte(m.body))
}

func (m *mirror) showJSON(v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	m.status, m.contentType, m.body = http.StatusOK, "application/json", string(body)
}

const token = "sEcReT-0123"

func withToken(cfg *judge.Config) { cfg.Token = secret.New(token) }

// awkward draws text of which much has a meaning in tables or in JSON.
func awkward() *rapid.Generator[string] {
	return rapid.StringOf(rapid.OneOf(
		rapid.SampledFrom([]rune("||\\\\\\\n\r\t `*<>\u2028\u0085\x00é😀")),
		rapid.Rune(),
	))
}

// splitRow splits a table row into its cells as GitHub does. The two readings
// of backslashes differ between parsers: one looks at the character before a
// pipe only, the other counts how many there are. A row must survive both.
func splitRow(row string, counting bool) []string {
	var cells []string
	start, slashes := 0, 0
	for i := 0; i < len(row); i++ {
		switch row[i] {
		case '\\':
			slashes++
			continue
		case '|':
			escaped := slashes > 0
			if counting {
				escaped = slashes%2 == 1
			}
			if !escaped {
				cells = append(cells, strings.TrimSpace(row[start:i]))
				start = i + 1
			}
		}
		slashes = 0
	}
	return cells[1:] // nothing stands before the first pipe
}

func checkTable(t *rapid.T, lines []string, rows, columns int) {
	if len(lines) != rows {
		t.Fatalf("%d lines, want %d: %q", len(lines), rows, lines)
	}
	for _, line := range lines {
		for _, counting := range []bool{false, true} {
			if cells := splitRow(line, counting); len(cells) != columns || !strings.HasSuffix(line, "|") {
				t.Fatalf("%d cells, want %d: %q", len(cells), columns, line)
			}
		}
		if strings.ContainsAny(line, "\r\v\f\u0085\u2028\u2029") {
			t.Fatalf("a line break is left in %q", line)
		}
	}
}

// Every result gives one row of 7 cells, and a title can be read back.
func TestInvariant47EveryRowHasSevenColumns(t *testing.T) {
	m := &mirror{}
	s := against(t, m.ServeHTTP)
	rapid.Check(t, func(t *rapid.T) {
		type result struct {
			Source     string  `json:"source"`
			ID         string  `json:"id"`
			Title      *string `json:"title"`
			Difficulty *string `json:"difficulty"`
			Link       *string `json:"link"`
			Similarity float64 `json:"similarity"`
		}
		text := rapid.Ptr(awkward(), true)
		results := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) result {
			return result{
				awkward().Draw(t, "source"), awkward().Draw(t, "id"),
				text.Draw(t, "title"), text.Draw(t, "difficulty"), text.Draw(t, "link"),
				rapid.Float64Range(-1, 1).Draw(t, "similarity"),
			}
		}), 0, 4).Draw(t, "results")
		m.showJSON(map[string]any{"rewritten_query": text.Draw(t, "query"), "results": results})
		r := s.call(t, "find_similar_problems", `{"query":"gap"}`)
		if r.kind() != "result" {
			t.Fatalf("%s: %s", r.kind(), r.text())
		}
		lines := strings.Split(strings.TrimSuffix(r.text(), "\n"), "\n")
		if len(lines) < 6 || lines[0] != "# Similar Problems" || !strings.HasPrefix(lines[2], "Query: ") {
			t.Fatalf("layout is %q", r.text())
		}
		checkTable(t, lines[4:], 2+len(results), 7)
		for i, line := range lines[6:] {
			if cells := splitRow(line, true); cells[0] != strconv.Itoa(i+1) {
				t.Fatalf("row %d is %q", i+1, line)
			}
		}
	})
}

func TestInvariant50EveryRowHasFourColumns(t *testing.T) {
	m := &mirror{}
	s := against(t, m.ServeHTTP, withToken)
	rapid.Check(t, func(t *rapid.T) {
		sources := rapid.SliceOfN(awkward(), 0, 4).Draw(t, "sources")
		var platforms []map[string]any
		for _, source := range sources {
			platforms = append(platforms, map[string]any{"source": source, "total": 1, "missing_content": 2, "not_embedded": 3})
		}
		version := rapid.StringMatching(`[0-9]\.[0-9]\.[0-9]`).Draw(t, "version")
		m.showJSON(map[string]any{"version": version, "platforms": append([]map[string]any{}, platforms...)})
		text := s.call(t, "get_platform_status", `{}`).text()
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if lines[0] != "# OJ Platform Status (v"+version+")" {
			t.Fatalf("first line is %q", lines[0])
		}
		checkTable(t, lines[2:], 2+len(sources), 4)
	})
}

func TestInvariant51CountsReadBack(t *testing.T) {
	m := &mirror{}
	s := against(t, m.ServeHTTP, withToken)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64().Draw(t, "n")
		m.showJSON(map[string]any{"version": "1", "platforms": []any{map[string]any{"source": "p", "total": n}}})
		lines := strings.Split(s.call(t, "get_platform_status", `{}`).text(), "\n")
		shown := splitRow(lines[4], true)[1]
		if back := strings.ReplaceAll(shown, ",", ""); back != strconv.FormatUint(n, 10) {
			t.Fatalf("%d is shown as %s", n, shown)
		}
		for i, group := range strings.Split(shown, ",") {
			if len(group) != 3 && (i > 0 || len(group) > 3 || len(group) == 0) {
				t.Fatalf("%d is shown as %s", n, shown)
			}
		}
	})
}

// Whatever the statement holds, the text is valid and within its bound, and
// says so exactly when it was cut.
func TestInvariants57And59TextIsBoundedAndValid(t *testing.T) {
	m := &mirror{}
	s := against(t, m.ServeHTTP)
	rapid.Check(t, func(t *rapid.T) {
		// About as long as the limit, of pieces of every width.
		piece := rapid.SampledFrom([]string{"x", "é", "间", "😀", "<b>x</b>", "a\n\n", "10<sup>4</sup>", "&lt;", "<div>"}).Draw(t, "piece")
		near := 102_400 + rapid.IntRange(-200, 200).Draw(t, "distance")
		content := awkward().Draw(t, "head") + strings.Repeat(piece, max(near/len(piece), 1)) + awkward().Draw(t, "tail")
		source := rapid.SampledFrom([]string{"leetcode", "luogu", "unknown"}).Draw(t, "source")
		m.showJSON(map[string]string{"id": "1", "source": source, "title": "T", "content": content})
		r := s.call(t, "get_problem", `{"source":"x","id":"1"}`)
		if r.kind() != "result" {
			t.Fatalf("%s: %s", r.kind(), r.text())
		}
		checkText(t, r.text(), "")
		if cut := strings.HasSuffix(r.text(), "... (truncated)"); cut && len(r.text()) < 102_400-utf8.UTFMax {
			t.Fatalf("cut at %d bytes", len(r.text()))
		}
		if source == "luogu" && len(r.text()) <= 102_400 && !strings.HasPrefix(strings.TrimSpace(content), "<") &&
			!strings.HasSuffix(r.text(), "\n---\n\n"+content) {
			t.Fatalf("the statement was changed (invariant 56)")
		}
	})
}

// contentTypes are JSON, not JSON, and neither.
var contentTypes = []string{"application/json", "application/problem+json", "Application/JSON; charset=x", "text/html", "text/plain", ""}

func anyBody() *rapid.Generator[string] {
	document := rapid.Custom(func(t *rapid.T) string {
		member := rapid.SampledFrom([]any{nil, true, 404, 4.5, "text", []int{1}, map[string]int{"a": 1}})
		body, _ := json.Marshal(rapid.MapOf(rapid.SampledFrom([]string{"title", "status", "detail", "id", "Title"}), member).Draw(t, "document"))
		return string(body)
	})
	return rapid.OneOf(
		document,
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		awkward(),
		rapid.SampledFrom([]string{"", "{", "null", strings.Repeat("é", 600)}),
	)
}

var anyCall = []struct{ tool, arguments string }{
	{"get_daily_challenge", `{}`},
	{"get_problem", `{"source":"leetcode","id":"1"}`},
	{"find_similar_problems", `{"query":"gap"}`},
	{"find_similar_problems", `{"source":"leetcode","id":"1"}`},
	{"resolve_problem", `{"query":"gap"}`},
	{"get_platform_status", `{}`},
}

func TestInvariant21ErrorStatusesAreFailedResults(t *testing.T) {
	m := &mirror{}
	s := against(t, m.ServeHTTP, withToken)
	rapid.Check(t, func(t *rapid.T) {
		m.status = rapid.IntRange(400, 599).Draw(t, "status")
		m.contentType = rapid.SampledFrom(contentTypes).Draw(t, "content type")
		m.body = anyBody().Draw(t, "body")
		call := rapid.SampledFrom(anyCall).Draw(t, "call")
		r := s.call(t, call.tool, call.arguments)
		if r.kind() != "failed result" {
			t.Fatalf("%s: %s", r.kind(), r.text())
		}
		checkText(t, r.text(), token)
		isJSON := strings.HasPrefix(strings.ToLower(m.contentType), "application/")
		prefix := fmt.Sprintf("[%d] ", m.status)
		if !isJSON && !strings.HasPrefix(r.text(), prefix) {
			t.Fatalf("text is %q", r.text())
		}
		if body := strings.TrimPrefix(r.text(), prefix); !isJSON && utf8.RuneCountInString(body) > 500 {
			t.Fatalf("%d scalars of the body are shown (invariant 24)", utf8.RuneCountInString(body))
		}
	})
}

// Without JSON's content type a body is only ever shown: what would be a
// success with it is a failed result.
func TestInvariant9OnlyJSONIsParsed(t *testing.T) {
	m := &mirror{body: `{"id":"1","results":[],"version":"1","platforms":[],"problem":{"id":"1"},"title":"T","status":1}`}
	s := against(t, m.ServeHTTP, withToken)
	rapid.Check(t, func(t *rapid.T) {
		m.status = rapid.SampledFrom([]int{200, 201, 206, 400, 404, 500, 503}).Draw(t, "status")
		m.contentType = rapid.StringMatching(`(text|image|x)/[a-z+]{1,8}(; charset=utf-8)?`).Draw(t, "content type")
		call := rapid.SampledFrom(anyCall).Draw(t, "call")
		r := s.call(t, call.tool, call.arguments)
		if want := fmt.Sprintf("[%d] %s", m.status, m.body); r.kind() != "failed result" || r.text() != want {
			t.Fatalf("%s: %q, want %q", r.kind(), r.text(), want)
		}
	})
}

// anyArgument draws what a model might send as one argument.
func anyArgument() *rapid.Generator[any] {
	return rapid.OneOf(
		rapid.Map(awkward(), func(s string) any { return s }),
		rapid.Map(rapid.SampledFrom([]string{"", " ", ".", "..", "com", "cn", "2026-01-01", "leetcode", "../..", "a?b#c", "%2e%2e", "//"}), func(s string) any { return s }),
		rapid.Map(rapid.Float64Range(-2, 60), func(f float64) any { return f }),
		rapid.Map(rapid.IntRange(-1, 60), func(n int) any { return n }),
		rapid.SampledFrom([]any{nil, true, []any{}, map[string]any{}}),
	)
}

// Whatever a model sends, it is answered with a failed result and no request,
// or with exactly one GET to a route of section 6.
func TestInvariant14EveryRequestIsOneOfTheRoutes(t *testing.T) {
	m := &mirror{status: http.StatusNotFound, contentType: "text/plain", body: "gone"}
	s := against(t, m.ServeHTTP, withToken)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"domain", "date", "source", "id", "query", "limit", "threshold", "source_filter", "extra"})
		arguments, err := json.Marshal(rapid.MapOf(name, anyArgument()).Draw(t, "arguments"))
		if err != nil {
			t.Fatal(err)
		}
		m.asked = nil
		r := s.call(t, rapid.SampledFrom(order).Draw(t, "tool"), string(arguments))
		switch {
		case r.kind() != "failed result":
			t.Fatalf("%s: %s", r.kind(), r.text())
		case len(m.asked) > 1:
			t.Fatalf("requests: %q", m.asked)
		case len(m.asked) == 0 && r.text() == "[404] gone", len(m.asked) == 1 && r.text() != "[404] gone":
			t.Fatalf("requests %q, but the answer is %q", m.asked, r.text())
		}
		for _, request := range m.asked {
			if target, ok := strings.CutPrefix(request, "GET "); !ok || !routes.MatchString(target) {
				t.Fatalf("request is %q", request)
			}
		}
	})
}
