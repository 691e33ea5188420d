package crooked

import (
	"net/http"
	"sync"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

// A Chat is what a hook knows of the conversation it bends.
type Chat struct {
	// Request carries the message; nil for a process.
	Request *http.Request
	memory  *memory
}

// A memory is what faults remember for as long as the server runs.
type memory struct {
	mu     sync.Mutex
	counts map[string]int
	texts  map[string]string
}

func newMemory() *memory { return &memory{counts: map[string]int{}, texts: map[string]string{}} }

// Count counts how often it was called with a name, in all conversations with
// this server.
func (c *Chat) Count(name string) int {
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	c.memory.counts[name]++
	return c.memory.counts[name]
}

// Keep remembers a text, and Kept returns it.
func (c *Chat) Keep(name, text string) {
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	c.memory.texts[name] = text
}

// Kept is what was remembered under a name.
func (c *Chat) Kept(name string) string {
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	return c.memory.texts[name]
}

// Session is the legacy session over HTTP that the message belongs to.
func (c *Chat) Session() string {
	if c.Request == nil {
		return ""
	}
	return c.Request.Header.Get("Mcp-Session-Id")
}

// A Message is on its way out.
type Message struct {
	Raw []byte
	// Asked is the request that it answers, or whose stream carries it.
	Asked []byte
}

// answers says whether a message answers a request of a method; the empty method
// is any.
func (m Message) answers(method string) bool {
	return lint.Member(m.Raw, "method") == nil && m.Asked != nil && (method == "" || methodOf(m.Asked) == method)
}

// isResult says whether a message is the result of a method.
func (m Message) isResult(method string) bool {
	return m.answers(method) && lint.Member(m.Raw, "result") != nil
}

// isError says whether a message is an error in answer to a method.
func (m Message) isError(method string) bool {
	return m.answers(method) && lint.Member(m.Raw, "error") != nil
}

// methodOf is the method of a message; empty if it has none.
func methodOf(message []byte) string {
	if !isMessage(message) {
		return ""
	}
	name, _ := lint.Text(lint.Member(message, "method"))
	return name
}

// isMessage says whether a text is an object that can be read.
func isMessage(text []byte) bool {
	return rawjson.Check(text, rawjson.Limits{Depth: 200}) == nil && rawjson.KindOf(text) == rawjson.Object
}

// param is a string among the params of a request.
func param(request []byte, name string) string {
	if !isMessage(request) {
		return ""
	}
	text, _ := lint.Text(lint.Member(request, "params", name))
	return text
}

// isModern says whether a request describes itself.
func isModern(request []byte) bool {
	return isMessage(request) && lint.Member(request, "params", "_meta", mcp.MetaProtocolVersion) != nil
}

// one is the usual answer of a hook: one message.
func one(message []byte) [][]byte { return [][]byte{message} }

// response is the answer to a request: body is the text of its result or error
// member with the name.
func response(request []byte, body string) []byte {
	return []byte(`{"jsonrpc":"2.0","id":` + string(lint.Member(request, "id")) + `,` + body + `}`)
}
