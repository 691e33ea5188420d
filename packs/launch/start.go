package launch

import (
	"context"
	"encoding/json"
	"time"

	"mcpworks/packs/launch/internal/operate"
)

// timeoutOfStart is that of all operations that begin runs (3.2).
const timeoutOfStart = 300 * time.Second

const (
	describeRunConfig  = `{"type":"object","description":"What to launch and how: schema_version, product_slug, product_name, family, locales, github_repo_url, github_ref, required_sections, allowed_paths and more"}`
	describeProductURL = `{"type":"string","minLength":1,"maxLength":2048,"description":"Address of a product page, such as https://products.aspose.org/3d/en/python/"}`
	describeRepoURL    = `{"type":"string","minLength":1,"maxLength":2048,"description":"Address of a public repository, such as https://github.com/acme/acme-tool"}`
	describeHints      = `{"type":"object","additionalProperties":false,"description":"What is known already and need not be inferred","properties":{` +
		`"family":{"type":"string","maxLength":128},"target_platform":{"type":"string","maxLength":128},"site_profile":{"type":"string","maxLength":128},` +
		`"ref":{"type":"string","maxLength":200,"description":"Branch, tag or commit"}}}`

	started = `{"type":"object","required":["ok","run_id","state"],"properties":{"ok":{"const":true},"run_id":{"$ref":"#/$defs/RunId"},` +
		`"state":{"$ref":"#/$defs/State"},"idempotent_replay":{"type":"boolean"},"derived_config":{"type":"object"}}}`
)

// startArguments are those of all operations that begin runs.
type startArguments struct {
	RunConfig json.RawMessage `json:"run_config"`
	URL       string          `json:"url"`
	RepoURL   string          `json:"github_repo_url"`
	Hints     *operate.Hints  `json:"hints"`
	Key       string          `json:"idempotency_key"`
}

var startOperation = &operation{
	name:  "start",
	title: "Start a run",
	about: "Starts a launch run from a whole run_config and returns its run_id at once; the run goes on by itself until it is ready for its pull request.",
	input: `{"type":"object","additionalProperties":false,"required":["run_config"],"properties":{"run_config":` + describeRunConfig +
		`,"idempotency_key":` + idempotencyKey + `}}`,
	output:     started,
	example:    `{"run_config":{"schema_version":"2.0","product_slug":"acme","product_name":"Acme","family":"acme","locales":["en"],"github_repo_url":"https://github.com/acme/acme","github_ref":"main","required_sections":["docs"],"allowed_paths":["content/docs/acme/"]}}`,
	timeout:    timeoutOfStart,
	idempotent: true, openWorld: true, continues: true,
	do: func(ctx context.Context, l *Launcher, c *call) (any, error) {
		var given startArguments
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		return l.engine.Start(ctx, c.caller(), given.RunConfig, given.Key)
	},
}

// launchOperation begins a run from whatever is known (18.19). That exactly one
// of the three is given is checked here: a schema that says so with oneOf at its
// root is one that some clients refuse.
var launchOperation = &operation{
	name:  "start",
	title: "Launch a product",
	about: "Starts a launch run from exactly one of run_config, url (of a product page) and github_repo_url, and returns its run_id at once; " +
		"the run goes on by itself until it is ready for its pull request. Poll get_run_status to follow it.",
	input: `{"type":"object","additionalProperties":false,"properties":{"run_config":` + describeRunConfig + `,"url":` + describeProductURL +
		`,"github_repo_url":` + describeRepoURL + `,"hints":` + describeHints + `,"idempotency_key":` + idempotencyKey + `}}`,
	output:     started,
	example:    `{"github_repo_url":"https://github.com/acme/acme-tool"}`,
	timeout:    timeoutOfStart,
	idempotent: true, openWorld: true, continues: true,
	do: func(ctx context.Context, l *Launcher, c *call) (any, error) {
		var given startArguments
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		switch which := c.only("run_config", "url", "github_repo_url"); {
		case which == "":
			return nil, c.violated("", "oneOf", "needs exactly one of run_config, url and github_repo_url")
		case given.Hints != nil && which != "github_repo_url":
			return nil, c.violated("/hints", "dependentRequired", "goes with github_repo_url only")
		case which == "run_config":
			return startOperation.do(ctx, l, c)
		case which == "url":
			return startProductOperation.do(ctx, l, c)
		}
		return startGitHubOperation.do(ctx, l, c)
	},
}
