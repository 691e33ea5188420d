package lifecycle_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

// rudeMode makes this test binary a server that does everything wrong which can
// be done wrong at once.
const rudeMode = "MCPWORKS_TEST_RUDE"

func TestMain(m *testing.M) {
	if os.Getenv(rudeMode) != "" {
		os.Exit(beRude())
	}
	os.Exit(m.Run())
}

// beRude serves until the end of the input, and takes that for an error. Of many
// lines at once it only sees the first.
func beRude() (status int) {
	fmt.Println("the rude server is here")
	initialized := false
	chunk := make([]byte, 1<<16)
	for {
		n, err := os.Stdin.Read(chunk)
		if err != nil {
			return 1
		}
		lines := bytes.SplitAfter(chunk[:n], []byte("\n"))
		if len(lines) > 3 {
			lines = lines[:1]
		}
		for _, line := range lines {
			var request rudeRequest
			if json.Unmarshal(line, &request) != nil || request.ID == nil || request.Method == "" {
				continue
			}
			if request.Method == "initialize" && initialized {
				return 3
			}
			initialized = initialized || request.Method == "initialize"
			request.answer()
		}
	}
}

type rudeRequest struct {
	ID     json.RawMessage
	Method string
	Params struct{ ProtocolVersion string }
}

func (r rudeRequest) answer() {
	reply := `"error":{"code":-32601,"message":"Method not found"}`
	switch r.Method {
	case "initialize":
		fmt.Print(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hello"}}` + "\r\n\n")
		reply = fmt.Sprintf(`"result":{"protocolVersion":%q,"capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"rude","version":"1"}}`, r.Params.ProtocolVersion)
	case "ping":
		reply = `"result":{"pong":true}`
	case "tools/list":
		reply = `"result":{"tools":[]}`
	case "prompts/list":
		reply = `"result":{"prompts":[]}`
	}
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", r.ID, reply)
	if r.Method == "initialize" {
		fmt.Println(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
	}
}
