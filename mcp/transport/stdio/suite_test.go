package stdio_test

import (
	"io"
	"testing"

	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/stdio"
	"mcpworks/mcp/transport/transporttest"
)

const (
	maxUnsent = 1 << 20
	// One buffer is being written while the next is filled.
	holds = 2*maxUnsent + 128<<10
)

func pipes() (a, b transport.Conn) {
	ra, wb := io.Pipe()
	rb, wa := io.Pipe()
	opts := stdio.Options{MaxUnsent: maxUnsent}
	return stdio.New(ra, wa, opts), stdio.New(rb, wb, opts)
}

func TestPipes(t *testing.T) { transporttest.Run(t, pipes, holds) }
