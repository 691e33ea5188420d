package lint

import "strings"

// A Rule is one thing that must hold, with everything there is to say about it.
// Its texts are for people who have never read the specification.
type Rule struct {
	ID   string // RPC-001; never changes its meaning, never used again
	Slug string // jsonrpc-field; with the category it is a second name
	// Title completes "the server must see to it that …": what must hold.
	Title    string
	Severity Severity // Off if it only runs when asked for
	Strength Strength
	// SDKWide says that a widely used SDK is to blame, so that most servers have
	// it.
	SDKWide bool

	// When it applies: the revision is spoken, the transport used, the level
	// allowed and the capability declared. Needs is a capability like "tools"
	// or "resources.subscribe"; empty means that the rule is about none.
	Revisions  Revisions
	Transports Transports
	Level      Level
	Needs      string

	Rests []Clause
	What  string // what is looked at, and how: the test procedure
	Why   string // what goes wrong for users otherwise
	Bad   string // what it looks like on the wire when it fires
	Good  string // and when it does not
	Fix   string // what to do

	// Check reads the view and tells it what it found. It must not keep or
	// change anything.
	Check func(*View)
}

// A Clause is a sentence of a specification, in our own words.
type Clause struct {
	Revisions Revisions // empty for other specifications
	Page      string    // basic/lifecycle#initialization; or the name of the other one, like RFC 9110 15.6
	Demand    string
}

// URLs are the addresses of the clause, one for each revision.
func (c Clause) URLs() []string {
	var urls []string
	for _, version := range c.Revisions.Versions() {
		urls = append(urls, "https://modelcontextprotocol.io/specification/"+version+"/"+c.Page)
	}
	return urls
}

// Category is the part of the id before the dash.
func (r *Rule) Category() string {
	category, _, _ := strings.Cut(r.ID, "-")
	return category
}

// Name is the category with the slug: rpc/jsonrpc-field.
func (r *Rule) Name() string { return strings.ToLower(r.Category()) + "/" + r.Slug }
