package launch

import (
	"context"
	"time"

	"mcpworks/internal/metrics"
	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/record"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// numbers are what is counted of calls, and what can be counted of runs (14.7).
type numbers struct {
	metrics.Registry
	calls, durations, errors, limited *metrics.Vec
	stages, gateFailures              *metrics.Vec
}

// buckets are the upper bounds of how long calls take, in seconds.
var buckets = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600}

// lookTime is how long those who read the numbers wait for the database.
const lookTime = 5 * time.Second

func newNumbers(l *Launcher) *numbers {
	n := &numbers{}
	n.calls = n.Counter("launcher_mcp_tool_calls_total", "Calls of tools that ended, by outcome.", "tool", "outcome")
	n.durations = n.Histogram("launcher_mcp_tool_duration_seconds", "How long calls of tools took.", buckets, "tool")
	n.errors = n.Counter("launcher_mcp_tool_errors_total", "Calls of tools that failed, by error_code.", "tool", "error_code")
	n.limited = n.Counter("launcher_rate_limited_total", "Calls of tools beyond a limit.")
	n.limited.Add(0)
	n.stages = n.Histogram("launcher_stage_duration_seconds", "How long stages of runs took in this process.", buckets, "stage")
	n.gateFailures = n.Counter("launcher_gate_failures_total", "Gates that pages did not pass in this process.", "gate")
	n.GaugeFunc("launcher_runs", "Runs of the data directory, by state.", []string{"state"}, l.lookedUp(func(ctx context.Context, tell func(float64, ...string)) error {
		counts, err := l.engine.RunsByState(ctx)
		for state, count := range counts {
			tell(float64(count), string(state))
		}
		return err
	}))
	n.GaugeFunc("launcher_queue_depth", "Runs that wait to be executed.", nil, l.lookedUp(func(ctx context.Context, tell func(float64, ...string)) error {
		depth, err := l.engine.QueueDepth(ctx)
		tell(float64(depth))
		return err
	}))
	n.GaugeFunc("launcher_telemetry_outbox_bytes", "Records that no service has taken yet.", nil, l.lookedUp(func(_ context.Context, tell func(float64, ...string)) error {
		size, err := l.engine.OutboxBytes()
		tell(float64(size))
		return err
	}))
	return n
}

// measure counts a step of a run that has ended.
func (n *numbers) measure(step operate.Step) {
	switch {
	case step.Status == "" || step.Status == string(snapshot.ItemSkipped):
	case step.Gate == "":
		n.stages.Observe(step.Took.Seconds(), step.Worker)
	case step.Status != "pass":
		n.gateFailures.Add(1, step.Gate)
	}
}

// lookedUp is a number that stands in the database. One that cannot be read is
// left out, or 0.
func (l *Launcher) lookedUp(look func(context.Context, func(float64, ...string)) error) func(func(float64, ...string)) {
	return func(tell func(float64, ...string)) {
		ctx, cancel := context.WithTimeout(context.Background(), lookTime)
		defer cancel()
		if err := look(ctx, tell); err != nil {
			l.cfg.Log.Warn("a number could not be looked up", "cause", l.Redact(err.Error()))
		}
	}
}

// count counts a call that has ended. The names of tools and codes are those of
// closed lists.
func (n *numbers) count(tool, outcome, errorCode string, took time.Duration) {
	n.calls.Add(1, tool, outcome)
	n.durations.Observe(took.Seconds(), tool)
	if errorCode == "" {
		return
	}
	n.errors.Add(1, tool, errorCode)
	if errorCode == codes[RateLimited].errorCodes[0] {
		n.limited.Add(1)
	}
}

func outcomeOf(failed *Error) string {
	if failed != nil {
		return record.Failure
	}
	return record.Success
}

// Metrics are the numbers of this launcher, for those who serve them in another
// way than as a resource.
func (l *Launcher) Metrics() *metrics.Registry { return &l.numbers.Registry }
