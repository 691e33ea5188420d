package redact_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mcpworks/packs/launch/internal/redact"
)

// 12.4: text that has the shape of a secret.
func TestShapes(t *testing.T) {
	for _, tc := range []struct{ kind, text, want string }{
		{"GITHUB_TOKEN", "a ghp_0123456789abcdefghij b", "a [redacted] b"},
		{"GITHUB_TOKEN", "github_pat_11ABC_def", "[redacted]"},
		{"AWS_KEY", "id AKIAIOSFODNN7EXAMPLE.", "id [redacted]."},
		{"SLACK_TOKEN", "xoxb-123456789012-abc", "[redacted]"},
		{"API_KEY", "sk-proj-0123456789abcdefghij", "[redacted]"},
		{"API_KEY", "sk-abcdefghijklmnopqrstuvwxyz", "[redacted]"},
		{"BEARER_TOKEN", "bearer abcdefghijklmnopqrstuvwxyz", "bearer [redacted]"},
		{"BEARER_TOKEN", "Authorization: Bearer abc.def-123", "Authorization: Bearer [redacted]"},
		{"BASIC_CREDENTIALS", "basic dXNlcjpwYXNzd29yZA==", "basic [redacted]"},
		{"PRIVATE_KEY", "x\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\ny", "x\n[redacted]\ny"},
		{"PRIVATE_KEY", `{"k":"-----BEGIN PRIVATE KEY-----\nMIIE, cut`, `{"k":"[redacted]`},
		{"JWT", "t eyJhbGciOi.eyJzdWIi.c2ln_-x z", "t [redacted] z"},
		{"URL_CREDENTIALS", "https://user:p@ss@example.org/x", "https://[redacted]@example.org/x"},
		{"PASSWORD", "password = hunter22222", "password = [redacted]"},
		{"PASSWORD", `API-Key: "two words here"`, `API-Key: [redacted]`},
		{"PASSWORD", `{\"secret\": \"hunter22222\"}`, `{\"secret\": [redacted]`},
	} {
		if got := redact.New(redact.Rules{}).Text(tc.text); got != tc.want {
			t.Errorf("Text(%q) = %q, want %q", tc.text, got, tc.want)
		}
		found := redact.Find(tc.text)
		if len(found) == 0 || found[0].Kind != tc.kind {
			t.Errorf("Find(%q) = %v, want %s", tc.text, found, tc.kind)
		}
	}
}

// 12.4: what is not a secret.
func TestHashesAndIDsStay(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("0123456789", 4), "commit " + strings.Repeat("abcdef01", 8), "123e4567-e89b-42d3-a456-426614174000",
		"r_20260101T000000Z_acme_0123abcd", "iss_0123456789ab", "evt_01ARZ3NDEKTSV4RRFFQ69G5FAV", "task-management-for-everyone-here",
		"password: short", "sk-image-processing-kit", "sk-learn-extensions-for-3d", "Basic Internationalization", "uses bearer authentication.", "Bearer Certificates", "https://github.com/acme/acme-tool", "mail a@b.example",
	} {
		if got := redact.New(redact.Rules{}).Text(text); got != text {
			t.Errorf("Text(%q) = %q", text, got)
		}
		if found := redact.Find(text); len(found) > 0 {
			t.Errorf("Find(%q) = %v", text, found)
		}
	}
}

// 12.4: names of members, with the exempt ones.
func TestValue(t *testing.T) {
	const text = `{"api_key":"x","apiKey":7,"X-Auth-Token":["a"],"credentials":{"user":"u"},"password":null,
		"api_key_env":"NAME","idempotency_key":"k","token_hash":"h","scope_key":"docs","list":[{"Cookie":"c","n":12345678901234567890}],
		"note ghp_0123456789abcdefghij":true}`
	const want = `{"X-Auth-Token":"[redacted]","apiKey":"[redacted]","api_key":"[redacted]","api_key_env":"NAME","credentials":"[redacted]",` +
		`"idempotency_key":"k","list":[{"Cookie":"[redacted]","n":12345678901234567890}],"note [redacted]":true,"password":null,"scope_key":"docs","token_hash":"h"}`
	got, err := redact.New(redact.Rules{}).JSON([]byte(text))
	if err != nil || string(got) != want {
		t.Errorf("JSON = %s, %v\nwant   %s", got, err, want)
	}
	typed := redact.New(redact.Rules{}).Value(struct {
		Password string `json:"password"`
		Name     string `json:"name"`
	}{"p", "n"})
	if diff := cmp.Diff(any(map[string]any{"password": "[redacted]", "name": "n"}), typed); diff != "" {
		t.Error(diff)
	}
	for _, broken := range []string{"", `{"a":`, `{} {}`} {
		if _, err := redact.New(redact.Rules{}).JSON([]byte(broken)); err == nil {
			t.Errorf("JSON(%q) is no error", broken)
		}
	}
}

// 12.4: values of the environment.
func TestSecrets(t *testing.T) {
	environ := []string{"DEPLOY_TOKEN=longenough", "SHORT_KEY=short", "USER=docs", "MY_LLM=abcdefgh", "PATH=/usr/bin/env", "db_password=also=this"}
	config := map[string]any{"llm": map[string]any{"api_key_env": "MY_LLM", "x_env": ""}, "tokens": []any{map[string]any{"env": "USER"}}}
	named := redact.Variables(config)
	if diff := cmp.Diff(map[string]string{"/llm/api_key_env": "MY_LLM", "/tokens/0/env": "USER"}, named); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"abcdefgh", "also=this", "longenough"}, redact.Secrets(environ, slices.Collect(maps.Values(named)))); diff != "" {
		t.Error(diff)
	}
}

