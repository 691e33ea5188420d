package step

// Phases of talks that are only held with servers of the modern era. All are
// modern talks but EraSwitch.
const (
	// Stateless begins with what others begin after server/discover. Its steps
	// are List, as the very first message (one page of each list that the server
	// declares), then Discover, then ListAgain of the same pages.
	Stateless = "stateless"
	// Describing has requests that describe themselves wrongly, or ask for what
	// is no more: UnsupportedVersion, Discover, List, UnsupportedVersion again,
	// RemovedMethod, LogLevel, LogLevelBad and MetaForm, in this order.
	Describing = "describing"
	// Listening opens subscriptions.
	Listening = "listening"
	// EraSwitch asks one process in both eras: ProbeModern (twice),
	// InitializeAfter and Alive. It is held on stdio with servers that speak both, and is a legacy
	// talk, which it would become.
	EraSwitch = "era switch"
	// ModernInitialize has InitializeModern as its only request. It is held with
	// servers that speak nothing else than the modern era.
	ModernInitialize = "modern initialize"
)

// UnknownVersion is a version of the protocol that never was.
const UnknownVersion = "1999-01-01"

// Steps of Describing.
const (
	// UnsupportedVersion is one request whose _meta names UnknownVersion, over
	// HTTP with the header saying the same. It is about the method: the first is
	// server/discover, as the first message of the talk; the second, after a
	// Discover and a List as they should be, is the same list, the first that the
	// server declares, or server/discover again.
	UnsupportedVersion = "unsupported version"
	// MetaForm is a server/discover that lacks something of its _meta. It is
	// about the form: one of those below, the last one first. Over HTTP the
	// headers are as they should be.
	MetaForm = "meta form"
	// RemovedMethod is one request of a method that only earlier revisions have,
	// with good params and a full _meta, about the method.
	RemovedMethod = "removed method"
	// LogLevel is a request for the first list that the server declares, or
	// server/discover, whose _meta wants log messages: about the level, emergency
	// first, then debug. It is only taken if the server declares logging.
	LogLevel = "log level"
	// LogLevelBad is the same with a level that does not exist.
	LogLevelBad = "log level bad"
)

// The forms of MetaForm: no _meta at all, and a _meta without one of its keys.
const (
	NoMeta         = "no meta"
	NoVersion      = "no version"
	NoCapabilities = "no capabilities"
	NoClientInfo   = "no client info"
)

// Steps of Listening.
const (
	// Listen is one subscriptions/listen and what comes of it within a moment.
	// It is about the form: one of those below.
	Listen = "listen"
	// Unlisten cancels the subscription before it: on stdio with a
	// notifications/cancelled. Over HTTP there is none, because closing the
	// stream does it.
	Unlisten = "unlisten"
)

// The forms of Listen. ListenAll asks for every kind of notification, and for
// updates of the first listed resource if there is one; its id is a string.
// ListenOne asks for one kind only, a declared one if there is one; its id is a
// number.
const (
	ListenAll = "all"
	ListenOne = "one"
)

// Steps of EraSwitch and ModernInitialize.
const (
	// ProbeModern is a request as a modern client sends it, about the method:
	// server/discover, then the first list that the server declares.
	ProbeModern = "probe modern"
	// InitializeAfter is an initialize of 2025-11-25 in the same process.
	InitializeAfter = "initialize after discover"
	// InitializeModern is an initialize of 2025-11-25 as the first message, which
	// a server without legacy revisions refuses.
	InitializeModern = "initialize modern"
)
