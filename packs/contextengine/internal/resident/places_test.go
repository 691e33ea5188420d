package resident

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"mcpworks/packs/contextengine/internal/cachetest"
	"mcpworks/packs/contextengine/internal/selection"
)

// Places of caches that are gone are forgotten.
func TestPlacesAreForgotten(t *testing.T) {
	above := t.TempDir()
	s := New(1 << 30)
	defer s.Close()
	for i := range 5 {
		root := filepath.Join(above, fmt.Sprint(i))
		cachetest.Docs{"a.md": fmt.Sprint("document ", i)}.Write(t, filepath.Join(root, "c"))
		ask(t, s, root, "c", selection.Query{Text: "document", Budget: 9})
		s.Settle()
		cachetest.Must(t, os.RemoveAll(filepath.Join(root, "c")))
		if _, err := s.Resolve(t.Context(), root, "c", selection.Query{}); err == nil {
			t.Error("a deleted cache answers")
		}
	}
	s.audit(t)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.places) > 2 {
		t.Errorf("%d places are remembered, of caches that are gone", len(s.places))
	}
}
