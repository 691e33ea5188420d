package fix

import (
	"maps"
	"slices"
)

// Codes are those that there is a rule for, sorted.
func Codes() []string { return slices.Sorted(maps.Keys(rules)) }
