package gate

import (
	"context"

	"mcpworks/packs/launch/internal/fence"
)

// The codes of taskcard.
const (
	CodeCardMissing  = "GATE_U_TASKCARD_MISSING"
	CodeCardInactive = "GATE_U_TASKCARD_INACTIVE"
	CodeCardPath     = "GATE_U_TASKCARD_PATH_VIOLATION"
	CodeCardLoad     = "GATE_U_TASKCARD_LOAD_FAILED"
)

// taskcardGate holds the run against the card that authorises it (13).
func taskcardGate(_ context.Context, v *View, r *report) {
	id := v.Config.TaskcardID
	switch {
	case id == "" && v.Profile.RequiresTaskcard && r.profile == 2:
		r.add(0, CodeCardMissing, "", "taskcard_id", "the site wants a taskcard, and the run names none")
		return
	case id == "":
		r.skipped = "the run names no taskcard"
		return
	case v.Taskcard == nil || !v.Taskcard.Valid() || v.Taskcard.Card.ID != id:
		r.add(0, CodeCardLoad, "", id, "taskcard %s cannot be read or is not valid", quoted(id))
		return
	case !v.Taskcard.Card.Active():
		r.add(0, CodeCardInactive, "", id, "taskcard %s is not active", quoted(id))
	}
	guard, err := fence.New(v.Taskcard.Card.AllowedPaths)
	if err != nil {
		r.add(0, CodeCardLoad, "", id+" allowed_paths", "the allowed_paths of taskcard %s are not valid", quoted(id))
		return
	}
	for _, file := range v.Changed {
		if guard.Decide(v.Site, file) != nil {
			r.add(0, CodeCardPath, file, id, "taskcard %s does not allow to change the file", quoted(id))
		}
	}
}
