package main

import (
	"fmt"
	"time"
)

// size is a number of bytes.
func size(bytes int64) string {
	switch {
	case bytes < 1000:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1000_000:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1000_000)
}

// span is a time that something took.
func span(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", max(d, 0).Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%.1f min", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.1f h", d.Hours())
	}
	return fmt.Sprintf("%d days", d/(24*time.Hour))
}

// age is how long ago a time was, or nothing if that is no time.
func age(then string, now time.Time) string {
	at, err := time.Parse(time.RFC3339, then)
	if err != nil {
		return ""
	}
	switch d := now.Sub(at); {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	default:
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	}
}

// between is how long something took, or 0 if one of them is no time.
func between(from, to string) time.Duration {
	began, err := time.Parse(time.RFC3339, from)
	ended, err2 := time.Parse(time.RFC3339, to)
	if err != nil || err2 != nil {
		return 0
	}
	return ended.Sub(began)
}

// clock is a time without its fraction.
func clock(then string) string { return plainClock(then) + " UTC" }

// plainClock is clock where it is known whose time it is.
func plainClock(then string) string {
	at, err := time.Parse(time.RFC3339, then)
	if err != nil {
		return then
	}
	return at.UTC().Format(time.DateTime)
}

// several is a number of things: 1 page, 2 pages.
func several(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
