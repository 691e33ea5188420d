package snapshot

import (
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/run/state"
)

// Payloads of events that are not a part of the snapshot as they are.
type (
	// Order is the payload of RUN_QUEUED: how far the run shall go.
	Order struct {
		StopAt    string `json:"stop_at,omitempty"`
		Until     string `json:"until,omitempty"`
		Rewind    bool   `json:"rewind,omitempty"`
		ForceFrom string `json:"force_from,omitempty"`
	}
	// Pause is the payload of RUN_PAUSED.
	Pause struct {
		Reason string `json:"pause_reason"`
	}
	// Change is the payload of RUN_STATE_CHANGED. InputsHash comes with
	// CLONED_INPUTS (4.2).
	Change struct {
		Old        state.State `json:"old_state"`
		New        state.State `json:"new_state"`
		Reason     string      `json:"reason,omitempty"`
		InputsHash string      `json:"inputs_hash,omitempty"`
	}
	// SectionChange is the payload of SECTION_STATE_CHANGED.
	SectionChange struct {
		Section string        `json:"section"`
		Old     state.Section `json:"old_state"`
		New     state.Section `json:"new_state"`
	}
	// Writing is the payload of ARTIFACT_WRITTEN.
	Writing struct {
		Name     string `json:"name"`
		Path     string `json:"path"`
		SHA256   string `json:"sha256"`
		Size     int64  `json:"size_bytes"`
		SchemaID string `json:"schema_id"`
		Writer   string `json:"writer_worker"`
	}
	// Staleness is the payload of ARTIFACT_STALE.
	Staleness struct {
		Name   string `json:"name"`
		Reason string `json:"reason"`
	}
	// Finding is the payload of ISSUE_OPENED (the issue) and of ISSUE_RESOLVED
	// and ISSUE_UNFIXABLE (its id).
	Finding struct {
		Issue      issue.Issue `json:"issue,omitzero"`
		ID         string      `json:"issue_id,omitempty"`
		Resolution string      `json:"resolution,omitempty"`
	}
	// Resuming is the payload of RUN_RESUMED, RUN_INTERRUPTED and
	// RUN_CANCEL_REQUESTED.
	Resuming struct {
		Reason string      `json:"reason,omitempty"`
		From   state.State `json:"from,omitempty"`
		To     state.State `json:"to,omitempty"`
	}
)
