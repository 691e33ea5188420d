package operate

import (
	"context"

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
