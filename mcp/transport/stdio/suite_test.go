package stdio_test

import (
	"io"
	"testing"

	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/stdio"
	"mcpworks/mcp/transport/transporttest"
)

func TestPipes(t *testing.T) {
	const maxUnsent = 1 << 20
	transporttest.Run(t, func() (a, b transport.Conn) {
		ra, wb := io.Pipe()
		rb, wa := io.Pipe()
		opts := stdio.Options{MaxUnsent: maxUnsent}
		return stdio.New(ra, wa, opts), stdio.New(rb, wb, opts)
	}, 2*maxUnsent+128<<10) // one buffer being written, one being filled
}
