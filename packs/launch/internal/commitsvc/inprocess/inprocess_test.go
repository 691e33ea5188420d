package inprocess_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/commitsvc/inprocess"
)

type key struct{}

func TestTransport(t *testing.T) {
	client := http.Client{Transport: inprocess.Transport(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Context().Value(key{}) != "value" {
			t.Errorf("%v, %v", err, r.Context().Value(key{}))
		}
		w.Header().Set("X-Seen", r.Host+r.RequestURI)
		if len(body) > 0 {
			w.WriteHeader(http.StatusTeapot)
			w.Header().Set("X-Late", "1")
			w.WriteHeader(http.StatusOK)
		}
		_, _ = w.Write(body)
	}))}
	for text, want := range map[string]int{"": 200, "tea": 418} {
		ctx := context.WithValue(t.Context(), key{}, "value")
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://nowhere.invalid/a?b=c", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil || string(body) != text || answer.StatusCode != want || answer.Header.Get("X-Seen") != "nowhere.invalid/a?b=c" || answer.Header.Get("X-Late") != "" {
			t.Errorf("%q: %v, %s, %v", text, answer, body, err)
		}
		answer.Body.Close()
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := http.NewRequestWithContext(stopped, http.MethodGet, "https://nowhere.invalid/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Do(r); !errors.Is(err, context.Canceled) {
		t.Errorf("a request that was given up: %v", err)
	}
}
