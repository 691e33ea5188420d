package main

import (
	"runtime/debug"
	"testing"
)

// D2.66: there is a limit of memory, unless the environment has one.
func TestMemoryLimit(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	t.Setenv("GOMEMLIMIT", "1GiB")
	limitMemory()
	if got := debug.SetMemoryLimit(-1); got != before {
		t.Errorf("the limit of the environment became %d", got)
	}
	t.Setenv("GOMEMLIMIT", "")
	limitMemory()
	if got := debug.SetMemoryLimit(-1); got != 384<<20 {
		t.Errorf("the limit is %d", got)
	}
}
