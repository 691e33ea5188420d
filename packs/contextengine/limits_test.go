package contextengine_test

import (
	"strings"
	"testing"

	"mcpworks/packs/contextengine"
)

// longPing is a ping of so many bytes.
func longPing(size int) string {
	const head, tail = `{"jsonrpc":"2.0","id":1,"method":"ping","x":"`, `"}`
	return head + strings.Repeat("x", size-len(head)-len(tail)) + tail
}

// The end of a line is not part of the message, whichever it is.
func TestLIM1LongestMessage(t *testing.T) {
	const (
		pong     = `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n"
		refused  = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}` + "\n"
		next     = `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n"
		answered = `{"jsonrpc":"2.0","id":2,"result":{}}` + "\n"
	)
	srv := newV0(t, contextengine.Config{Root: t.TempDir()})
	for _, test := range []struct {
		name, input, want string
	}{
		{"one less", longPing(1_048_575) + "\n" + next, pong + answered},
		{"exactly", longPing(1_048_576) + "\n" + next, pong + answered},
		{"one more", longPing(1_048_577) + "\n" + next, refused + answered},
		{"one less, CR LF", longPing(1_048_575) + "\r\n" + next, pong + answered},
		{"exactly, CR LF", longPing(1_048_576) + "\r\n" + next, pong + answered},
		{"one more, CR LF", longPing(1_048_577) + "\r\n" + next, refused + answered},
		{"exactly, at the end", longPing(1_048_576), pong},
		{"one more, at the end", longPing(1_048_577), refused},
		{"exactly, with blanks", longPing(1_048_570) + strings.Repeat(" ", 6) + "\n" + next, pong + answered},
		{"one more, with blanks", longPing(1_048_570) + strings.Repeat(" ", 7) + "\n" + next, refused + answered},
		{"much more", longPing(10_000_000) + "\n" + next, refused + answered},
		{"two too long", longPing(2_000_000) + "\n" + longPing(1_048_577) + "\n" + next, refused + refused + answered},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := converse(t, srv, test.input, true); got != test.want {
				t.Errorf("answered %q, want %q", got, test.want)
			}
		})
	}
}
