package report

import (
	"math"
	"slices"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// A Summary is what a record says about the server as a whole.
type Summary struct {
	Target    string
	Transport string
	// Eras and Revisions are those that were spoken in main talks.
	Eras, Revisions                      []string
	Name, Version                        string
	Tools, Resources, Templates, Prompts int
	// Tokens is an estimate of what the tools cost a model: bytes / 3.6.
	Tokens int
	// Messages counts what was sent, Talks the connections.
	Messages, Talks int
}

// Summarize reads the summary off a record.
func Summarize(record *lint.Record) Summary {
	s := Summary{Target: record.Target.Shown, Talks: len(record.Talks)}
	for _, t := range record.Talks {
		for _, m := range t.Messages() {
			if !m.FromServer {
				s.Messages++
			}
		}
		if t.Phase == step.Main && (t.Capabilities() != nil || t.Server() != nil) {
			s.add(t)
		}
	}
	return s
}

// add takes what a main talk says; of lists, the longest counts.
func (s *Summary) add(t *lint.Talk) {
	era := "legacy"
	if t.Modern {
		era = "modern"
	}
	s.Transport = t.Transport
	s.Eras = append(s.Eras, era)
	if !slices.Contains(s.Revisions, t.Revision) {
		s.Revisions = append(s.Revisions, t.Revision)
	}
	if name, ok := lint.Text(lint.Member(t.Server(), "name")); ok && s.Name == "" {
		s.Name = name
		s.Version, _ = lint.Text(lint.Member(t.Server(), "version"))
	}
	tools := t.Items(step.List, mcp.MethodListTools)
	bytes := 0
	for _, tool := range tools {
		bytes += toolBytes(tool.Raw)
	}
	s.Tools, s.Tokens = max(s.Tools, len(tools)), max(s.Tokens, int(math.Round(float64(bytes)/bytesPerToken)))
	s.Resources = max(s.Resources, len(t.Items(step.List, mcp.MethodListResources)))
	s.Templates = max(s.Templates, len(t.Items(step.List, mcp.MethodListResourceTemplates)))
	s.Prompts = max(s.Prompts, len(t.Items(step.List, mcp.MethodListPrompts)))
}

// bytesPerToken is how many bytes a token is, roughly (C13).
const bytesPerToken = 3.6

// toolBytes is the size of what a model sees of a tool.
func toolBytes(tool []byte) (n int) {
	for _, name := range []string{"name", "description", "inputSchema", "outputSchema", "annotations"} {
		if value := lint.Member(tool, name); value != nil {
			n += len(name) + len(`"":,`) + len(rawjson.Compact(nil, value))
		}
	}
	return n + len("{}")
}

// server is the name with its version.
func (s *Summary) server() string {
	return strings.TrimSpace(s.Name + " " + s.Version)
}
