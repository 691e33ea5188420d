package commitsvc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/internal/secret"
	"mcpworks/packs/launch/internal/commitsvc"
)

// how each answer is taken, and how often it was asked for.
func TestFailures(t *testing.T) {
	type taken struct {
		Code                          string
		Retryable, Blocked, Resumable bool
		Tries                         int
	}
	for name, test := range map[string]struct {
		status int
		header map[string]string
		want   taken
	}{
		"401":       {401, nil, taken{"COMMIT_SERVICE_AUTH_FAILED", false, true, false, 1}},
		"403":       {403, nil, taken{"COMMIT_SERVICE_AUTH_FAILED", false, true, false, 1}},
		"409":       {409, nil, taken{"COMMIT_SERVICE_CONFLICT", false, false, false, 1}},
		"413":       {413, nil, taken{"COMMIT_SERVICE_ERROR", false, false, false, 1}},
		"429":       {429, map[string]string{"Retry-After": "3"}, taken{"COMMIT_SERVICE_RATE_LIMITED", true, false, true, 4}},
		"429 late":  {429, map[string]string{"Retry-After": "1800"}, taken{"COMMIT_SERVICE_RATE_LIMITED", true, false, true, 1}},
		"500":       {500, nil, taken{"COMMIT_SERVICE_ERROR", true, false, true, 1}},
		"502":       {502, nil, taken{"COMMIT_SERVICE_NETWORK_FAILED", true, false, true, 4}},
		"503":       {503, nil, taken{"COMMIT_SERVICE_NETWORK_FAILED", true, false, true, 4}},
		"504":       {504, nil, taken{"COMMIT_SERVICE_NETWORK_FAILED", true, false, true, 4}},
		"redirect":  {307, map[string]string{"Location": "https://elsewhere.example/"}, taken{"COMMIT_SERVICE_ERROR", false, false, false, 1}},
		"no answer": {200, nil, taken{"COMMIT_SERVICE_ERROR", false, false, false, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var tries atomic.Int64
			far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				tries.Add(1)
				answering(test.status, test.header)(w, r)
			}))
			defer far.Close()
			s := &service{http: far}
			client := s.client(t, func(c *commitsvc.ClientConfig) { c.URL = far.URL })
			asked, err := request(strings.Repeat("1", 40))
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.Commit(t.Context(), asked)
			failed := failure(t, err)
			got := taken{failed.ErrorCode(), failed.Retryable(), failed.Blocked(), failed.Resumable(), int(tries.Load())}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}
			if name == "429" {
				want = []time.Duration{3 * time.Second, 3 * time.Second, 4 * time.Second}
			}
			if diff := cmp.Diff(want[:got.Tries-1], s.waits); got.Tries > 1 && diff != "" {
				t.Error(diff)
			}
		})
	}
}

// the answer is lost after the commit, twice and in different ways; there
// is one commit, and the client knows it.
func TestLostAnswers(t *testing.T) {
	s := serve(t, nil)
	var tries atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		s.server.ServeHTTP(answer, r)
		switch tries.Add(1) {
		case 1: // the connection is cut
			panic(http.ErrAbortHandler)
		case 2: // the answer is cut
			w.Header().Set("Content-Length", fmt.Sprint(answer.Body.Len()))
			w.WriteHeader(answer.Code)
			_, _ = io.CopyN(w, answer.Body, 10)
			panic(http.ErrAbortHandler)
		case 3: // a proxy gives up
			w.WriteHeader(http.StatusGatewayTimeout)
		default:
			w.WriteHeader(answer.Code)
			_, _ = io.Copy(w, answer.Body)
		}
	}))
	defer proxy.Close()
	client := s.client(t, func(c *commitsvc.ClientConfig) { c.URL = proxy.URL })
	made, err := client.Commit(t.Context(), s.request(t))
	if err != nil || tries.Load() != 4 {
		t.Fatalf("%d tries, %v", tries.Load(), err)
	}
	s.once(t, made.CommitSHA)
	tries.Store(0)
	opened, err := client.OpenPR(t.Context(), prRequest(s.request(t)))
	if records, readErr := s.site.PullRequests(); err != nil || readErr != nil || *opened.Number != 1 || len(records) != 1 {
		t.Errorf("%+v, %v, %v, %d records", opened, err, readErr, len(records))
	}
}

// 11.2: a service that does not answer in time is asked again.
func TestSilence(t *testing.T) {
	release := make(chan struct{})
	var tries atomic.Int64
	far := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		tries.Add(1)
		<-release
	}))
	defer far.Close()
	defer close(release)
	s := &service{http: far}
	client := s.client(t, func(c *commitsvc.ClientConfig) { c.URL, c.CallTime = far.URL, time.Millisecond })
	err := client.Health(t.Context())
	if failed := failure(t, err); failed.ErrorCode() != "COMMIT_SERVICE_NETWORK_FAILED" || len(s.waits) != 3 {
		t.Errorf("%v after %v", failed, s.waits)
	}
}

