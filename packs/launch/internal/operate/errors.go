package operate

import (
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/state"
)

// Errors of the rooms behind the run store that callers tell apart.
var (
	ErrChainBroken = eventlog.ErrChainBroken // the log was tampered with
	ErrKeyConflict = index.ErrKeyConflict    // the idempotency key belongs to another request
	ErrCursor      = index.ErrCursor         // the cursor belongs to another list
)

// An IllegalError says that a run cannot do that where it is.
type IllegalError = state.IllegalError
