package step

// Steps about resources. They are in talks of phase Probing, one for each era,
// and are only taken if the server declares resources.
const (
	// ReadUnknown is one resources/read of UnknownURI.
	ReadUnknown = "read unknown"
	// Read is one resources/read of a listed resource, about its URI. At most
	// the first three are read.
	Read = "read"
	// ReadTraversal is one resources/read of a URI that leads out of what the
	// server offers, by a path with "..", to a file that holds OutsideText. It
	// is about the form: dots, encoded dots, encoded slashes; with "template "
	// before it if a variable of a template was filled, and not the path of a
	// listed file changed. There is none if the server offers neither file: URIs
	// nor templates, or runs on another machine.
	ReadTraversal = "read traversal"
	// Subscribe and Unsubscribe are one request each, about the URI of the first
	// listed resource. They are only sent in legacy talks, and if
	// resources.subscribe is declared.
	Subscribe   = "subscribe"
	Unsubscribe = "unsubscribe"
)

// UnknownURI names no resource of any server. OutsideText is what is in the file
// that no server should find.
const (
	UnknownURI  = "mcplint://nowhere/does-not-exist"
	OutsideText = "mcplint put this file outside of what the server offers"
)

// Steps about prompts, in the same talks, if the server declares prompts.
const (
	// GetUnknownPrompt is one prompts/get of the name UnknownName.
	GetUnknownPrompt = "get unknown prompt"
	// GetPrompt is one prompts/get without arguments of a listed prompt that
	// requires none, about its name. At most the first three are asked for.
	GetPrompt = "get prompt"
	// GetPromptWithout is the same of a prompt that does require arguments, and
	// is given none.
	GetPromptWithout = "get prompt without arguments"
)

// UnknownName names no prompt of any server.
const UnknownName = "mcplint_does_not_exist"

// Steps about lists in pages, in the same talks, about the method of the list.
const (
	// ListMadeUp asks for a list with a cursor that the server never gave, once
	// for each list that it declares.
	ListMadeUp = "list made-up cursor"
	// ListFirst asks for the first page of a list that had several in Main.
	// ListNext and ListNextAgain ask for the page after it, with the same
	// cursor.
	ListFirst     = "list first page"
	ListNext      = "list next page"
	ListNextAgain = "list next page again"
)

// Steps about logging, in legacy talks of the same phase, if the server declares
// logging.
const (
	// SetLevel is one logging/setLevel, about the level: all eight, the lightest
	// first.
	SetLevel = "set level"
	// SetBadLevel is one with a level that does not exist.
	SetBadLevel = "set bad level"
	// SetQuiet is one with emergency, after those. Provoke asks for a list then,
	// so that a server that logs does so; it is about the method.
	SetQuiet = "set quiet level"
	Provoke  = "provoke"
)

// Steps about completion, in the same talks, if the server declares completions;
// in 2024-11-05, which has no such capability, if it has a prompt with an
// argument or a template with a variable.
const (
	// Complete asks for values of the first argument of a prompt, or else of the
	// first variable of a template; about its name.
	Complete = "complete"
	// CompleteUnknown asks the same of a prompt named UnknownName.
	CompleteUnknown = "complete unknown prompt"
)

// Steps about cancellation, in the same talks; not in modern ones over HTTP,
// where nothing is cancelled by a notification. Alive is asked before them, for a
// request that is answered, and after them.
const (
	// CancelUnknown is a notifications/cancelled of a request that there never
	// was, CancelFinished of one that is answered. CancelMalformed is about
	// the form: no id, null id, object id.
	CancelUnknown   = "cancel unknown"
	CancelFinished  = "cancel finished"
	CancelMalformed = "cancel malformed"
)
