package document_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/document"

	"pgregory.net/rapid"
)

// DOC-3 and CACHE-5, with the vectors of section 16.
func TestVersionOfContent(t *testing.T) {
	for content, want := range map[string]string{
		"":              "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"Hello world":   "sha256:64ec88ca00b268e5ba1a35678a1b5316d212f4f366b2477232534a8aeca37f3c",
		"Goodbye world": "sha256:b4dabda568d0368a42a46108e8c669e1d9b18c0dad248de2068b07a730f524a2",
		"apple 1":       "sha256:978c557fb3220e832d3bbeb4cee41d4289cd477c11e7977fb77b7d1267c831b1",
	} {
		v := document.VersionOf([]byte(content))
		if v.String() != want {
			t.Errorf("version of %q is %s, want %s", content, v, want)
		}
		if got := string(v.Append([]byte("a.md:"))); got != "a.md:"+want {
			t.Errorf("Append gave %s", got)
		}
		if got, file := v.FileName(), want[7:19]+".json"; got != file {
			t.Errorf("file of %q is %s, want %s", content, got, file)
		}
	}
}

// DOC-2: line ends count.
func TestVersionsTellLineEndsApart(t *testing.T) {
	if document.VersionOf([]byte("line\n")) == document.VersionOf([]byte("line\r\n")) {
		t.Error("a line and the same line with a carriage return have one version")
	}
}

// LOAD-6: ^sha256:[0-9a-f]{64}$.
func TestParseVersion(t *testing.T) {
	hash := strings.Repeat("0123456789abcdef", 4)
	if v, ok := document.ParseVersion("sha256:" + hash); !ok || fmt.Sprintf("%x", v[:]) != hash {
		t.Errorf("got %v, %v", v, ok)
	}
	for name, text := range map[string]string{
		"nothing":        "",
		"no prefix":      hash,
		"no hash":        "sha256:",
		"short":          "sha256:" + hash[1:],
		"long":           "sha256:" + hash + "0",
		"newline":        "sha256:" + hash + "\n",
		"blank before":   " sha256:" + hash[1:],
		"upper case":     "sha256:" + strings.ToUpper(hash),
		"upper prefix":   "SHA256:" + hash,
		"other hash":     "sha512:" + hash,
		"below 0":        "sha256:/" + hash[1:],
		"above 9":        "sha256::" + hash[1:],
		"below a":        "sha256:`" + hash[1:],
		"above f":        "sha256:g" + hash[1:],
		"last digit":     "sha256:" + hash[1:] + "G",
		"full-width one": "sha256:１" + hash[3:],
	} {
		if v, ok := document.ParseVersion(text); ok || v != (document.Version{}) {
			t.Errorf("%s: got %v, %v", name, v, ok)
		}
	}
}

func TestVersionsReadBackToThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SliceOf(rapid.Byte()).Draw(t, "content")
		v := document.VersionOf(content)
		if want := fmt.Sprintf("sha256:%x", sha256.Sum256(content)); v.String() != want {
			t.Fatalf("got %s, want %s", v, want)
		}
		if back, ok := document.ParseVersion(v.String()); !ok || back != v {
			t.Fatalf("%s reads back to %s, %v", v, back, ok)
		}
	})
}
