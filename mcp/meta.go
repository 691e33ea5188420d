package mcp

import (
	"encoding/json"
	"maps"
	"slices"

	"mcpworks/internal/rawjson"
)

// Keys of _meta that the protocol reserves.
const (
	MetaPrefix             = "io.modelcontextprotocol/"
	MetaProtocolVersion    = MetaPrefix + "protocolVersion"
	MetaClientCapabilities = MetaPrefix + "clientCapabilities"
	MetaClientInfo         = MetaPrefix + "clientInfo"
	MetaServerInfo         = MetaPrefix + "serverInfo"
	MetaLogLevel           = MetaPrefix + "logLevel"
	MetaSubscriptionID     = MetaPrefix + "subscriptionId"
)

// Meta is a _meta object: names to raw JSON text.
type Meta map[string]json.RawMessage

// AppendJSON appends the object, names in byte order. What is not JSON is left
// out.
func (m Meta) AppendJSON(dst []byte) []byte {
	o := rawjson.Begin(dst)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if rawjson.Check(m[name], rawjson.Limits{}) == nil {
			o.Raw(name, oneLine(m[name]))
		}
	}
	return o.End()
}
