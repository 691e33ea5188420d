package fix

import (
	"strings"

	"mcpworks/packs/launch/internal/gate"
)

// tokens puts the value of the plan for a token, or takes it away; a line that
// becomes empty goes, too.
func tokens(w *work) error {
	var gone []int
	for n, line := range w.page.Lines {
		if line.InCode() || !line.New {
			continue
		}
		text, changed := line.Text, false
		spans := gate.Token.FindAllStringIndex(line.Bare, -1)
		for s := len(spans) - 1; s >= 0; s-- {
			token := line.Bare[spans[s][0]:spans[s][1]]
			if !w.about(token) {
				continue
			}
			text, changed = text[:spans[s][0]]+w.valueOf(token)+text[spans[s][1]:], true
		}
		if !changed {
			continue
		}
		w.lines[n] = strings.TrimRight(strings.ReplaceAll(text, "  ", " "), " ")
		if strings.Trim(w.lines[n], " -*+>#") == "" {
			gone = append(gone, n)
		}
	}
	w.drop(gone...)
	return nil
}

func (w *work) valueOf(token string) string {
	if w.plan == nil {
		return ""
	}
	return w.plan.TokenMappings[strings.Trim(token, "_{} .")]
}
