package echo

import (
	"encoding/json"
	"fmt"
)

// Version is the protocol revision of the handshake.
const Version = "2025-06-18"

// The messages of the handshake.
const (
	Initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + Version + `",` +
		`"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`
	Initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// CheckInitialize returns an error unless message is a good answer to
// Initialize.
func CheckInitialize(message []byte) error {
	var answer struct {
		ID     int
		Result struct{ ProtocolVersion string }
	}
	if err := json.Unmarshal(message, &answer); err != nil || answer.ID != 1 || answer.Result.ProtocolVersion != Version {
		return fmt.Errorf("unexpected answer to initialize: %.200s", message)
	}
	return nil
}
