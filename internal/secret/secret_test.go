package secret_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"mcpworks/internal/secret"

	"pgregory.net/rapid"
)

const value = "hunter2-sEcReT"

func TestEveryVerbPrintsRedacted(t *testing.T) {
	s := secret.New(value)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T %v", "%10.3s", "%U", "%!"} {
		for _, arg := range []any{s, &s} {
			got := fmt.Sprintf(verb, arg, arg)
			if strings.Contains(got, value) || strings.Contains(got, fmt.Sprintf("%x", value)) {
				t.Errorf("Sprintf(%q, %T) leaks: %s", verb, arg, got)
			}
			if !strings.Contains(got, secret.Redacted) {
				t.Errorf("Sprintf(%q, %T) = %q, want %s in it", verb, arg, got, secret.Redacted)
			}
		}
	}
}

// fmt asks no method in these two cases; the value must stay hidden all the same.
func TestPrintingAroundTheMethodsShowsNoValue(t *testing.T) {
	type config struct{ token secret.String }
	hidden := config{secret.New(value)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%p"} {
		for _, arg := range []any{hidden, &hidden, []config{hidden}, hidden.token} {
			if got := fmt.Sprintf(verb, arg); strings.Contains(got, value) {
				t.Errorf("Sprintf(%q, %T) leaks: %s", verb, arg, got)
			}
		}
	}
}

func TestMarshalledFormsAreRedacted(t *testing.T) {
	type config struct {
		Token secret.String
		Ptr   *secret.String
		Map   map[string]secret.String `xml:"-"`
	}
	s := secret.New(value)
	c := config{s, &s, map[string]secret.String{"k": s}}
	asJSON, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"Token":"[redacted]","Ptr":"[redacted]","Map":{"k":"[redacted]"}}`; string(asJSON) != want {
		t.Errorf("JSON = %s, want %s", asJSON, want)
	}
	asXML, err := xml.Marshal(config{Token: s})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(asXML), value) {
		t.Errorf("XML leaks: %s", asXML)
	}
	if s.String() != secret.Redacted || s.GoString() != secret.Redacted {
		t.Error("String and GoString must give Redacted")
	}
}

func TestLogHandlersShowRedacted(t *testing.T) {
	var out bytes.Buffer
	s := secret.New(value)
	for _, log := range []*slog.Logger{
		slog.New(slog.NewTextHandler(&out, nil)),
		slog.New(slog.NewJSONHandler(&out, nil)),
	} {
		log.Info("token", "plain", s, "pointer", &s, "nested", struct{ T secret.String }{s})
	}
	if strings.Contains(out.String(), value) || !strings.Contains(out.String(), "plain=[redacted]") {
		t.Errorf("log lines: %s", out.String())
	}
}

func TestRevealAndZero(t *testing.T) {
	if s := secret.New(value); s.Reveal() != value || s.IsZero() {
		t.Error("a secret must reveal its value and not be zero")
	}
	for _, s := range []secret.String{{}, secret.New("")} {
		if s.Reveal() != "" || !s.IsZero() {
			t.Error("no value must be zero and reveal nothing")
		}
	}
}

// encoders are the ways a secret gets into a log line or an error body.
var encoders = map[string]func(string) string{
	"raw":          func(s string) string { return s },
	"go":           strconv.Quote,
	"go ascii":     strconv.QuoteToASCII,
	"json":         func(s string) string { b, _ := json.Marshal(s); return string(b) },
	"json slashes": func(s string) string { b, _ := json.Marshal(s); return strings.ReplaceAll(string(b), "/", `\/`) },
	"query":        url.QueryEscape,
	"path":         url.PathEscape,
	"html":         html.EscapeString,
	"lower hex": func(s string) string {
		var b strings.Builder
		for _, c := range []byte(s) {
			if c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
				b.WriteByte(c)
			} else {
				fmt.Fprintf(&b, "%%%02x", c)
			}
		}
		return b.String()
	},
}

var secretCases = []string{
	"hunter2", `say"cheese"`, `back\slash\`, `a+b/c==`, "two words", `<&'">`, "x", "ключ-é-😀", "tab\tnl\n\x01", "bad\xffbyte", `\`, `""`,
}

