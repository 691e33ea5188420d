package launch

import (
	"context"

	"mcpworks/packs/launch/internal/operate"
)

var startGitHubOperation = &operation{
	name:  "start_from_github_repo_url",
	title: "Start a run from a repository",
	about: "Starts a launch run for a public GitHub repository: looks at it, derives the run_config, and returns that with the run_id. " +
		"If family or platform cannot be told for sure, it says which values are possible; give them as hints.",
	input: `{"type":"object","additionalProperties":false,"required":["github_repo_url"],"properties":{"github_repo_url":` + describeRepoURL +
		`,"hints":` + describeHints + `,"idempotency_key":` + idempotencyKey + `}}`,
	output: `{"type":"object","required":["ok","run_id","state","derived_config"],"properties":{"ok":{"const":true},"run_id":{"$ref":"#/$defs/RunId"},` +
		`"state":{"$ref":"#/$defs/State"},"idempotent_replay":{"type":"boolean"},"derived_config":{"type":"object",` +
		`"required":["family","target_platform","locales","layout_mode","allow_inference","github_repo_url","github_ref"],"properties":{` +
		`"family":{"type":"string"},"target_platform":{"type":"string"},"layout_mode":{"type":"string"},"github_repo_url":{"type":"string"},` +
		`"github_ref":{"type":"string","pattern":"^[a-f0-9]{40}$"},"locales":{"type":"array","items":{"type":"string"}},"allow_inference":{"type":"boolean"}}}}}`,
	example:    `{"github_repo_url":"https://github.com/acme/acme-tool"}`,
	timeout:    timeoutOfStart,
	idempotent: true, openWorld: true, continues: true,
	do: func(ctx context.Context, l *Launcher, c *call) (any, error) {
		var given startArguments
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		hints := operate.Hints{}
		if given.Hints != nil {
			hints = *given.Hints
		}
		return l.engine.StartGitHub(ctx, c.caller(), given.RepoURL, hints, given.Key)
	},
}
