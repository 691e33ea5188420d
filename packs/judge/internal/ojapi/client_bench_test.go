package ojapi

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"mcpworks/internal/secret"
)

// BenchmarkProblem and BenchmarkBareGet differ by what the client adds to a
// request.
func BenchmarkProblem(b *testing.B) {
	s := benchServer(b)
	o, _ := ParseOrigin(s.URL)
	c := New(Config{Origin: o, Token: secret.New("a-token/with+signs")})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Problem(b.Context(), "leetcode", "4021"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBareGet(b *testing.B) {
	s := benchServer(b)
	client := &http.Client{Transport: newTransport()}
	b.ReportAllocs()
	for b.Loop() {
		resp, err := client.Get(s.URL + "/api/v1/problems/leetcode/4021")
		if err != nil {
			b.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

func benchServer(b *testing.B) *httptest.Server {
	s := httptest.NewServer(okJSON(benchBody()))
	b.Cleanup(s.Close)
	return s
}

// benchBody holds a statement of 2 kB, as most problems have.
func benchBody() string {
	content, _ := json.Marshal(strings.Repeat("<p>Return the <b>widest</b> gap &amp; more.</p>\n", 43))
	return `{"id":"4021","source":"leetcode","title":"Widest Gap","tags":["a","b"],"content":` + string(content) + `}`
}

func BenchmarkDecodeProblem(b *testing.B) {
	body := []byte(benchBody())
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		o, err := parseObject(body)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := decodeProblem(o, ""); err != nil {
			b.Fatal(err)
		}
	}
}
