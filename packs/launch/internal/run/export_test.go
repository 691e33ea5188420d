package run

// PathOf is where an artifact is kept.
var PathOf = pathOf
