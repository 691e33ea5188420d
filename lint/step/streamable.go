package step

// The phases of talks over Streamable HTTP alone. The usual request of their
// probes is ping, or server/discover in a modern talk: what every server
// answers. A probe differs from a correct POST of it in what its step says and
// in nothing else.
const (
	// HTTP has one probe in each step. There is one talk for each era.
	HTTP = "http"
	// HTTPSessions are four sessions that are open at the same time, a talk for
	// each (legacy).
	HTTPSessions = "http sessions"
	// HTTPStreams is a session with event streams that stay open (legacy).
	HTTPStreams = "http streams"
	// HTTPBind is for targets on this machine: the same server by the other
	// addresses of the machine.
	HTTPBind = "http bind"
)

// Probes of both eras, in talks of the phase HTTP.
const (
	// HTTPNotification posts a notification that no revision knows.
	HTTPNotification = "post unknown notification"
	// HTTPOtherMethod sends the usual request with the HTTP method that it is
	// about, PUT or PATCH.
	HTTPOtherMethod = "other http method"
	// HTTPAccept has another Accept header, which it is about: quality values,
	// other order, extra types, HTTPAnything.
	HTTPAccept = "accept form"
	// HTTPAcceptJSON accepts application/json alone.
	HTTPAcceptJSON = "accept json only"
	// HTTPPlainText says that the body is text/plain.
	HTTPPlainText = "content type text plain"
	// HTTPForeignOrigin has Origin: http://evil.example. It is about the method:
	// ping and server/discover, and initialize in a legacy talk of its own that
	// never shakes hands.
	HTTPForeignOrigin = "foreign origin"
	// HTTPNullOrigin has Origin: null.
	HTTPNullOrigin = "null origin"
	// HTTPForeignHost has Host: evil.example, for targets on this machine.
	HTTPForeignHost = "foreign host"
	// HTTPPreflight is the OPTIONS by which a browser asks whether a page of
	// http://evil.example may post JSON.
	HTTPPreflight = "preflight"
	// HTTPBadJSON posts a body that breaks off in the middle of an object.
	HTTPBadJSON = "post bad json"
	// HTTPKeepAlive is two usual requests, one after the other on one
	// connection if the server lets it live: two exchanges.
	HTTPKeepAlive = "keep alive"
)

// Probes of sessions (legacy), in talks of the phase HTTP unless they say
// otherwise.
const (
	// HTTPResponse posts a response to a request that the server never made.
	HTTPResponse = "post stray response"
	// HTTPNoSession leaves the session's id out.
	HTTPNoSession = "no session id"
	// HTTPUnknownSession has an id that the server never gave.
	HTTPUnknownSession = "unknown session id"
	// HTTPVersionBad has MCP-Protocol-Version: 1999-01-01, HTTPVersionMissing
	// has none.
	HTTPVersionBad     = "bad version header"
	HTTPVersionMissing = "no version header"
	// HTTPDelete ends the session by DELETE, and HTTPEnded asks in it once more.
	// Both are in the first talk of the phase HTTPSessions.
	HTTPDelete = "delete session"
	HTTPEnded  = "ended session"
)

// Streams (legacy), in the talk of the phase HTTPStreams.
const (
	// HTTPGet opens a stream with GET and Accept: text/event-stream. There are
	// two, about HTTPFirst and HTTPSecond, and both are open while the step HTTPAsked
	// is taken.
	HTTPGet = "get stream"
	// HTTPAsked is a request while the streams are open, about its method: ping,
	// and a list if the server has one. If the server logs, its level is set to
	// debug before.
	HTTPAsked = "asked beside streams"
	// HTTPResume is a GET with the Last-Event-ID of the first event of an
	// earlier stream in this talk. It is taken only if there was one with an id.
	HTTPResume = "resume stream"
)

// Probes of modern talks of the phase HTTP.
const (
	// HTTPUnknownMethod asks for a method that no revision knows.
	HTTPUnknownMethod = "post unknown method"
	// HTTPSessionSent has a made-up Mcp-Session-Id.
	HTTPSessionSent = "session id sent"
	// HTTPMethodHeader is about HTTPMissing (no Mcp-Method) or HTTPDifferent (the
	// name of another method); HTTPMethodCase has the method in capital letters.
	HTTPMethodHeader = "method header"
	HTTPMethodCase   = "method header in capitals"
	// HTTPNameHeader is tools/call of a tool that does not exist, about
	// HTTPMissing (no Mcp-Name) or HTTPDifferent (another name that does not exist);
	// HTTPNameCoded has the right name in its base64 form.
	HTTPNameHeader = "name header"
	HTTPNameCoded  = "name header in base64"
	// HTTPVersionHeader is about HTTPMissing (no MCP-Protocol-Version) or
	// HTTPDifferent (2025-11-25, where _meta has the modern version).
	HTTPVersionHeader = "version header"
	// HTTPNameCase has the names of all headers of the protocol in small
	// letters.
	HTTPNameCase = "header names in small letters"
	// HTTPBlanks has blanks and tabs around the values of the headers.
	HTTPBlanks = "blanks around header values"
	// HTTPNoStreams is a GET with Accept: text/event-stream, and a DELETE; it is
	// about the method.
	HTTPNoStreams = "get or delete"
	// HTTPSecondClient is the usual request of another client, on a connection
	// of its own.
	HTTPSecondClient = "second client"
)

// What steps are about: the streams of HTTPGet, an Accept of */*, and headers that
// are left out or contradict the body.
const (
	HTTPFirst     = "first"
	HTTPSecond    = "second"
	HTTPAnything  = "anything"
	HTTPMissing   = "missing"
	HTTPDifferent = "different"
)

// In the talk of the phase HTTPBind.
const (
	// HTTPOtherAddress posts the usual request, without a session, to an address
	// of this machine that is not a loopback address; it is about the address.
	HTTPOtherAddress = "other address"
)

// In modern talks of the phase Calling.
const (
	// HTTPParamHeader calls a tool, which it is about, that may be called and
	// has a parameter with x-mcp-header: the arguments are right, and the value
	// of one Mcp-Param header is not that of its argument.
	HTTPParamHeader = "wrong param header"
)
