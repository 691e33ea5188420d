package main

import (
	"log/slog"
)

// logger writes JSON lines to standard error (14.8), from a level on.
func (c *call) logger(level slog.Level) *slog.Logger {
	if c.Has(optVerbose) {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewJSONHandler(c.stderr, &slog.HandlerOptions{Level: level, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && a.Key == slog.TimeKey {
			a.Key = "ts"
		}
		return a
	}}))
}
