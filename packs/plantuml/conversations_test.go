package plantuml_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/template"
	"time"

	"mcpworks/internal/logging"
	"mcpworks/internal/version"
	"mcpworks/mcp/transport/streamable"
	"mcpworks/packs/plantuml"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestConversations plays testdata/http: each case is a request and what must
// come back. README.md there has the format.
func TestConversations(t *testing.T) {
	for _, file := range conversationFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, cases := readConversations(t, file)
			s := newService(t)
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) {
					s.log.Reset()
					r := s.play(t, c)
					checkReply(t, r)
					got := r.golden() + s.log.String()
					if *update {
						c.reply.Data = []byte(got)
					} else if diff := cmp.Diff(string(c.reply.Data), got); diff != "" {
						t.Errorf("reply (-want +got):\n%s", diff)
					}
				})
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestInvariant25NoCallChangesALaterOne plays all conversations at once and in
// disorder: every reply is what it is alone.
func TestInvariant25NoCallChangesALaterOne(t *testing.T) {
	var all []*conversation
	for _, file := range conversationFiles(t) {
		_, cases := readConversations(t, file)
		all = append(all, cases...)
	}
	s := newService(t)
	var players sync.WaitGroup
	for range 4 {
		order := rand.Perm(len(all))
		players.Go(func() {
			for _, i := range order {
				if r, err := s.ask(all[i]); err != nil {
					t.Error(err)
				} else if got := r.golden(); !strings.HasPrefix(string(all[i].reply.Data), got) {
					t.Errorf("%s among others: %s", all[i].name, got)
				}
			}
		})
	}
	players.Wait()
}

func conversationFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/http/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	return files
}

// A conversation is one request and its reply.
type conversation struct {
	name, method, target string
	header               http.Header
	body                 string
	reply                *txtar.File // points into the archive
}

func readConversations(t *testing.T, file string) (*txtar.Archive, []*conversation) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []*conversation
	for i := range archive.Files {
		name, part, _ := strings.Cut(archive.Files[i].Name, "/")
		switch {
		case part == "request":
			cases = append(cases, readRequest(t, name, string(archive.Files[i].Data)))
		case part == "reply" && len(cases) > 0 && cases[len(cases)-1].name == name:
			cases[len(cases)-1].reply = &archive.Files[i]
		default:
			t.Fatalf("%s: want a request, then its reply", archive.Files[i].Name)
		}
	}
	for _, c := range cases {
		if c.reply == nil {
			t.Fatalf("%s has no reply", c.name)
		}
	}
	return archive, cases
}

func readRequest(t *testing.T, name, data string) *conversation {
	for strings.HasPrefix(data, "#") {
		_, data, _ = strings.Cut(data, "\n")
	}
	head, body, _ := strings.Cut(data, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	method, target, ok := strings.Cut(expand(t, lines[0]), " ")
	if !ok {
		t.Fatalf("%s: want method and target", name)
	}
	c := &conversation{name: name, method: method, target: target, header: http.Header{"User-Agent": {"test"}}}
	for _, line := range lines[1:] {
		key, value, _ := strings.Cut(line, ": ")
		c.header.Set(key, value)
	}
	c.body = expand(t, strings.TrimSuffix(body, "\n"))
	return c
}

// expand runs the generators in a text.
func expand(t *testing.T, text string) string {
	parsed, err := template.New("").Funcs(template.FuncMap{
		"repeat": strings.Repeat,
		"hex": func(digits string) (string, error) {
			raw, err := hex.DecodeString(digits)
			return string(raw), err
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

// evening is the time of tests.
var evening = time.Date(2026, 3, 5, 20, 30, 0, 0, time.UTC)

// A service is both faces on one real listener.
type service struct {
	url string
	log *logBuffer
}

type logBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func newService(t testing.TB) *service {
	t.Helper()
	log := &logBuffer{}
	cfg := plantuml.Config{Log: timeless(log), Now: func() time.Time { return evening }}
	srv, err := plantuml.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	endpoint := streamable.New(srv, streamable.Options{Stateless: true})
	rest := plantuml.Handler(cfg)
	return listen(t, log, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/mcp" {
			endpoint.ServeHTTP(w, r)
			return
		}
		rest.ServeHTTP(w, r)
	}))
}

func listen(t testing.TB, log *logBuffer, handler http.Handler) *service {
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return &service{url: s.URL, log: log}
}

// timeless returns a logger whose lines do not depend on the clock.
func timeless(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{
		Level: logging.LevelTrace,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
}

// A reply is one answer, with the request it is for.
type reply struct {
	*conversation
	status int
	header http.Header
	body   string
}

var errRedirect = errors.New("a redirect")

var client = &http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	Timeout:       time.Minute,
	Transport:     &http.Transport{MaxIdleConnsPerHost: 100},
}

func (s *service) ask(c *conversation) (reply, error) {
	req, err := http.NewRequest(c.method, s.url+c.target, strings.NewReader(c.body))
	if err != nil {
		return reply{}, err
	}
	req.Header = c.header.Clone()
	resp, err := client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return reply{c, resp.StatusCode, resp.Header, string(body)}, err
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func (s *service) play(t failer, c *conversation) reply {
	t.Helper()
	r, err := s.ask(c)
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	return r
}

// post calls the tool.
func (s *service) post(t failer, body string) reply {
	t.Helper()
	return s.play(t, &conversation{name: "post", method: "POST", target: toolPath, body: body})
}

const toolPath = "/api/tools/encodePlantUML"

// golden is how a reply is written down: status, headers, body.
func (r reply) golden() string {
	var b strings.Builder
	fmt.Fprintln(&b, r.status, http.StatusText(r.status))
	var lines []string
	for key, values := range r.header {
		if key != "Date" && key != "Content-Length" {
			lines = append(lines, key+": "+strings.Join(values, ", ")+"\n")
		}
	}
	slices.Sort(lines)
	b.WriteString(strings.Join(lines, "") + "\n")
	if r.body != "" {
		b.WriteString(strings.ReplaceAll(r.body, version.Number, "$VERSION") + "\n")
	}
	return b.String()
}
