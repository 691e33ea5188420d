package cachetest_test

import (
	"testing"

	"mcpworks/packs/contextengine/internal/cachetest"
)

// The vectors of section 16.
func TestVectors(t *testing.T) {
	for _, tt := range []struct{ rule, got, want string }{
		{"DOC-3 empty", cachetest.Version(""), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"DOC-3", cachetest.Version("Hello world"), "sha256:64ec88ca00b268e5ba1a35678a1b5316d212f4f366b2477232534a8aeca37f3c"},
		{"DOC-3", cachetest.Version("apple 1"), "sha256:978c557fb3220e832d3bbeb4cee41d4289cd477c11e7977fb77b7d1267c831b1"},
		{
			"CACHE-2", cachetest.Docs{"hello.md": "Hello world", "goodbye.md": "Goodbye world"}.CacheVersion(),
			"sha256:3deedf930f16b9c9e63e1e5b176d0a37457d6452c52277bae53aa25870bf1d71",
		},
		{"CACHE-5", cachetest.File("Goodbye world"), "documents/b4dabda568d0.json"},
		{"CACHE-8", string(cachetest.Docs{}.Index()), "{}"},
		{
			"CACHE-10", string(cachetest.Document("empty.md", "")),
			`{"id":"empty.md","version":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","source":"empty.md","content":"","metadata":{}}`,
		},
		{"CACHE-12", cachetest.Docs{}.CacheVersion(), "sha256:a77ff76f65e3cd4cd0071b4af8f5294a77f67b6fe0c938a383db5e1271e913ee"},
		{"JSON-2", cachetest.Quote("a\"\\/\b\f\n\r\t\x01\x1f\x7f<>&\u2028é"), `"a\"\\/\b\f\n\r\t\u0001\u001f` + "\x7f<>&\u2028é\""},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %s, want %s", tt.rule, tt.got, tt.want)
		}
	}
}
