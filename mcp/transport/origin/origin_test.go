package origin_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"mcpworks/mcp/transport/origin"
)

func TestSame(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"http://example.com", "http://example.com/path?query", true},
		{"http://example.com", "http://EXAMPLE.com:80/", true},
		{"https://example.com", "https://example.com:443/", true},
		{"https://user@example.com", "https://example.com", true},
		{"http://[::1]:8080/a", "http://[::1]:8080/b", true},
		{"http://example.com", "https://example.com", false},
		{"http://example.com:443", "https://example.com", false},
		{"http://example.com", "http://example.com:8080", false},
		{"http://example.com", "http://www.example.com", false},
		{"http://example.com", "http://example.com.", false},
		{"http://localhost", "http://127.0.0.1", false},
	} {
		a, errA := url.Parse(test.a)
		b, errB := url.Parse(test.b)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if origin.Same(a, b) != test.want || origin.Same(b, a) != test.want {
			t.Errorf("Same(%s, %s) is not %v", test.a, test.b, test.want)
		}
	}
}

func TestRedirectsWithinTheOriginEndSomewhere(t *testing.T) {
	asked := 0
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, r.URL.Path+"x", http.StatusTemporaryRedirect)
	}))
	defer web.Close()
	refused := 0
	client := web.Client()
	for _, allowed := range []int{100, 2} {
		client.CheckRedirect = func(_ *http.Request, via []*http.Request) error {
			if len(via) > allowed {
				refused++
				return http.ErrUseLastResponse
			}
			return nil
		}
		c, err := origin.New(web.URL, origin.Options{Client: client})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := c.Do(t.Context(), http.MethodPost, c.URL, nil, []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		e := origin.Refusal(resp, 100)
		origin.Discard(resp)
		if want := strings.Repeat("x", min(allowed, 5)+1); e.Status != http.StatusTemporaryRedirect || !strings.HasSuffix(e.Location, want) {
			t.Errorf("%v to %s", e, e.Location)
		}
	}
	if asked != 6+3 || refused != 1 {
		t.Errorf("%d requests; the client's own rule refused %d", asked, refused)
	}
}
