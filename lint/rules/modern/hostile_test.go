package modern_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/rules/modern"

	"pgregory.net/rapid"
)

// Whatever a server sends, no rule fails itself (META-002): any value in the
// messages of the fixtures may be any other.
func TestRulesStandAnyValue(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no fixtures")
	}
	values := []string{`null`, `true`, `-1.5e9`, `"\ud800"`, `""`, `[]`, `[[],{}]`, `{}`, `{"a":{"b":[null]}}`, `"2026-07-28"`}
	rapid.Check(t, func(t *rapid.T) {
		text, err := os.ReadFile(rapid.SampledFrom(files).Draw(t, "file"))
		if err != nil {
			t.Fatal(err)
		}
		var record strings.Builder
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, `{"recv"`) || strings.HasPrefix(line, `{"http"`) {
				line = spoil(t, line, values)
			}
			record.WriteString(line)
		}
		read, err := lint.ReadRecord(strings.NewReader(record.String()))
		if err != nil {
			t.Skip(err)
		}
		read.Level = lint.Stress
		for _, result := range lint.Run(read, modern.Rules(), lint.Options{}).Results {
			if strings.HasPrefix(result.Reason, "META-002") {
				t.Errorf("%s: %s", result.Rule.ID, result.Reason)
			}
		}
	})
}

// spoil puts another value in the place of one of a line's members.
func spoil(t *rapid.T, line string, values []string) string {
	var places []int
	for i := range line {
		if strings.HasPrefix(line[i:], `":`) {
			places = append(places, i+2)
		}
	}
	at := rapid.SampledFrom(places[1:]).Draw(t, "place")
	return line[:at] + rapid.SampledFrom(values).Draw(t, "value") + line[at+valueLength(line[at:]):]
}

// valueLength is how long the JSON value is that a text begins with.
func valueLength(text string) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case depth == 0 && (c == ',' || c == '}' || c == ']'):
			return i
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return len(text)
}
