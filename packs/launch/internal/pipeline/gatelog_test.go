package pipeline_test

import (
	"encoding/json"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
)

// 5.5, 10.3: every gate leaves a log that can be read, and the report names it.
func TestGateLogs(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil, adding(t, "kb/faq.md", "\n## More\n\nSee [the rest](javascript:alert).\n"))
	id := b.start(settings("sparse", product(t, "sparse"), nil))
	b.work(id)
	var report artifact.ValidationReport
	if err := json.Unmarshal([]byte(b.file(id, "artifacts/"+artifact.ValidationReportName)), &report); err != nil {
		t.Fatal(err)
	}
	for _, g := range report.Gates {
		chunk, err := b.store.Read(t.Context(), id, g.LogPath, 0, 1<<20)
		if err != nil || !strings.HasPrefix(string(chunk.Data), g.Name+": "+g.Status) {
			t.Errorf("%s: %q, %v", g.Name, chunk.Data, err)
		}
		if g.Name == "xss" && !strings.Contains(string(chunk.Data), "GATE_XSS_JAVASCRIPT_URL "+aPage) {
			t.Errorf("the log is %q", chunk.Data)
		}
	}
}
