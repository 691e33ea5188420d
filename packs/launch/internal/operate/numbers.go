package operate

import (
	"context"
	"os"
	"path/filepath"

	"mcpworks/packs/launch/internal/run/state"
)

// RunsByState counts the runs of the data directory.
func (l *Launcher) RunsByState(ctx context.Context) (map[state.State]int, error) {
	rows, err := l.store.Index().Reader().QueryContext(ctx, "SELECT state, count(*) FROM runs GROUP BY state")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	counts := map[state.State]int{}
	for rows.Next() {
		var at state.State
		var count int
		if err := rows.Scan(&at, &count); err != nil {
			return nil, err
		}
		counts[at] = count
	}
	return counts, rows.Err()
}

// QueueDepth is how many runs wait to be executed.
func (l *Launcher) QueueDepth(ctx context.Context) (int, error) { return l.queue.Depth(ctx) }

// outboxes are the files of runs with records that no service has taken.
func (l *Launcher) outboxes() ([]string, error) {
	return filepath.Glob(filepath.Join(l.options.DataDir, "runs", "*", "telemetry_outbox*.jsonl"))
}

// OutboxBytes is how much the outboxes of all runs hold.
func (l *Launcher) OutboxBytes() (size int64, err error) {
	outboxes, err := l.outboxes()
	for _, name := range outboxes {
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	return size, err
}
