package transport_test

import (
	"errors"
	"fmt"
	"testing"

	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/transporttest"
)

func TestPair(t *testing.T) {
	transporttest.Run(t, func() (a, b transport.Conn) { return transport.Pair() }, 2<<20)
}

func TestFrameErrorNamesItsLimit(t *testing.T) {
	var err error = fmt.Errorf("reading: %w", &transport.FrameError{Limit: 42})
	var frame *transport.FrameError
	if !errors.As(err, &frame) || frame.Limit != 42 || frame.Error() != "message is longer than 42 bytes" {
		t.Errorf("got %v", err)
	}
}
