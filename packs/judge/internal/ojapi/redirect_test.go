package ojapi

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"mcpworks/internal/secret"

	"github.com/google/go-cmp/cmp"
)

// hops plays a network in which each URL of a chain redirects to the next, and
// records the Authorization header that each hop saw.
type hops struct {
	chain []string
	saw   []string
}

func (h *hops) RoundTrip(r *http.Request) (*http.Response, error) {
	h.saw = append(h.saw, r.Header.Get("Authorization"))
	w := httptest.NewRecorder()
	if len(h.saw) <= len(h.chain) {
		http.Redirect(w, r, h.chain[len(h.saw)-1], http.StatusFound)
	} else {
		okJSON(`{"id":"1"}`)(w, r)
	}
	resp := w.Result()
	resp.Request = r
	if r.Header.Get("Referer") != "" {
		resp.StatusCode = http.StatusTeapot // the query must not be told to others
	}
	return resp, nil
}

func TestInvariant12TokenStaysInTheOrigin(t *testing.T) {
	const with, without = "Bearer " + token, ""
	for _, tt := range []struct {
		origin string
		chain  []string
		want   []string
	}{
		{"https://h", []string{"https://h/b"}, []string{with, with}},
		{"https://h", []string{"/b", "c"}, []string{with, with, with}},
		{"https://h", []string{"https://h:443/b"}, []string{with, with}},
		{"https://h:443", []string{"https://H/b"}, []string{with, with}},
		{"http://h:80", []string{"http://h/b"}, []string{with, with}},
		{"https://h", []string{"https://h:8443/b"}, []string{with, without}},
		{"https://h", []string{"http://h/b"}, []string{with, without}},
		{"https://h", []string{"http://h:443/b"}, []string{with, without}},
		{"http://h", []string{"https://h/b"}, []string{with, without}},
		{"https://h", []string{"https://other/b"}, []string{with, without}},
		{"https://h", []string{"https://sub.h/b"}, []string{with, without}},
		{"https://h", []string{"//other/b"}, []string{with, without}},
		// Once outside, it never comes back.
		{"https://h", []string{"https://h:8443/b", "https://h/c"}, []string{with, without, without}},
		{"https://h", []string{"https://other/b", "https://h/c", "/d"}, []string{with, without, without, without}},
		{"https://h", []string{"/b", "http://h/c", "https://h/d"}, []string{with, with, without, without}},
	} {
		network := &hops{chain: tt.chain}
		c := New(Config{Origin: originAt(t, tt.origin), Transport: network, Token: secret.New(token)})
		if _, err := c.Problem(t.Context(), "s", "1"); err != nil {
			t.Errorf("%s %v: %v", tt.origin, tt.chain, err)
		}
		if diff := cmp.Diff(tt.want, network.saw); diff != "" {
			t.Errorf("%s %v: Authorization (-want +got):\n%s", tt.origin, tt.chain, diff)
		}
	}
}

func TestInvariant12OnTheNetwork(t *testing.T) {
	var foreignAuth []string
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		foreignAuth = r.Header["Authorization"]
		okJSON(`{"id":"1"}`)(w, r)
	}))
	defer foreign.Close()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, foreign.URL+"/elsewhere", http.StatusTemporaryRedirect)
	}, withToken)
	if _, err := c.Problem(t.Context(), "s", "1"); err != nil {
		t.Fatal(err)
	}
	if foreignAuth != nil {
		t.Errorf("the other port got Authorization %q", foreignAuth)
	}
}

func TestInvariant13TenRedirectsAreFollowed(t *testing.T) {
	redirects := func(n int) *Client {
		return serve(t, func(w http.ResponseWriter, r *http.Request) {
			done, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/hop/"))
			if done == n {
				okJSON(`{"id":"1"}`)(w, r)
				return
			}
			http.Redirect(w, r, "/hop/"+strconv.Itoa(done+1), http.StatusFound)
		})
	}
	if _, err := redirects(10).Problem(t.Context(), "s", "1"); err != nil {
		t.Errorf("ten redirects: %v", err)
	}
	_, err := redirects(11).Problem(t.Context(), "s", "1")
	wantTransport(t, err, "request failed: stopped after 10 redirects")
	_, err = redirects(-1).Problem(t.Context(), "s", "1")
	wantTransport(t, err, "request failed: stopped after 10 redirects")
}

func TestUnusableRedirects(t *testing.T) {
	for location, want := range map[string]string{
		"ftp://h/x":            "request failed: unsupported protocol scheme",
		"http://h:x/?q=secret": "request failed: failed to parse Location header",
	} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", location)
			w.WriteHeader(http.StatusFound)
		})
		_, err := c.Status(t.Context())
		wantTransport(t, err, want)
	}
}

func TestOriginHolds(t *testing.T) {
	u, _ := url.Parse("https://h/x")
	if !originAt(t, "https://h").holds(u) || (Origin{}).holds(u) || originAt(t, "https://h").holds(&url.URL{}) {
		t.Error("holds must compare scheme, host and port")
	}
}
