package redact

import (
	"slices"
	"strings"
)

// structural are the members of payloads and configs that are names, places or
// addresses: what is read back has to be what was written. They are no prose, and
// were checked before; only the values of known secrets are looked for in them.
// Objects below inputs and outputs have names of artifacts for members.
var structural = []string{
	"product_slug", "family", "platform", "target_platform", "site_profile", "owner", "operation", "work_item_id", "worker", "writer_worker", "scope_key",
	"inputs", "outputs", "name", "path", "paths", "allowed_paths", "files", "schema_id", "section", "gate", "error_code", "issue_id", "claim_id", "patch_ids",
	"stage", "status", "outcome", "resolution", "class", "severity", "old_state", "new_state", "from", "to", "stop_at", "until", "force_from", "pause_reason",
	"branch", "default_branch", "latest_tag", "ref", "requested_ref", "github_ref", "site_ref", "workflows_ref", "sha", "commit_sha", "sha256", "date",
	"url", "pr_url", "github_repo_url", "site_repo_url", "workflows_repo_url", "idempotency_key", "open_pr_idempotency_key", "taskcard_id",
	"config_sha256", "request_hash", "idempotency_key_hash", "inputs_hash", "started_at", "finished_at",
}

// Payload redacts a decoded payload of an event, or a decoded config. It is Value,
// but for the members that are read back: they lose nothing but the values of
// known secrets.
func (r *Redactor) Payload(value any) any {
	switch value := value.(type) {
	case []any:
		list := make([]any, len(value))
		for i, element := range value {
			list[i] = r.Payload(element)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for name, member := range value {
			switch {
			case slices.Contains(structural, name):
				object[name] = r.known(member)
			case member != nil && IsSecretName(name):
				object[r.Text(name)] = Redacted
			default:
				object[r.Text(name)] = r.Payload(member)
			}
		}
		return object
	}
	return r.Value(value)
}

// known takes the values of known secrets out of a value, and nothing else.
func (r *Redactor) known(value any) any {
	switch value := value.(type) {
	case string:
		return r.Known(value)
	case []any:
		list := make([]any, len(value))
		for i, element := range value {
			list[i] = r.known(element)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for name, member := range value {
			object[r.Known(name)] = r.known(member)
		}
		return object
	}
	return value
}

// Known takes the values of known secrets out of a text, coded or not.
func (r *Redactor) Known(text string) string {
	text = r.values.String(text)
	for _, form := range r.coded {
		text = strings.ReplaceAll(text, form, Redacted)
	}
	return text
}
