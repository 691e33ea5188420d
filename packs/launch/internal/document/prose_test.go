package document_test

import (
	"testing"

	"mcpworks/packs/launch/internal/document"
)

// 6.2(1): three dots do not end a sentence, since what follows may say nothing alone.
func TestSentences(t *testing.T) {
	for text, want := range map[string]int{
		"Keep calm! ... Cast": 1, "It waits. Then it goes.": 2, "Ready? Go.": 2,
	} {
		if got := document.Parse("a.md", text+"\n").Blocks; len(got) != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
