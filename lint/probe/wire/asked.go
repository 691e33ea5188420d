package wire

import (
	"net/url"
	"os"
	"path/filepath"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

// answersAtOnce is how many answers may be on their way to the server. One that
// asks for more without taking them gets none.
const answersAtOnce = 100

// answer replies to a request of the server, as a client with the declared
// capabilities does. In the modern era there is no such thing, and no answer.
func (t *Talk) answer(id, method []byte) {
	if t.opening.Modern {
		return
	}
	name, _ := lint.Text(method)
	reply := `"error":{"code":-32601,"message":"Method not found"}`
	declared := func(capability string) bool { return lint.Member([]byte(t.opening.Client), capability) != nil }
	switch {
	case name == mcp.MethodPing:
		reply = `"result":{}`
	case name == mcp.MethodListRoots && declared("roots"):
		reply = `"result":{"roots":[` + t.s.root() + `]}`
	case name == mcp.MethodElicit && declared("elicitation"):
		reply = `"result":{"action":"decline"}`
	case name == mcp.MethodCreateMessage && declared("sampling"):
		reply = `"error":{"code":-1,"message":"User rejected sampling request"}`
	}
	frame := []byte(`{"jsonrpc":"2.0","id":` + string(id) + `,` + reply + `}`)
	select {
	case t.answering <- struct{}{}:
	default:
		return
	}
	t.work.Go(func() {
		defer func() { <-t.answering }()
		if t.Failed() {
			return
		}
		if err := t.line.send(frame); err != nil {
			t.unsent(err)
		}
	})
}

// root is the folder that the client claims to work in: an empty one (A10.2),
// which Finish removes. Without one there are no roots.
func (s *Server) root() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folder == "" {
		folder, err := os.MkdirTemp("", "mcplint-root-")
		if err != nil {
			return ""
		}
		s.folder = folder
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(s.folder)}
	return `{"uri":` + string(rawjson.AppendString(nil, address.String())) + `,"name":"mcplint"}`
}