// A client that was told to stop does not try again.
func TestWaitEnds(t *testing.T) {
	far := httptest.NewServer(answering(503, nil))
	defer far.Close()
	client, err := commitsvc.NewClient(commitsvc.ClientConfig{URL: far.URL, Wait: nil})
	if err != nil {
		t.Fatal(err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := client.Health(stopped); !errors.As(err, new(*commitsvc.Failure)) {
		t.Errorf("%v", err)
	}
	for _, address := range []string{"", "embedded:", "http://far.example", "https://u:p@far.example", "https://far.example/?q=1", "ftp://far.example"} {
		if _, err := commitsvc.NewClient(commitsvc.ClientConfig{URL: address}); err == nil {
			t.Errorf("%q is taken", address)
		}
	}
}

// 11.2, S-20: who may ask, and what is written down about it.
func TestTokens(t *testing.T) {
	asks := 0
	s := serve(t, func(c *commitsvc.Config) {
		verify := c.Verify
		c.Verify = func(ctx context.Context, token string) (commitsvc.Grant, bool, error) {
			asks++
			if token == "unknown-to-anybody-00" {
				return commitsvc.Grant{}, false, errors.New("the verifier is away")
			}
			return verify(ctx, token)
		}
	})
	asked := s.request(t)
	for _, test := range []struct {
		token, code string
		status      int
	}{
		{"", commitsvc.InvalidToken, 401},
		{"wrong-token-0000000000", commitsvc.InvalidToken, 401},
		{"two words", commitsvc.InvalidToken, 401},
		{"old-token-00000001", commitsvc.InvalidToken, 401},
		{"read-only-token-0001", commitsvc.InsufficientScope, 403},
		{"unknown-to-anybody-00", commitsvc.Unavailable, 503},
	} {
		client := s.client(t, func(c *commitsvc.ClientConfig) { c.Token = secret.New(test.token) })
		_, err := client.Commit(t.Context(), asked)
		if failed := failure(t, err); failed.Code != test.code || failed.Status != test.status {
			t.Errorf("%q: %v", test.token, failed)
		}
	}
	asks = 0
	for range 3 {
		if _, err := s.client(t, nil).Commit(t.Context(), asked); err != nil {
			t.Fatal(err)
		}
	}
	s.clock.at = s.clock.at.Add(5 * time.Minute)
	if _, err := s.client(t, nil).Commit(t.Context(), asked); err != nil || asks != 2 {
		t.Errorf("the verifier was asked %d times, %v", asks, err)
	}
	log, err := os.ReadFile(filepath.Join(s.dir, "commits", "audit.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []string{token, "wrong-token", "read-only", "two words"} {
		if strings.Contains(string(log), hidden) {
			t.Errorf("the audit log has %q", hidden)
		}
	}
	for _, line := range []string{
		`{"time":"2026-01-01T00:00:01.000Z","token_id":"cdef","action":"commit","result":"created","run_id":"` + runID + `"}`,
		`{"time":"2026-01-01T00:05:01.000Z","token_id":"cdef","action":"commit","result":"replayed","run_id":"` + runID + `"}`,
		`{"time":"2026-01-01T00:00:01.000Z","token_id":"0001","action":"commit","result":"AUTH_INSUFFICIENT_SCOPE"}`,
	} {
		if !strings.Contains(string(log), line+"\n") {
			t.Errorf("no line %s in\n%s", line, log)
		}
	}
}

// C-11: a hundred in an hour, and no more in any hour.
func TestHundredInAnHour(t *testing.T) {
	s := serve(t, nil)
	ask := func() int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.http.URL+commitsvc.CommitPath, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode == 429 && answer.Header.Get("Retry-After") != "1800" {
			t.Errorf("wait for %s", answer.Header.Get("Retry-After"))
		}
		return answer.StatusCode
	}
	count := map[int]int{}
	for range 50 {
		count[ask()]++
	}
	s.clock.at = s.clock.at.Add(30 * time.Minute)
	for range 51 {
		count[ask()]++
	}
	if diff := cmp.Diff(map[int]int{400: 100, 429: 1}, count); diff != "" {
		t.Error(diff)
	}
	s.clock.at = s.clock.at.Add(30 * time.Minute)
	if got := ask(); got != 400 {
		t.Errorf("after an hour: %d", got)
	}
}
