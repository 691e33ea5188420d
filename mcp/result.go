package mcp

// A Result is the result of a request. The server that sends it adds the
// braces and the members every result of a revision has.
type Result interface {
	// AppendMembers appends the result's own members as the revision writes
	// them, separated by commas.
	AppendMembers(dst []byte, rev *Revision) ([]byte, error)
	// ResultMeta returns the result's own _meta members, mostly none.
	ResultMeta() Meta
}

// A Cache tells a modern client how long, and with whom, it may share a result.
type Cache struct {
	TTLMillis int64
	// Public results are the same for every caller.
	Public bool
}

// Members is a result whose members are JSON text already: `"a":1,"b":2`.
type Members []byte

// AppendMembers implements Result.
func (m Members) AppendMembers(dst []byte, _ *Revision) ([]byte, error) {
	return append(dst, m...), nil
}

// ResultMeta implements Result.
func (m Members) ResultMeta() Meta { return nil }
