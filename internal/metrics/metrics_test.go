package metrics_test

import (
	"testing"

	"mcpworks/internal/metrics"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	var inner, r metrics.Registry
	calls := r.Counter("calls_total", "Calls.", "tool")
	r.Gauge("empty", "Nothing.")
	times := r.Histogram("seconds", "Times.", []float64{0.5, 2})
	depth := 0.0
	inner.GaugeFunc("runs", "Runs.", []string{"state"}, func(tell func(float64, ...string)) {
		tell(depth, "DONE")
		tell(1, `a "quoted" \ name`)
	})
	r.Include(&inner)
	calls.Add(1, "b")
	calls.Add(2, "a")
	times.Observe(0.5)
	times.Observe(1.25)
	times.Observe(3)
	depth = 7
	want := `# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{tool="a"} 2
calls_total{tool="b"} 1
# HELP seconds Times.
# TYPE seconds histogram
seconds_bucket{le="0.5"} 1
seconds_bucket{le="2"} 2
seconds_bucket{le="+Inf"} 3
seconds_sum 4.75
seconds_count 3
# HELP runs Runs.
# TYPE runs gauge
runs{state="DONE"} 7
runs{state="a \"quoted\" \\ name"} 1
`
	if diff := cmp.Diff(want, string(r.AppendText(nil))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
