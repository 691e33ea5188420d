// Package logging writes log lines at the level that a RUST_LOG style filter
// asks for.
package logging

import (
	"io"
	"log/slog"
	"math"
	"slices"
	"strings"
)

// Level is slog's level, with two more names at its ends.
type Level = slog.Level

const (
	// LevelTrace is below slog.LevelDebug and printed as TRACE.
	LevelTrace = slog.LevelDebug - 4
	// LevelOff is above every level: nothing is logged.
	LevelOff Level = math.MaxInt
)

var levelNames = map[string]Level{
	"off":   LevelOff,
	"error": slog.LevelError,
	"warn":  slog.LevelWarn,
	"info":  slog.LevelInfo,
	"debug": slog.LevelDebug,
	"trace": LevelTrace,
}

// ParseFilter reads the value of RUST_LOG: a level, or comma-separated parts
// that are a level or target=level, in any case. A part for one of targets
// beats a bare level, of several alike the last counts, parts for other targets
// and unreadable parts are ignored. When nothing is left the level is info.
func ParseFilter(s string, targets ...string) Level {
	level, targeted := slog.LevelInfo, false
	for part := range strings.SplitSeq(s, ",") {
		target, name, isTarget := strings.Cut(part, "=")
		if !isTarget {
			name = target
		}
		parsed, ok := levelNames[strings.ToLower(strings.TrimSpace(name))]
		switch {
		case !ok:
		case isTarget && slices.Contains(targets, strings.TrimSpace(target)):
			level, targeted = parsed, true
		case !isTarget && !targeted:
			level = parsed
		}
	}
	return level
}

// New returns a logger that writes text lines with time and level to w, each
// in one Write, for records at level and above.
func New(w io.Writer, level Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: nameTrace}))
}

func nameTrace(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.LevelKey && a.Value.Any() == LevelTrace {
		a.Value = slog.StringValue("TRACE")
	}
	return a
}

// Adopt sends what libraries say through the standard logger, which knows
// neither level nor secret, to log at level debug.
func Adopt(log *slog.Logger) {
	slog.SetLogLoggerLevel(slog.LevelDebug)
	slog.SetDefault(log)
}
