package pipeline

// Reanchored is the bundle of the linker with its patches where they fit.
var Reanchored = reanchored
