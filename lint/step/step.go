// Package step names what a prober does, so that rules can find it in a record.
// A name never changes its meaning: records are kept.
package step

// The phases of talks that every server has.
const (
	// Main is a client as it should be: opening, both passes over the lists, a
	// ping, a quiet end. There is one for each era that the server speaks.
	Main = "main"
	// Probing is well-formed and impolite: unknown names, odd ids, wrong
	// parameters. There is one for each era.
	Probing = "probing"
	// Malformed has messages that are none, and says whether the server
	// survives them.
	Malformed = "malformed"
	// Calling calls tools that may be called.
	Calling = "calling"
	// Era is an attempt to speak an era or a transport that the server turned
	// out not to have.
	Era = "era"
	// Locked is the only talk with a server that wants credentials.
	Locked = "locked"
)

// Steps that any talk can have.
const (
	// Open starts the process or opens the stream. What a server says before it
	// is asked is part of it.
	Open = "open"
	// Initialize and Initialized are the handshake; Discover is its modern
	// relative.
	Initialize  = "initialize"
	Initialized = "initialized"
	Discover    = "discover"
	// EraList asks for the tools in the modern way, after server/discover was
	// refused: a server may be modern all the same.
	EraList = "list without discover"
	// List asks for one page of a list, about its method; ListAgain is the
	// second pass over the same list, in the same talk.
	List      = "list"
	ListAgain = "list again"
	// Ping is one ping (legacy).
	Ping = "ping"
	// Alive asks something that every server answers, to see whether it still
	// does: ping, or server/discover in the modern era.
	Alive = "alive"
	// Linger waits for what the server says by itself.
	Linger = "linger"
	// Close is the end of the talk: of the input of a process with its exit, of
	// a session with its DELETE.
	Close = "close"
)
