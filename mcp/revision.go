// Package mcp is the vocabulary of the Model Context Protocol: revisions,
// definitions of tools, resources and prompts, results, capabilities and error
// codes, with their JSON. It does no I/O.
package mcp

// A Revision is one published version of the protocol, as the columns in which
// versions differ. Code asks the row and never compares dates.
//
// History:
//
//	2024-11-05  first release; initialize opens a session
//	2025-03-26  batches, tool annotations, audio, completions capability
//	2025-06-18  batches gone; titles, structured content, resource links, elicitation
//	2025-11-25  icons, URL elicitation; bad arguments are tool results
//	2026-07-28  no handshake, no sessions: each request describes itself
type Revision struct {
	// Version is the date that names the revision on the wire.
	Version string
	// Modern revisions have no handshake: version, identity and capabilities
	// come with every request, servers send no requests, and every result has
	// a resultType. The others are opened by initialize.
	Modern bool
	// Batches says that an array of messages is a message.
	Batches bool
	// ErrorsMayLackID says that an error for an unreadable message leaves the
	// id out instead of writing null.
	ErrorsMayLackID bool
	// Annotations is for tools' behaviour hints.
	Annotations bool
	// Audio content exists.
	Audio bool
	// ProgressMessage is the text beside a progress number.
	ProgressMessage bool
	// CompletionsCapability says that completion has a capability to declare.
	CompletionsCapability bool
	// Structured brings title, outputSchema, structuredContent, resource
	// links and _meta on definitions.
	Structured bool
	// AnyStructured lets structuredContent be any JSON value, not only an
	// object.
	AnyStructured bool
	// Elicitation and ElicitationURL say what a server may ask of a person.
	Elicitation, ElicitationURL bool
	// Icons, and descriptions of implementations.
	Icons bool
	// VersionHeader says that requests over HTTP carry the version in a header.
	VersionHeader bool
	// Polling lets a server close the stream of an answer before the answer,
	// for the client to come back later.
	Polling bool
	// ResourceNotFound is the error code for a resource that is not there.
	ResourceNotFound int
}

// The revisions, by name.
var (
	V20241105 = &revisions[4]
	V20250326 = &revisions[3]
	V20250618 = &revisions[2]
	V20251125 = &revisions[1]
	V20260728 = &revisions[0]
)

var revisions = [...]Revision{
	{
		Version: "2026-07-28", Modern: true, VersionHeader: true,
		ErrorsMayLackID: true, Annotations: true, Audio: true, ProgressMessage: true,
		CompletionsCapability: true, Structured: true, AnyStructured: true,
		Elicitation: true, ElicitationURL: true, Icons: true,
		ResourceNotFound: -32602,
	},
	{
		Version: "2025-11-25", VersionHeader: true, Polling: true,
		ErrorsMayLackID: true, Annotations: true, Audio: true, ProgressMessage: true,
		CompletionsCapability: true, Structured: true,
		Elicitation: true, ElicitationURL: true, Icons: true,
		ResourceNotFound: -32002,
	},
	{
		Version: "2025-06-18", VersionHeader: true,
		Annotations: true, Audio: true, ProgressMessage: true,
		CompletionsCapability: true, Structured: true, Elicitation: true,
		ResourceNotFound: -32002,
	},
	{
		Version: "2025-03-26", Batches: true,
		Annotations: true, Audio: true, ProgressMessage: true,
		CompletionsCapability: true,
		ResourceNotFound:      -32002,
	},
	{
		Version:          "2024-11-05",
		ResourceNotFound: -32002,
	},
}

// Revisions returns all revisions, newest first.
func Revisions() []*Revision {
	all := make([]*Revision, len(revisions))
	for i := range revisions {
		all[i] = &revisions[i]
	}
	return all
}

// RevisionOf returns the revision a version names, or nil.
func RevisionOf(version string) *Revision {
	for i := range revisions {
		if revisions[i].Version == version {
			return &revisions[i]
		}
	}
	return nil
}
