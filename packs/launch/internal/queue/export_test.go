package queue

import (
	"log/slog"
	"time"
)

// QuietLogger is what River gets.
func QuietLogger(log *slog.Logger, clock func() time.Time) *slog.Logger {
	return quietLogger(log, clock)
}
