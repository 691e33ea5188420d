// Package sse has the rules about HTTP+SSE, the transport of revision 2024-11-05
// with its two endpoints: SSE-001 and so on. Each has a file of its own; this one
// lists them. They hold whatever revision is spoken over it, as long as it is one
// with a handshake.
package sse

import "mcpworks/lint"

// Rules are all of them, by their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		&endpointFirst, &endpointOrigin, &endpointURI, &messageEvents, &postStatus,
		&unknownSession, &originChecked, &deprecated, &sessionEntropy, &streamType,
	}
}

// transportPage is where the transport is described, and keptPage where later
// revisions say how to keep it for old clients.
const (
	transportPage = "basic/transports#http-with-sse"
	keptPage      = "basic/transports#backwards-compatibility"
)

// rests is a demand of the transport, which later revisions leave as it was.
func rests(demand string) []lint.Clause {
	return []lint.Clause{
		{Revisions: lint.A, Page: transportPage, Demand: demand},
		{Revisions: lint.B | lint.C | lint.D, Page: keptPage, Demand: "A server that wants to be there for old clients goes on to host both endpoints of the old transport as they were."},
	}
}
