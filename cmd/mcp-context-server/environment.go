package main

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"mcpworks/packs/contextengine"
)

var (
	errRoot    = errors.New("CONTEXT_CACHE_ROOT environment variable is not set")
	errTimeout = errors.New("CONTEXT_TOOL_TIMEOUT_SECS must be a positive integer")
)

// readEnvironment reads what the operator decides (SRV-1, SRV-2).
func readEnvironment(lookup func(string) (string, bool)) (config contextengine.Config, err error) {
	if config.Root, _ = lookup("CONTEXT_CACHE_ROOT"); config.Root == "" {
		return config, errRoot
	}
	if seconds, set := lookup("CONTEXT_TOOL_TIMEOUT_SECS"); set {
		config.Timeout, err = parseSeconds(seconds)
	}
	return config, err
}

// parseSeconds reads digits and nothing else. What is more than a Duration can
// be is as long as one can be.
func parseSeconds(text string) (time.Duration, error) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, errTimeout
	}
	const most = math.MaxInt64 / int64(time.Second)
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil { // out of range
		seconds = most
	}
	if seconds == 0 {
		return 0, errTimeout
	}
	return time.Duration(min(seconds, most)) * time.Second, nil
}
