package mcp

import "slices"

// A Level is the weight of a log notification.
type Level int

// The levels, lightest first.
const (
	LevelDebug Level = iota
	LevelInfo
	LevelNotice
	LevelWarning
	LevelError
	LevelCritical
	LevelAlert
	LevelEmergency
)

var levelNames = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// ParseLevel returns the level of that exact name.
func ParseLevel(name string) (Level, bool) {
	i := slices.Index(levelNames, name)
	return Level(i), i >= 0
}

func (l Level) String() string { return levelNames[l] }