// 12.4: audit lines.
func TestTail(t *testing.T) {
	for token, want := range map[string]string{"": "", "abc": "", "abcdefgh": "gh", "0123456789abcdef": "cdef", strings.Repeat("x", 99) + "wxyz": "wxyz", "aaaaaaaaé": "aé"} {
		if got := redact.Tail(token); got != want {
			t.Errorf("Tail(%q) = %q, want %q", token, got, want)
		}
	}
}

// 12.4, S-39: folders of this machine.
func TestPlaces(t *testing.T) {
	r := redact.New(redact.Rules{Places: []redact.Place{{"/ann", "home"}, {"/srv/tmp/data/", "data"}, {"/srv/tmp", "tmp"}, {"/", "no"}, {"", "no"}}})
	for text, want := range map[string]string{
		"open /srv/tmp/data/runs/x: no such file": "open <data>/runs/x: no such file",
		"/srv/tmp/data":               "<data>",
		"/srv/tmp/database":           "<tmp>/database",
		"file:///ann/repo":            "file://<home>/repo",
		"is in /ann.":                 "is in <home>.",
		"content/ann/a /anned /ann.d": "content/ann/a /anned /ann.d",
		`"/srv/tmp","/ann"`:           `"<tmp>","<home>"`,
	} {
		if got := r.Text(text); got != want {
			t.Errorf("Text(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestPlacesBehindLinks(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "real"), link); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(link)
	if err != nil {
		t.Fatal(err)
	}
	if got := redact.New(redact.Rules{Places: []redact.Place{{link, "data"}}}).Text(real + "/x"); got != "<data>/x" {
		t.Errorf("got %q", got)
	}
}

// encodings are all the ways in which a value is promised to be found.
var encodings = map[string]func(string) string{
	"plain": func(s string) string { return s },
	"JSON":  func(s string) string { text, _ := json.Marshal(s); return string(text) },
	"twice": func(s string) string {
		text, _ := json.Marshal(s)
		text, _ = json.Marshal(string(text))
		return string(text)
	},
	"Go":      func(s string) string { return fmt.Sprintf("%q", s) },
	"query":   url.QueryEscape,
	"path":    url.PathEscape,
	"HTML":    html.EscapeString,
	"base64":  func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"url64":   func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	"as JSON": func(s string) string { text, _ := json.Marshal(map[string]any{"a": []any{s}}); return string(text) },
}

// decoders undo what has to be undone before a value would be seen.
var decoders = map[string]func(string) string{
	"base64": func(s string) string { return lenient(s, base64.StdEncoding) },
	"url64":  func(s string) string { return lenient(s, base64.RawURLEncoding) },
}

// lenient decodes each stretch around what was redacted, at every offset.
func lenient(text string, coding *base64.Encoding) string {
	var all strings.Builder
	for _, piece := range strings.Split(text, redact.Redacted) {
		for skip := range min(4, len(piece)) {
			part := strings.TrimRight(piece[skip:], "=")
			decoded, _ := coding.WithPadding(base64.NoPadding).DecodeString(part[:len(part)/4*4])
			all.Write(decoded)
			all.WriteByte('\n')
		}
	}
	return all.String()
}

// 12.4, S-36: no value of a secret survives in any promised encoding, at any
// place, and the text around it does.
func TestNoSecretSurvives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[A-Za-z0-9][ -~]{6,30}[A-Za-z0-9]`).Draw(t, "value")
		other := rapid.StringMatching(`[A-Za-z0-9+/_-]{8,20}`).Draw(t, "other")
		around := rapid.StringMatching(`[,.;<>(){} \n]{0,5}`)
		before, after := around.Draw(t, "before"), around.Draw(t, "after")
		r := redact.New(redact.Rules{Values: []string{other, value}})
		for name, encode := range encodings {
			got := r.Text("«" + encode(before+value+after) + "»")
			if decode := decoders[name]; decode != nil {
				if strings.Contains(decode(strings.Trim(got, "«»")), value) {
					t.Fatalf("%s: %q still holds %q", name, got, value)
				}
			}
			if strings.Contains(got, encode(value)) || strings.Contains(got, value) {
				t.Fatalf("%s: %q still holds %q", name, got, value)
			}
			if !strings.HasPrefix(got, "«") || !strings.HasSuffix(got, "»") || !strings.Contains(got, redact.Redacted) {
				t.Fatalf("%s: %q lost what was around", name, got)
			}
		}
		nested := r.Value(map[string]any{"list": []any{map[string]any{before + value: after + value}}})
		text, err := json.Marshal(nested)
		if err != nil || strings.Contains(string(text), encodings["JSON"](value)) || strings.Contains(string(text), value) {
			t.Fatalf("%s still holds %q (%v)", text, value, err)
		}
	})
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"a":["password=12345678"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := redact.New(redact.Rules{Values: []string{"hunter22222"}})
		out, err := r.JSON(text)
		if err != nil {
			return
		}
		if !json.Valid(out) {
			t.Errorf("JSON(%q) = %q, which is no JSON", text, out)
		}
		if strings.Contains(string(out), "hunter22222") {
			t.Errorf("JSON(%q) = %q", text, out)
		}
	})
}