func TestRedactorFindsEncodedForms(t *testing.T) {
	for _, s := range secretCases {
		r := secret.NewRedactor(secret.New(s))
		for first, inner := range encoders {
			for _, second := range []string{"raw", "go", "go ascii", "json", "json slashes"} {
				if first == "html" && second != "raw" || strings.Contains(s, "\xff") && second != "raw" {
					continue // \u0026lt; and replaced bytes are out of reach
				}
				line := encoders[second]("echo: " + inner(s) + " .")
				got := r.String(line)
				if !strings.Contains(got, secret.Redacted) {
					t.Errorf("%s in %s: secret %q survives in %q", first, second, s, got)
				}
				if string(r.Bytes([]byte(line))) != got {
					t.Errorf("Bytes and String differ for %q", line)
				}
			}
		}
	}
}

func TestRedactorLeavesOtherTextAlone(t *testing.T) {
	r := secret.NewRedactor(secret.New("abc-def"), secret.String{})
	for _, text := range []string{"", "abc", "abc_def", "xabcx-def", `{"a":"abc\\ndef"}`} {
		if got := r.String(text); got != text {
			t.Errorf("String(%q) = %q", text, got)
		}
	}
	var none secret.Redactor
	if got := none.String("abc-def"); got != "abc-def" {
		t.Errorf("zero Redactor: %q", got)
	}
}

func TestLongerSecretGoesFirst(t *testing.T) {
	r := secret.NewRedactor(secret.New("abc"), secret.New("abcdef"))
	if got, want := r.String("abcdef abc"), "[redacted] [redacted]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWriterRedactsSlogLines(t *testing.T) {
	for _, s := range secretCases {
		var out bytes.Buffer
		w := secret.Writer(&out, secret.New(s))
		text := slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{ReplaceAttr: onlyBody}))
		asJSON := slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{ReplaceAttr: onlyBody}))
		text.Info("", "body", "echo "+s+" end")
		asJSON.Info("", "body", "echo "+s+" end")
		if got := strings.Count(out.String(), secret.Redacted); got < 2 {
			t.Errorf("secret %q: %d redactions in %s", s, got, out.String())
		}
	}
}

func onlyBody(_ []string, a slog.Attr) slog.Attr {
	if a.Key == "body" {
		return a
	}
	return slog.Attr{}
}

func TestWriterReportsTheWholeLine(t *testing.T) {
	var out bytes.Buffer
	line := []byte("token is " + value + "\n")
	n, err := secret.Writer(&out, secret.New(value)).Write(line)
	if n != len(line) || err != nil {
		t.Errorf("Write = %d, %v; want %d, nil", n, err, len(line))
	}
	if got, want := out.String(), "token is [redacted]\n"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
	if string(line) != "token is "+value+"\n" {
		t.Error("Write changed the caller's bytes")
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 3, errors.New("disk full") }

func TestWriterPassesErrorsOn(t *testing.T) {
	if _, err := secret.Writer(brokenWriter{}, secret.New("x")).Write([]byte("a line")); err == nil {
		t.Error("Write gave no error")
	}
	var out bytes.Buffer
	if w := secret.Writer(&out); w != &out {
		t.Error("without secrets Writer must return w itself")
	}
}

func TestRedactedTextNeverHoldsTheSecret(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Secrets that are part of the replacement cannot be told from it.
		s := rapid.StringMatching(`[!-~]{3,20}`).
			Filter(func(s string) bool { return !strings.Contains(secret.Redacted, s) }).Draw(t, "secret")
		before, after := rapid.String().Draw(t, "before"), rapid.String().Draw(t, "after")
		r := secret.NewRedactor(secret.New(s))
		for name, encode := range encoders {
			got := r.String(before + encode(s) + after)
			for _, part := range strings.Split(got, secret.Redacted) {
				if strings.Contains(part, s) {
					t.Fatalf("%s: %q survives in %q", name, s, got)
				}
			}
		}
	})
}
