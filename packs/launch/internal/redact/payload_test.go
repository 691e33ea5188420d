package redact_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/redact"
)

// 12.4: what is read back from a payload is what was written, whatever it looks
// like; prose beside it is not spared, and known secrets never are.
func TestPayload(t *testing.T) {
	const slug, secret = "sk-image-processing-kit2026", "words-of-the-environment"
	r := redact.New(redact.Rules{Values: []string{secret}, Places: []redact.Place{{Path: "/ann", Name: "home"}}})
	got := r.Payload(map[string]any{
		"product_slug": slug, "inputs": map[string]any{"drafts/" + slug + "/token": "0123"}, "issue": map[string]any{"files": []any{slug}, "message": slug},
		"url": "file:///ann/repo", "branch": "launch/" + secret, "api_token": "x", "password": nil, "attempt": 1.0,
	})
	want := map[string]any{
		"product_slug": slug, "inputs": map[string]any{"drafts/" + slug + "/token": "0123"}, "issue": map[string]any{"files": []any{slug}, "message": redact.Redacted},
		"url": "file:///ann/repo", "branch": "launch/" + redact.Redacted, "api_token": redact.Redacted, "password": nil, "attempt": 1.0,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
