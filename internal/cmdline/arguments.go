package cmdline

import (
	"strconv"
	"time"
)

// Arguments is what was said to a verb.
type Arguments struct {
	Values   map[string][]string // by the name of the option
	Operands []string
	Target   []string
}

// Has says whether an option is there.
func (a Arguments) Has(name string) bool { return len(a.Values[name]) > 0 }

// Value returns the first value of an option; it is empty if the option is not
// there.
func (a Arguments) Value(name string) string {
	if !a.Has(name) {
		return ""
	}
	return a.Values[name][0]
}

// Duration returns the value of an option of that kind, or the fallback.
func (a Arguments) Duration(name string, fallback time.Duration) time.Duration {
	if !a.Has(name) {
		return fallback
	}
	d, _ := parseDuration(a.Value(name))
	return d
}

func parseDuration(s string) (time.Duration, bool) {
	d, err := time.ParseDuration(s)
	if seconds, bad := strconv.ParseUint(s, 10, 31); bad == nil {
		d, err = time.Duration(seconds)*time.Second, nil
	}
	return d, err == nil && d > 0
}
