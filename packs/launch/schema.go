package launch

import (
	"encoding/json"
	"strings"
)

// definitions are what output schemas refer to (3.4), with the names that they
// refer to themselves.
var definitions = []struct{ name, schema string }{
	{"RunId", runID},
	{"Sha256", `{"type":"string","pattern":"^[a-f0-9]{64}$"}`},
	{"State", state},
	{"SectionState", `{"enum":["NOT_STARTED","OUTLINED","DRAFTED","MERGED_IN_WORKTREE","DONE","BLOCKED"]}`},
	{"Severity", `{"enum":["info","warn","error","blocker"]}`},
	{"IssueSummary", `{"type":"object","required":["issue_id","severity","gate","title"],"properties":{` +
		`"issue_id":{"type":"string"},"severity":{"$ref":"#/$defs/Severity"},"gate":{"type":"string"},"title":{"type":"string"},` +
		`"error_code":{"type":"string"},"path":{"type":"string"},"line":{"type":"integer","minimum":1},"fixable":{"type":"boolean"}}}`},
	{"ArtifactRef", `{"type":"object","required":["name","sha256"],"properties":{"name":{"type":"string"},"sha256":{"$ref":"#/$defs/Sha256"},` +
		`"size_bytes":{"type":"integer","minimum":0},"content_type":{"type":"string"},"resource":{"type":"string"}}}`},
	{"RunStatus", `{"type":"object","required":["run_id","state","section_states","open_issues","artifacts"],"properties":{` +
		`"run_id":{"$ref":"#/$defs/RunId"},"state":{"$ref":"#/$defs/State"},"activity":{"enum":["queued","running","paused","finished"]},` +
		`"pause_reason":{"type":"string"},"section_states":{"type":"object","additionalProperties":{"$ref":"#/$defs/SectionState"}},` +
		`"open_issues":{"type":"array","items":{"$ref":"#/$defs/IssueSummary"}},"open_issues_total":{"type":"integer"},` +
		`"artifacts":{"type":"array","items":{"$ref":"#/$defs/ArtifactRef"}},` +
		`"progress":{"type":"object","properties":{"stage":{"type":"string"},"done":{"type":"integer"},"total":{"type":"integer"}}},` +
		`"failure":{"type":"object","properties":{"class":{"type":"string"},"error_code":{"type":"string"},"message":{"type":"string"},` +
		`"resumable":{"type":"boolean"},"stage":{"type":"string"}}},` +
		`"fix_attempts":{"type":"integer"},"pr":{"type":"object"},"last_seq":{"type":"integer"},"started_at":{"type":"string"},"updated_at":{"type":"string"}}}`},
	{"RunRow", `{"type":"object","required":["run_id","product_slug","state","started_at"],"properties":{` +
		`"run_id":{"$ref":"#/$defs/RunId"},"product_slug":{"type":"string"},"family":{"type":"string"},"platform":{"type":"string"},` +
		`"state":{"$ref":"#/$defs/State"},"activity":{"type":"string"},"started_at":{"type":"string"},"finished_at":{"type":["string","null"]}}}`},
}

// Schemas that inputs share with each other. Inputs are written without
// references: some clients do not follow them.
const (
	runID = `{"type":"string","pattern":"^[a-zA-Z0-9_-]{8,64}$","description":"Id of the run, as the tool that started it has returned it"}`
	state = `{"enum":["CREATED","CLONED_INPUTS","INGESTED","FACTS_READY","PLAN_READY","DRAFTING","DRAFT_READY","LINKING","VALIDATING","FIXING",` +
		`"READY_FOR_PR","PR_OPENED","DONE","FAILED","CANCELLED"]}`
	idempotencyKey = `{"type":"string","minLength":1,"maxLength":128,"pattern":"^[\\x20-\\x7e]+$",` +
		`"description":"With the same key the same request starts one run only"}`
	cursor = `{"type":"string","maxLength":512,"description":"The next_cursor of the page before"}`

	onlyRunID = `{"type":"object","additionalProperties":false,"required":["run_id"],"properties":{"run_id":` + runID + `}}`
)

// exampleID is a run id for examples.
const exampleID = "r_20260101T000000Z_acme_0123abcd"

// withDefinitions adds the definitions that a schema refers to, directly or
// through others.
func withDefinitions(schema string) json.RawMessage {
	needed := map[string]bool{}
	for changed := true; changed; {
		changed = false
		text := schema
		for _, d := range definitions {
			if needed[d.name] {
				text += d.schema
			}
		}
		for _, d := range definitions {
			if !needed[d.name] && strings.Contains(text, `"#/$defs/`+d.name+`"`) {
				needed[d.name], changed = true, true
			}
		}
	}
	if len(needed) == 0 {
		return json.RawMessage(schema)
	}
	var members []string
	for _, d := range definitions {
		if needed[d.name] {
			members = append(members, `"`+d.name+`":`+d.schema)
		}
	}
	return json.RawMessage(strings.TrimSuffix(schema, "}") + `,"$defs":{` + strings.Join(members, ",") + `}}`)
}
