package contextengine_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"
	"unicode/utf8"

	"mcpworks/internal/version"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
	"mcpworks/packs/contextengine"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestConversations plays testdata/v0; README.md there has the format.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/v0/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
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
	handshake := !bytes.Contains(archive.Comment, []byte("handshake: none"))
	srv := newV0(t, contextengine.Config{Root: rootOf(t, archive)})
	played := 0
	for i, half := range archive.Files {
		name, ok := strings.CutSuffix(half.Name, "/client")
		if !ok {
			continue
		}
		if i+1 == len(archive.Files) || archive.Files[i+1].Name != name+"/server" {
			t.Fatalf("case %s has no server half", name)
		}
		played++
		t.Run(name, func(t *testing.T) {
			got := fold(converse(t, srv, expand(t, string(half.Data)), handshake))
			if *update {
				archive.Files[i+1].Data = []byte(got)
			} else if diff := cmp.Diff(string(archive.Files[i+1].Data), got); diff != "" {
				t.Errorf("the server says (-want +got):\n%s", diff)
			}
		})
	}
	if played == 0 {
		t.Fatal("no case")
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func newV0(t testing.TB, cfg contextengine.Config) *server.Server {
	t.Helper()
	srv, err := newEngine(t, cfg).ServerV0()
	if err != nil {
		t.Fatal(err)
	}
	return srv
}

func newEngine(t testing.TB, cfg contextengine.Config) *contextengine.Engine {
	t.Helper()
	engine, err := contextengine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(engine.Close)
	return engine
}

const openLine = `{"jsonrpc":"2.0","id":"open","method":"initialize"}` + "\n"

// A failer is a test, or one round of a property.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// converse returns all that a server says to an input.
func converse(t failer, srv *server.Server, input string, handshake bool) string {
	t.Helper()
	if handshake {
		input = openLine + input
	}
	var out bytes.Buffer
	conn := stdio.New(strings.NewReader(input), &out, stdio.Options{MaxMessage: contextengine.MaxMessage})
	if err := srv.Serve(context.Background(), conn); err != nil {
		t.Fatalf("serving ended with %v", err)
	}
	said := out.String()
	if handshake {
		first, rest, ok := strings.Cut(said, "\n")
		if !ok || !strings.HasPrefix(first, `{"jsonrpc":"2.0","id":"open","result":{`) {
			t.Fatalf("initialize is answered with %s", first)
		}
		said = rest
	}
	return said
}

// expand runs the generators in a text.
func expand(t testing.TB, text string) string {
	t.Helper()
	text, _, _ = strings.Cut(text, "∎")
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

// fold writes short pieces that are repeated often as the template that makes
// them.
func fold(said string) string {
	said = strings.ReplaceAll(said, `"version":"`+version.Number+`"`, `"version":"$VERSION"`)
	var b strings.Builder
	for said != "" {
		piece, times := repeated(said)
		if times == 0 {
			_, size := utf8.DecodeRuneInString(said)
			b.WriteString(said[:size])
			said = said[size:]
			continue
		}
		fmt.Fprintf(&b, "{{repeat %q %d}}", piece, times)
		said = said[times*len(piece):]
	}
	return b.String()
}

func repeated(text string) (piece string, times int) {
	const maxPiece, minTimes = 6, 50
	for size := 1; size <= min(maxPiece, len(text)); size++ {
		piece, times := text[:size], 0
		for strings.HasPrefix(text[times*size:], piece) {
			times++
		}
		if times >= minTimes {
			return piece, times
		}
	}
	return "", 0
}
