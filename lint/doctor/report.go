package doctor

import (
	"fmt"
	"runtime"
	"strings"
	"unicode/utf8"

	"mcpworks/internal/rawjson"
	"mcpworks/internal/version"
)

// schemaVersion is that of the JSON report. Within one number there are only
// additions.
const schemaVersion = 1

var marks = map[State]string{OK: "✓", Failed: "✗", Warning: "!", Skipped: "-"}

// Text is the report for a terminal.
func (d *Diagnosis) Text() string {
	var b strings.Builder
	if d.Target != "" {
		fmt.Fprintf(&b, "%s\n\n", plainLine(d.Target))
	}
	width := 0
	for _, s := range d.Steps {
		if n := utf8.RuneCountInString(s.Name); n < 20 {
			width = max(width, n)
		}
	}
	for _, s := range d.Steps {
		s.appendText(&b, width, d.Cause)
	}
	if d.Cause != nil {
		fmt.Fprintf(&b, "\ncause: %s (%s)\n", plainLine(d.Cause.Sentence), d.Cause.ID)
		fmt.Fprintf(&b, "what to do: %s\n", plainLine(d.Cause.Action))
	}
	if d.Target != "" {
		fmt.Fprintf(&b, "\nlevel passive, %s sent\n", several(d.Messages, "message"))
	}
	return b.String()
}

// appendText leaves out an action that is said at the end.
func (s *Step) appendText(b *strings.Builder, width int, cause *Cause) {
	found := plainLine(s.Found)
	if s.State == Skipped {
		found = "skipped: " + found
	}
	fmt.Fprintf(b, "%s %-*s  %s\n", marks[s.State], width, plainLine(s.Name), found)
	for _, line := range s.Evidence {
		fmt.Fprintf(b, "    | %s\n", plainLine(line))
	}
	if s.Action != "" && (cause == nil || cause.Action != s.Action) {
		fmt.Fprintf(b, "    try: %s\n", plainLine(s.Action))
	}
}

// Markdown is a block for a bug report.
func (d *Diagnosis) Markdown() string {
	text := strings.TrimSuffix(d.Text(), "\n")
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	var b strings.Builder
	b.WriteString("### mcplint doctor\n\n")
	fmt.Fprintf(&b, "- mcplint %s, %s/%s\n", version.Number, runtime.GOOS, runtime.GOARCH)
	switch {
	case d.Cause != nil:
		fmt.Fprintf(&b, "- cause: `%s`\n", d.Cause.ID)
	case d.Failed():
		b.WriteString("- cause: not recognised\n")
	case d.Stopped != "":
		fmt.Fprintf(&b, "- not examined to the end: %s\n", plainLine(d.Stopped))
	default:
		b.WriteString("- nothing failed\n")
	}
	fmt.Fprintf(&b, "\n%stext\n%s\n%s\n", fence, text, fence)
	return b.String()
}

// AppendJSON appends the report as one JSON object.
func (d *Diagnosis) AppendJSON(dst []byte, exitCode int) []byte {
	o := rawjson.Begin(dst)
	o.Int("schemaVersion", schemaVersion)
	tool := rawjson.Begin(o.Name("tool"))
	tool.String("name", "mcplint")
	tool.String("version", version.Number)
	o.Set(tool.End())
	o.NonEmpty("target", plainLine(d.Target))
	o.NonEmpty("transport", d.Transport)
	o.NonEmpty("era", d.Era)
	o.NonEmpty("revision", plainLine(d.Version))
	o.NonEmpty("server", plainLine(d.Server))
	if d.Target != "" {
		o.String("level", "passive")
		o.Int("messagesSent", int64(d.Messages))
	}
	o.Bool("ok", !d.Failed() && d.Stopped == "")
	steps := append(o.Name("steps"), '[')
	for i, s := range d.Steps {
		if i > 0 {
			steps = append(steps, ',')
		}
		steps = s.appendJSON(steps)
	}
	o.Set(append(steps, ']'))
	if d.Cause != nil {
		cause := rawjson.Begin(o.Name("cause"))
		cause.String("id", d.Cause.ID)
		cause.String("sentence", plainLine(d.Cause.Sentence))
		cause.String("action", plainLine(d.Cause.Action))
		o.Set(cause.End())
	}
	o.Int("exitCode", int64(exitCode))
	return o.End()
}

func (s *Step) appendJSON(dst []byte) []byte {
	o := rawjson.Begin(dst)
	o.String("name", plainLine(s.Name))
	o.String("state", string(s.State))
	o.Bool("required", s.Required)
	o.NonEmpty("found", plainLine(s.Found))
	if len(s.Evidence) > 0 {
		lines := make([]string, len(s.Evidence))
		for i, line := range s.Evidence {
			lines[i] = plainLine(line)
		}
		o.Strings("evidence", lines)
	}
	o.NonEmpty("action", plainLine(s.Action))
	return o.End()
}
