package secret

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Redactor replaces secrets in text. It also finds them in the forms they take
// on the way into a log line or an error body: with backslash escapes (JSON and
// Go, nested ones too), percent-encoded or HTML-escaped, in whole or in part.
// Letters and digits are only looked for as they are, since no encoder touches
// them.
//
// The zero value redacts nothing. A Redactor may be used by many goroutines.
type Redactor struct {
	patterns []pattern
}

type pattern struct {
	// run is the secret's longest stretch of letters and digits. Text without
	// it cannot hold the secret, which spares most text the regular expression.
	run    []byte
	secret *regexp.Regexp
}

// NewRedactor returns a redactor of secrets; zero ones are skipped.
func NewRedactor(secrets ...String) *Redactor {
	// Longest first, so that a secret inside another does not break it up.
	ordered := slices.SortedStableFunc(slices.Values(secrets), func(a, b String) int {
		return cmp.Compare(len(b.Reveal()), len(a.Reveal()))
	})
	r := &Redactor{}
	for _, s := range ordered {
		if !s.IsZero() {
			r.patterns = append(r.patterns, compile(s.Reveal()))
		}
	}
	return r
}

// String returns text with every secret in it replaced by Redacted.
func (r *Redactor) String(text string) string {
	for _, p := range r.patterns {
		if strings.Contains(text, string(p.run)) {
			text = p.secret.ReplaceAllLiteralString(text, Redacted)
		}
	}
	return text
}

// Bytes is String for bytes; it does not change text itself.
func (r *Redactor) Bytes(text []byte) []byte {
	for _, p := range r.patterns {
		if bytes.Contains(text, p.run) {
			text = p.secret.ReplaceAllLiteral(text, []byte(Redacted))
		}
	}
	return text
}

// Writer returns a writer that passes on to w what is written to it, redacted.
// Each Write must be one whole line, as slog's handlers write them: a secret
// split over two calls is not found. Without secrets Writer returns w.
func Writer(w io.Writer, secrets ...String) io.Writer {
	r := NewRedactor(secrets...)
	if len(r.patterns) == 0 {
		return w
	}
	return &writer{w, r}
}

type writer struct {
	w io.Writer
	r *Redactor
}

func (w *writer) Write(line []byte) (int, error) {
	redacted := w.r.Bytes(line)
	n, err := w.w.Write(redacted)
	if err != nil {
		// What was written is not what was given: never claim more of it.
		return min(n, len(line)), err
	}
	return len(line), nil
}

func compile(secret string) pattern {
	var expr strings.Builder
	run, start := "", 0
	for i := 0; i < len(secret); {
		char, size := utf8.DecodeRuneInString(secret[i:])
		raw := secret[i : i+size]
		i += size
		if isAlphanumeric(char) {
			expr.WriteString(raw)
			if i-start > len(run) {
				run = secret[start:i]
			}
			continue
		}
		start = i
		expr.WriteString("(?i:" + strings.Join(forms(char, raw), "|") + ")")
	}
	return pattern{run: []byte(run), secret: regexp.MustCompile(expr.String())}
}

func isAlphanumeric(c rune) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// htmlNames are the characters that HTML encoders write by name.
var htmlNames = map[rune]string{'"': "quot", '\'': "apos", '<': "lt", '>': "gt", '&': "amp"}

// forms lists, as regular expressions, how encoders write a character that is
// neither a letter nor a digit. An invalid byte arrives as U+FFFD, and regexp
// lets that match any invalid byte.
func forms(char rune, raw string) []string {
	const slashes = `\\+` // one from an encoder, more from those after it
	literal := `\\*` + regexp.QuoteMeta(string(char))
	if char == '\\' {
		literal = slashes
	}
	list := []string{
		literal,
		fmt.Sprintf("&#0*%d;", char),
		fmt.Sprintf("&#x0*%x;", char),
	}
	if quoted, ok := strings.CutPrefix(strings.Trim(strconv.QuoteRuneToASCII(char), "'"), `\`); ok {
		list = append(list, slashes+regexp.QuoteMeta(quoted))
	}
	var units, percent, hex string
	for _, unit := range utf16.Encode([]rune{char}) {
		units += slashes + fmt.Sprintf("u%04x", unit)
	}
	for _, b := range []byte(raw) {
		percent += fmt.Sprintf("%%(?:25)*%02x", b)
		hex += slashes + fmt.Sprintf("x%02x", b)
	}
	list = append(list, units, percent, hex)
	if name, ok := htmlNames[char]; ok {
		list = append(list, "&"+name+";")
	}
	if char == ' ' {
		list = append(list, `\+`)
	}
	return list
}
