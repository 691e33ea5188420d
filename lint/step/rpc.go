package step

// Manners is the phase of talks that are well-formed and unusual: what every
// server must understand, or must refuse in good form. There is one for each
// era.
const Manners = "manners"

// Steps of Manners, in this order. An Alive comes before Batch, and another one
// about ABatch after it.
const (
	// Unasked is one notification that must stay unanswered, about its form:
	// "unknown" has a method that does not exist, "cancelled unknown" names a
	// request that was never made, "cancelled malformed" names an object. The
	// last of them waits for answers, for one second on stdio.
	Unasked = "notification"
	// UnknownMethod is a request for the method mcplint/doesNotExist.
	UnknownMethod = "unknown method"
	// IDForm is a ping, or a server/discover in the modern era, about the form
	// of its id: "a string", "zero", "a negative number", "a large number"
	// (2^53-1), "odd characters" (a string with control characters, quotes and
	// an emoji).
	IDForm = "id form"
	// WrongParams is a request without what it is about, about what is wrong:
	// "tools/call without name", "tools/call without params" (legacy only),
	// "resources/read without uri". Its capability is declared.
	WrongParams = "wrong params"
	// Parallel is 25 requests, pings or server/discover, written one after the
	// other without waiting for answers. All of them are waited for afterwards.
	Parallel = "parallel"
	// Batch is two pings or server/discover in one array. Answers are waited for
	// in 2025-03-26 only, the one revision that has batches.
	Batch = "batch"
	// ABatch is what the Alive after a Batch is about.
	ABatch = "a batch"
)

// Steps of Malformed. Each sends one message, and is followed by an Alive about
// the same form; there is a further talk if the server does not survive it, up
// to five times. The last step is a Linger for late answers.
const (
	// BadRequest has a readable id and is no valid request, about what is
	// wrong: "jsonrpc 1.0", "no jsonrpc", "a number as method".
	BadRequest = "bad request"
	// BadID is a ping, or a server/discover, whose id no request may have: "an
	// object", "an array", "a fraction".
	BadID = "bad id"
	// Unparsable is no JSON: "truncated" is a request that breaks off, "words"
	// are words.
	Unparsable = "unparsable"
	// WrongShape is JSON and no message: "a number", "a string", "an empty
	// object", "an empty array".
	WrongShape = "wrong shape"
	// StrayResponse answers what was never asked: "a result", "an error".
	StrayResponse = "stray response"
	// Blank is "an empty line" on stdio, an empty body over HTTP.
	Blank = "blank"
)
