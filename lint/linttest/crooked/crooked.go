// Package crooked is a server that can do everything wrong, one thing at a time.
//
// Underneath is a healthy server on the project's own core (healthy.go), over
// standard streams (process.go) and over HTTP (web.go). A Fault is one switch:
// it changes what the server has, or bends the messages on their way in and out
// (chat.go, bend.go). Faults has one for each rule of the catalogue, by category.
// It is part of the workshop: nothing but tests imports it.
package crooked

import (
	"net/http"
	"slices"

	"mcpworks/lint"
	"mcpworks/mcp/server"
)

// A Fault is one way to be wrong, and the rule that has to notice. The hooks
// that are nil change nothing.
type Fault struct {
	Rule string
	// On is where the fault is shown; by default over Streamable HTTP, or over
	// the only transport that the rule is about.
	On lint.Transports
	// Level is how far to go; by default as far as the rule needs.
	Level lint.Level
	// Version is the one to speak; by default the newest legacy one that the
	// rule is about, or else the modern one.
	Version string
	// Both eras are spoken, for rules that compare them.
	Both bool
	// With has the other rules that notice as well, and have to.
	With []string
	// Mute says that no era can be spoken with such a server.
	Mute bool

	// Shape changes what the server has.
	Shape func(*server.Options)
	// Hear takes an incoming message. If it is swallowed, the answers are all
	// that the client gets.
	Hear func(c *Chat, message []byte) (answers [][]byte, swallow bool)
	// Say takes an outgoing message and returns what is sent in its place.
	Say func(c *Chat, m Message) [][]byte

	// Of a process: Start is called before the first message is read; Write
	// makes the bytes of a message; Read takes what one read has brought; End is
	// called at the end of input. Deaf ignores SIGTERM.
	Start func()
	Write func(message []byte) []byte
	Read  func(chunk []byte) []byte
	End   func()
	Deaf  bool

	// Of HTTP: Web is in front of everything else, Bytes changes what comes in
	// before it is read. Everywhere listens on all addresses, Remote is reached by
	// a name that is not of this machine, TLS is encrypted, and Token is what the
	// user has given.
	Web        func(http.Handler) http.Handler
	Bytes      func(incoming []byte)
	Everywhere bool
	Remote     bool
	TLS        bool
	Token      string
}

// Faults has one switch for each rule, in the order of the catalogue.
var Faults = slices.Concat(
	rpcFaults, lifecycleFaults, stdioFaults, httpFaults, authFaults, sseFaults, modernFaults,
	toolFaults, schemaFaults, resourceFaults, promptFaults, pageFaults, utilityFaults,
)

// Variable is the name of the variable by which a process is told which fault it
// has: the rule, nothing for none, or Child.
const Variable = "MCPLINT_CROOKED"

// Find returns the fault of a rule; the healthy server has the empty name.
func Find(rule string) (Fault, bool) {
	i := slices.IndexFunc(Faults, func(f Fault) bool { return f.Rule == rule })
	if i < 0 {
		return Fault{}, rule == ""
	}
	return Faults[i], true
}
