package jsonrpc_test

import (
	"testing"

	"mcpworks/mcp/jsonrpc"
)

// BASE-2, BASE-4: two ids are equal exactly when they are the same JSON value,
// and 0 and -0 are the same number; as it is, a second request with id -0 is
// not seen as a duplicate of one with id 0.
func TestBASE2MinusZeroIsZero(t *testing.T) {
	zero, _ := jsonrpc.ParseID([]byte("0"))
	minus, ok := jsonrpc.ParseID([]byte("-0"))
	if ok && zero != minus {
		t.Errorf("ids %s and %s differ", zero, minus)
	}
}

// A bad response must never be answered with its id: the one who sent it would
// read that as the answer to a request of its own. parseResponse says so, but
// the check of the version comes before it.
func TestBASE5BadResponseKeepsNoID(t *testing.T) {
	for _, frame := range []string{
		`{"jsonrpc":"1.0","id":1,"result":{}}`,
		`{"id":1,"result":{}}`,
		`{"id":1,"error":{}}`,
	} {
		if m, err := jsonrpc.Parse([]byte(frame)); err == nil || !m.ID.IsZero() {
			t.Errorf("%s: id %s, error %v", frame, m.ID, err)
		}
	}
}
