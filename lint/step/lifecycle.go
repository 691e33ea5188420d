package step

// The phases of the lifecycle script.
const (
	// Version is one short talk for each version that is asked for: UnknownVersion,
	// and every legacy date that the main talk has not asked for. It has the
	// handshake of a client without capabilities and nothing else; Talk.Asked says
	// which version.
	Version = "version"
	// Bare is a client without any capability. It waits one second between the
	// answer to initialize and the notification initialized, in a Linger about
	// BeforeInitialized. Its steps are then Method, Linger, InitializeAgain and
	// Alive (legacy).
	Bare = "bare"
	// Undeclared is such a client in the modern era. Its steps are Method.
	Undeclared = "undeclared"
	// InitializeForms sends initialize as it should not be sent, which is the step
	// InitializeEmpty, and nothing else (legacy).
	InitializeForms = "initialize forms"
)

// BeforeInitialized is what the Linger of Bare is about.
const BeforeInitialized = "before initialized"

// The steps of the lifecycle script.
const (
	// Method asks for the first page of a list, about its method: all four lists,
	// whether the server declares them or not.
	Method = "method"
	// InitializeEmpty is an initialize with the params {} as the first message. To
	// a process a correct one is written right after it, so that its answer
	// shows that the process has started.
	InitializeEmpty = "initialize empty"
	// InitializeAgain is a second, well-formed initialize after the handshake.
	InitializeAgain = "initialize again"
)
