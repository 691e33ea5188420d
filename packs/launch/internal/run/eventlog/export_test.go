package eventlog

// HashOf and Parse are what the vector of 5.3 is about.
var (
	HashOf = (*Event).hashOf
	Parse  = parse
)
