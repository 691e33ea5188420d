package step

// Phases of talks over HTTP+SSE, the transport of 2024-11-05. In each of them the
// step Open has the GET of the stream, with all that came on it.
const (
	// OldStream has the probes of one stream, after a handshake as it should be:
	// UnknownSession, ForeignOrigin about POST and GET, Beside.
	OldStream = "sse"
	// OldSessions opens a stream and says nothing on it. There are four of them.
	OldSessions = "sse sessions"
)

// Steps of OldStream.
const (
	// UnknownSession posts a ping to the endpoint with another session in its
	// address: the last query value, or else the last part of the path, is
	// replaced by one of the same length. It waits for one second.
	UnknownSession = "sse unknown session"
	// ForeignOrigin is a request with the header Origin: http://evil.example,
	// about its method: POST is a ping to the endpoint, GET opens the stream once
	// more.
	ForeignOrigin = "sse foreign origin"
	// Beside posts an initialize as Streamable HTTP has it, about the place: one
	// of those below. A session that comes of it is deleted in the same step.
	Beside = "streamable beside"
)

// The places of Beside: the address of the stream itself, and its neighbour
// named mcp.
const (
	SameAddress      = "same address"
	NeighbourAddress = "neighbour"
)
