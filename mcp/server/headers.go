package server

import (
	"mcpworks/mcp"
	"mcpworks/mcp/transport"
)

// headerParams finds the arguments that a schema marks with x-mcp-header, for
// the transports that mirror them.
func headerParams(schema []byte) (params []transport.HeaderParam, err error) {
	marks, err := mcp.HeaderParams(schema)
	for _, mark := range marks {
		params = append(params, transport.HeaderParam(mark))
	}
	return params, err
}
