package judge_test

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/template"
	"time"
	"unicode/utf8"

	"mcpworks/internal/secret"
	"mcpworks/packs/judge"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestCalls plays testdata/calls: each case is a call, what the backend says to
// it, and what must come of both. README.md there has the format.
func TestCalls(t *testing.T) {
	files, err := filepath.Glob("testdata/calls/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			playFile(t, file)
		})
	}
}

func playFile(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	script := readScript(t, archive)
	backend := &scripted{token: script.token}
	s := against(t, backend.ServeHTTP, func(cfg *judge.Config) {
		cfg.Token = secret.New(script.token)
		cfg.Now = func() time.Time { return script.now }
	})
	for _, c := range script.cases {
		t.Run(c.name, func(t *testing.T) {
			backend.play(t, c.responses)
			r := s.call(t, c.tool, c.arguments)
			got := transcript(backend.requests(t), r)
			if *update {
				c.answer.Data = []byte(got)
			} else if diff := cmp.Diff(string(c.answer.Data), got); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
			checkText(t, r.text(), script.token)
		})
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkText holds every text to what all of them promise.
func checkText(t failer, text, token string) {
	t.Helper()
	const maxText, cutMark = 102_400, "\n\n... (truncated)"
	switch {
	case len(text) > maxText+len(cutMark):
		t.Fatalf("text has %d bytes", len(text))
	case len(text) > maxText && !strings.HasSuffix(text, cutMark):
		t.Fatalf("text of %d bytes is not marked as cut", len(text))
	case !utf8.ValidString(text):
		t.Fatalf("text is not UTF-8: %q", text)
	case token != "" && strings.Contains(text, token):
		t.Fatalf("text holds the token: %s", text)
	}
}

// transcript is the golden form of a call: requests, kind of answer, text.
func transcript(requests []string, r reply) string {
	var b strings.Builder
	if len(requests) == 0 {
		b.WriteString("no request\n")
	}
	for _, request := range requests {
		b.WriteString(fold(request) + "\n")
	}
	b.WriteString(r.kind())
	if text := r.text(); len(text) >= 1000 {
		fmt.Fprintf(&b, ", %d bytes", len(text))
	}
	fmt.Fprintf(&b, "\n%s∎\n", fold(r.text()))
	return b.String()
}

// fold writes a short piece that is repeated often, and characters that do not
// show, as the template that makes them.
func fold(text string) string {
	var b strings.Builder
	for rest := text; rest != ""; {
		_, size := utf8.DecodeRuneInString(rest)
		piece, times := repeated(rest)
		switch char := rest[:size]; {
		case times > 0:
			fmt.Fprintf(&b, "{{repeat %q %d}}", piece, times)
			size = times * len(piece)
		case char < " " && char != "\n" && char != "\t":
			fmt.Fprintf(&b, "{{hex \"%x\"}}", char)
		default:
			b.WriteString(char)
		}
		rest = rest[size:]
	}
	return b.String()
}

// repeated returns the shortest piece with which text begins often enough to be
// folded, and how often.
func repeated(text string) (piece string, times int) {
	const maxPiece, minTimes = 6, 50
	for size := 1; size <= min(maxPiece, len(text)); size++ {
		piece, times := text[:size], 0
		if !utf8.ValidString(piece) {
			continue
		}
		for strings.HasPrefix(text[times*size:], piece) {
			times++
		}
		if times >= minTimes {
			return piece, times
		}
	}
	return "", 0
}

// A script is one file of cases.
type script struct {
	token string
	now   time.Time
	cases []*callCase
}

type callCase struct {
	name            string
	tool, arguments string
	responses       []response
	answer          *txtar.File // points into the archive
}

// A response is what the backend says, byte for byte.
type response struct {
	hangUp bool // without a word
	status int
	header []string
	body   string
}

func readScript(t *testing.T, archive *txtar.Archive) script {
	s := script{now: evening}
	for line := range strings.Lines(string(archive.Comment)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch name {
		case "token":
			s.token = value
		case "now":
			now, err := time.Parse(time.RFC3339, value)
			if err != nil {
				t.Fatal(err)
			}
			s.now = now
		}
	}
	byName := map[string]*callCase{}
	for i := range archive.Files {
		name, part, _ := strings.Cut(archive.Files[i].Name, "/")
		c := byName[name]
		if c == nil {
			c = &callCase{name: name}
			byName[name] = c
			s.cases = append(s.cases, c)
		}
		data := string(archive.Files[i].Data)
		switch part {
		case "call":
			c.tool, c.arguments = readCall(t, data)
		case "backend":
			for one := range strings.SplitSeq(data, "~~~\n") {
				c.responses = append(c.responses, readResponse(t, one))
			}
		case "answer":
			c.answer = &archive.Files[i]
		default:
			t.Fatalf("%s: want a call, backend or answer", archive.Files[i].Name)
		}
	}
	for _, c := range s.cases {
		if c.tool == "" || c.answer == nil {
			t.Fatalf("case %s needs a call and an answer", c.name)
		}
	}
	return s
}

func readCall(t *testing.T, data string) (tool, arguments string) {
	for strings.HasPrefix(data, "#") {
		_, data, _ = strings.Cut(data, "\n")
	}
	tool, arguments, _ = strings.Cut(strings.TrimSpace(expand(t, data)), " ")
	return tool, arguments
}

func readResponse(t *testing.T, data string) response {
	head, body, _ := strings.Cut(data, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	if lines[0] == "hang up" {
		return response{hangUp: true}
	}
	code, contentType, typed := strings.Cut(lines[0], " ")
	status, err := strconv.Atoi(code)
	if err != nil {
		t.Fatalf("backend: %v", err)
	}
	r := response{status: status, header: lines[1:], body: expand(t, strings.TrimSuffix(body, "\n"))}
	if typed {
		r.header = append(r.header, "Content-Type: "+contentType)
	}
	return r
}

// expand runs the generators in a text.
func expand(t *testing.T, text string) string {
	parsed, err := template.New("").Funcs(template.FuncMap{
		"repeat": strings.Repeat,
		"hex": func(digits string) (string, error) {
			raw, err := hex.DecodeString(digits)
			return string(raw), err
		},
		"gzip": func(text string) (string, error) {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			w.Write([]byte(text))
			err := w.Close()
			return b.String(), err
		},
	}).Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := parsed.Execute(&b, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// scripted is a backend that answers by the case being played and writes down
// what it was asked.
type scripted struct {
	token string

	mu        sync.Mutex
	responses []response
	asked     []string
	problems  []string
}

func (b *scripted) play(t *testing.T, responses []response) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if left := len(b.responses); left > 0 {
		t.Errorf("%d responses of the case before were not asked for", left)
	}
	b.responses, b.asked, b.problems = slices.Clone(responses), nil, nil
}

// requests returns method and target of what was asked since play.
func (b *scripted) requests(t *testing.T) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.problems) > 0 {
		t.Errorf("the backend complains: %q", b.problems)
	}
	return b.asked
}

func (b *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	next := b.take(r)
	conn, out, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	if next.hangUp {
		return
	}
	fmt.Fprintf(out, "HTTP/1.1 %d %s\r\nConnection: close\r\n", next.status, http.StatusText(next.status))
	if !slices.ContainsFunc(next.header, func(h string) bool { return strings.HasPrefix(h, "Content-Length:") }) {
		fmt.Fprintf(out, "Content-Length: %d\r\n", len(next.body))
	}
	for _, header := range next.header {
		out.WriteString(header + "\r\n")
	}
	out.WriteString("\r\n" + next.body)
	out.Flush()
}

// routes are the only targets of section 6, each value encoded as 6.6 says.
var routes = func() *regexp.Regexp {
	const value = `(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+`
	const ranking = `limit=[0-9]+&threshold=[0-9]+(\.[0-9]+)?(&source=` + value + `)?`
	return regexp.MustCompile(`^(/api/v1/daily\?domain=(com|cn)&date=[0-9]{4}-[0-9]{2}-[0-9]{2}` +
		`|/api/v1/problems/` + value + `/` + value +
		`|/api/v1/similar\?q=` + value + `&` + ranking +
		`|/api/v1/similar/` + value + `/` + value + `\?` + ranking +
		`|/api/v1/resolve/` + value +
		`|/status` +
		`|/moved/[a-z]*)$`) // where cases redirect to
}()

// take notes a request and holds it to what all of them promise: invariants 11
// and 14.
func (b *scripted) take(r *http.Request) response {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked = append(b.asked, r.Method+" "+r.RequestURI)
	want := ""
	if b.token != "" {
		want = "Bearer " + b.token
	}
	if got := strings.Join(r.Header["Authorization"], ","); got != want {
		b.problems = append(b.problems, "Authorization: "+got)
	}
	if r.Method != http.MethodGet || !routes.MatchString(r.RequestURI) {
		b.problems = append(b.problems, "no route: "+r.Method+" "+r.RequestURI)
	}
	if r.ContentLength != 0 || len(r.TransferEncoding) > 0 {
		b.problems = append(b.problems, "the request has a body")
	}
	if len(b.responses) == 0 {
		b.problems = append(b.problems, "not expected: "+r.RequestURI)
		return response{status: http.StatusTeapot}
	}
	next := b.responses[0]
	b.responses = b.responses[1:]
	return next
}
