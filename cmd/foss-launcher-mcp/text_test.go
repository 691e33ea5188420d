package main

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// noon is when the texts of tests are written.
func noon() time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC) }

// The texts of tests, by the first word of their files.
var views = map[string]view{
	"status": readable(statusText), "list": readable(listText), "artifact": readable(filesList), "validate": readable(validateText),
	"fix": readable(fixText), "cancel": readable(cancelText), "open_pr": readable(pullRequestText), "telemetry": readable(telemetryText),
	"taskcards": readable(taskcardsText), "check_taskcard": readable(taskcardText), "start": readable(startText),
}

// TestTexts compares what people read with testdata/text: each file has the
// answer of a tool and the text of it.
func TestTexts(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range golden(t, "testdata/text") {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive := readGolden(t, name)
			verb, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(name), ".txtar"), "-")
			seen[verb] = true
			c := &call{now: noon, dataDir: "data", stderr: newScreen(os.Stderr)}
			c.Values = map[string][]string{optDataDir: {"data"}, "--tag": {"two words"}}
			for _, v := range verbs() {
				if v.Name == strings.ReplaceAll(verb, "_", "-") {
					c.verb, c.Operands = v, v.Operands
				}
			}
			text, err := views[verb](c, json.RawMessage(archive.Files[0].Data))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, name, archive, text)
			for line := range strings.Lines(string(text)) {
				line = strings.TrimSuffix(line, "\n")
				if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsGraphic(r) }) {
					t.Errorf("a terminal would act on %q", line)
				}
				words := strings.TrimRight(line[:1+strings.LastIndex(line, " ")], " ") // the last one may be a long name
				if utf8.RuneCountInString(words) > pageWidth && !strings.HasPrefix(line, "  foss-launcher-mcp ") {
					t.Errorf("this is too long: %s", line)
				}
			}
		})
	}
	for verb := range views {
		if !seen[verb] {
			t.Errorf("no golden file shows what %s writes", verb)
		}
	}
}

// TestTimeline compares what is told of a run that goes on with
// testdata/timeline: each file has the events and the lines.
func TestTimeline(t *testing.T) {
	for _, name := range golden(t, "testdata/timeline") {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive := readGolden(t, name)
			var line timeline
			var text strings.Builder
			for row := range strings.Lines(string(archive.Files[0].Data)) {
				var e event
				if err := decode(json.RawMessage(row), &e); err != nil {
					t.Fatal(err)
				}
				if said := line.tell(e); said != "" {
					text.WriteString(said + "\n")
				}
				text.WriteString("    | " + line.going(status{Activity: "running"}, timeOf(e.Time).Add(100*time.Millisecond)) + "\n")
			}
			text.WriteString("    | " + line.going(status{Activity: "running"}, timeOf(line.latest).Add(time.Minute)) + "\n")
			text.WriteString("    | " + line.going(status{Activity: "queued"}, timeOf(line.latest).Add(time.Minute)) + "\n")
			compare(t, name, archive, []byte(text.String()))
		})
	}
}

func golden(t *testing.T, folder string) []string {
	t.Helper()
	names, err := filepath.Glob(folder + "/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("%s has no files: %v", folder, err)
	}
	return names
}

func readGolden(t *testing.T, name string) *txtar.Archive {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil || len(archive.Files) != 2 {
		t.Fatalf("%s has not two files: %v", name, err)
	}
	return archive
}

// compare wants text to be the second file of an archive, or makes it that.
func compare(t *testing.T, name string, archive *txtar.Archive, text []byte) {
	t.Helper()
	if diff := cmp.Diff(string(archive.Files[1].Data), string(text)); diff != "" {
		t.Error(diff)
	}
	if flag.Lookup("update").Value.String() == "true" {
		archive.Files[1].Data = text
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
