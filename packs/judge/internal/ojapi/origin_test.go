package ojapi

import (
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The rows of testdata/origins.txt are the table of 2.1 and the hazards below
// it: an input, a tab, and the stored form or the word reject.
func TestInvariants1To3BaseURLTable(t *testing.T) {
	table, err := os.ReadFile("testdata/origins.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		quoted, want, _ := strings.Cut(line, "\t")
		input, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		got, err := ParseOrigin(input)
		switch {
		case want == "reject" && err == nil:
			t.Errorf("ParseOrigin(%q) = %s, want it rejected", input, got)
		case want != "reject" && err != nil:
			t.Errorf("ParseOrigin(%q) fails: %v; want %s", input, err, want)
		case want != "reject" && got.String() != want:
			t.Errorf("ParseOrigin(%q) = %s, want %s", input, got, want)
		}
	}
}

// parts is a URL taken apart; it is an origin when all but the first three are
// empty.
type parts struct {
	scheme, host, port                string
	path, query, fragment, credential string
}

func (p parts) String() string {
	return p.scheme + "://" + p.credential + p.host + p.port + p.path + p.query + p.fragment
}

func (p parts) isOrigin() bool {
	return p.credential == "" && (p.path == "" || p.path == "/") && p.query == "" && p.fragment == ""
}

func drawParts(t *rapid.T) parts {
	oneOf := func(label string, generators ...*rapid.Generator[string]) string {
		return rapid.OneOf(generators...).Draw(t, label)
	}
	empty := rapid.Just("")
	return parts{
		scheme: rapid.SampledFrom([]string{"http", "https", "HTTP", "Https"}).Draw(t, "scheme"),
		host: oneOf("host", rapid.StringMatching(`[a-zA-Z0-9]([a-zA-Z0-9_-]{0,8}[a-zA-Z0-9])?(\.[a-zA-Z0-9]{1,5}){0,3}`),
			rapid.SampledFrom([]string{"[::1]", "[2001:DB8::1]", "127.0.0.1", "bücher.example", "例え.jp"})),
		port: oneOf("port", empty, rapid.Map(rapid.IntRange(0, 65535), func(n int) string { return fmt.Sprintf(":%d", n) }),
			rapid.SampledFrom([]string{":80", ":443"})),
		credential: oneOf("credential", empty, empty, rapid.SampledFrom([]string{"u@", "u:p@", ":@", "@"})),
		path:       oneOf("path", empty, rapid.Just("/"), rapid.StringMatching(`/[a-z/]{1,5}`)),
		query:      oneOf("query", empty, empty, rapid.StringMatching(`\?[a-z=]{0,4}`)),
		fragment:   oneOf("fragment", empty, empty, rapid.StringMatching(`#[a-z]{0,4}`)),
	}
}

func TestInvariant1PassesExactlyWhenOrigin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParts(t)
		_, err := ParseOrigin(p.String())
		if (err == nil) != p.isOrigin() {
			t.Fatalf("ParseOrigin(%q): %v, origin: %v", p, err, p.isOrigin())
		}
	})
}

func TestInvariant1OtherSchemesAreRejected(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParts(t)
		p.scheme = rapid.StringMatching(`[a-z][a-z0-9+.-]{0,8}`).
			Filter(func(s string) bool { return s != "http" && s != "https" }).Draw(t, "other scheme")
		if o, err := ParseOrigin(p.String()); err == nil {
			t.Fatalf("ParseOrigin(%q) = %s", p, o)
		}
	})
}

// storedForm checks what holds of every accepted input.
func storedForm(t interface{ Fatalf(string, ...any) }, input string) {
	o, err := ParseOrigin(input)
	if err != nil {
		if !o.IsZero() {
			t.Fatalf("ParseOrigin(%q) = %s together with %v", input, o, err)
		}
		return
	}
	s := o.String()
	if strings.HasSuffix(s, "/") {
		t.Fatalf("invariant 3: ParseOrigin(%q) = %s ends with a slash", input, s)
	}
	if !strings.HasPrefix(s, "http://") && !strings.HasPrefix(s, "https://") {
		t.Fatalf("ParseOrigin(%q) = %s", input, s)
	}
	if strings.ContainsAny(s, "?#@") || strings.Count(s, "/") != 2 {
		t.Fatalf("ParseOrigin(%q) = %s, which is no origin", input, s)
	}
	if again, err := ParseOrigin(s); err != nil || again != o {
		t.Fatalf("the stored form %s is not accepted as it is: %s, %v", s, again, err)
	}
	u, err := url.Parse(s + "/api/v1/daily?domain=com")
	if err != nil || u.Path != "/api/v1/daily" || !o.holds(u) {
		t.Fatalf("%s cannot be extended by a path: %v", s, err)
	}
}

func TestInvariant3StoredForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { storedForm(t, drawParts(t).String()) })
}

func FuzzParseOrigin(f *testing.F) {
	for _, s := range []string{"https://example.com/", "http://[::1]:8080", "https://u:p@h", "https://h:99999", "not a url", "https://h?#"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { storedForm(t, s) })
}

func TestOriginErrorsDoNotRepeatTheValue(t *testing.T) {
	for _, s := range []string{"https://user:hunter2@example.com", "https://h/hunter2", "https://h?hunter2", "hunter2://h", "https://hunter2:x"} {
		if _, err := ParseOrigin(s); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("ParseOrigin(%q): %v", s, err)
		}
	}
}
