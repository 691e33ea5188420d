package stdio

import (
	"fmt"
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

// What a process can end after, as lint.Exit has it.
const (
	byItself   = "by itself"
	endOfInput = "end of input"
	terminate  = "terminate"
	kill       = "kill"
)

// cleanEnds are the talks whose process had nothing left to do when its input
// ended. A server that asks the client for something may stay for the answer,
// which never comes if it asks too late.
func cleanEnds(v *lint.View) []*lint.Talk {
	var clean []*lint.Talk
	for _, t := range v.Talks(step.Main) {
		waits := slices.ContainsFunc(t.Messages(), func(m *lint.Message) bool {
			return m.FromServer && m.Kind == lint.Request && (m.Answer == nil || m.Step.Name == step.Close)
		})
		if exit := t.Exit(); exit != nil && exit.After != byItself && t.Failure == "" && !waits {
			clean = append(clean, t)
		}
	}
	return clean
}

// failExit adds a finding about the end of a talk's process.
func failExit(v *lint.View, t *lint.Talk, severity lint.Severity, format string, args ...any) {
	v.Fail(lint.Finding{
		Severity: severity, Message: fmt.Sprintf(format, args...), Revision: t.Revision,
		Evidence: lint.Evidence{Talk: t.Phase, Step: step.Close, Note: how(t.Exit())},
	})
}

// how tells of an exit in words.
func how(exit *lint.Exit) string {
	if exit == nil {
		return ""
	}
	text := fmt.Sprintf("ended with status %d", exit.Code)
	if exit.Signal != "" {
		text = "ended by the signal " + exit.Signal
	}
	if text += " after: " + exit.After; exit.Leftovers {
		text += "; other processes of its group were left"
	}
	return text
}
