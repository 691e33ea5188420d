package cache

import "strconv"

// IsTimestamp says whether s is a time by RFC 3339 (LOAD-4). It is read here
// and not by package time, which the engine does without: no clock can ever
// have a say in a selection.
func IsTimestamp(s string) bool {
	// 2026-01-02T03:04:05.678Z
	const date, separator, clock = len("2026-01-02"), len("2026-01-02") + 1, len("2026-01-02T03:04:05")
	if len(s) <= clock || s[4] != '-' || s[7] != '-' || s[13] != ':' || s[16] != ':' {
		return false
	}
	switch s[date] {
	case 'T', 't', ' ':
	default:
		return false
	}
	year, month, day := number(s[:4]), number(s[5:7]), number(s[8:date])
	hour, minute, second := number(s[separator:13]), number(s[14:16]), number(s[17:clock])
	if year < 0 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) ||
		!between(hour, 23) || !between(minute, 59) || !between(second, 60) { // 60: a leap second
		return false
	}
	return isZone(afterFraction(s[clock:]))
}

// afterFraction returns what follows the fraction of a second; nothing, if the
// fraction has no digits.
func afterFraction(s string) string {
	if s[0] != '.' {
		return s
	}
	end := 1
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	if end == 1 {
		return ""
	}
	return s[end:]
}

func isZone(s string) bool {
	if s == "Z" || s == "z" {
		return true
	}
	return len(s) == 6 && (s[0] == '+' || s[0] == '-') && s[3] == ':' && between(number(s[1:3]), 23) && between(number(s[4:]), 59)
}

func between(n, most int) bool { return n >= 0 && n <= most }

// number reads digits; -1 if there is anything else.
func number(s string) int {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}
