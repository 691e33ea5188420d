package redact

import "unicode/utf8"

// Tail is what an audit line may show of a token: its last four characters, and
// fewer of a short one, so that never more than a quarter is seen.
func Tail(token string) string {
	shown := min(4, utf8.RuneCountInString(token)/4)
	for start := len(token); ; shown-- {
		if shown == 0 {
			return token[start:]
		}
		_, size := utf8.DecodeLastRuneInString(token[:start])
		start -= size
	}
}
