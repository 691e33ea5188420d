package launch

import "context"

var startProductOperation = &operation{
	name:  "start_from_product_url",
	title: "Start a run from a product page",
	about: "Starts a launch run for the product of a product page: finds its repository and derives the run_config, which it returns with the run_id.",
	input: `{"type":"object","additionalProperties":false,"required":["url"],"properties":{"url":` + describeProductURL +
		`,"idempotency_key":` + idempotencyKey + `}}`,
	output: `{"type":"object","required":["ok","run_id","state","derived_config"],"properties":{"ok":{"const":true},"run_id":{"$ref":"#/$defs/RunId"},` +
		`"state":{"$ref":"#/$defs/State"},"idempotent_replay":{"type":"boolean"},"derived_config":{"type":"object",` +
		`"required":["site","product_slug","platform","locale"],"properties":{"site":{"type":"string"},"product_slug":{"type":"string"},` +
		`"platform":{"type":"string"},"locale":{"type":"string"}}}}}`,
	example:    `{"url":"https://products.aspose.org/3d/en/python/"}`,
	timeout:    timeoutOfStart,
	idempotent: true, openWorld: true, continues: true,
	do: func(ctx context.Context, l *Launcher, c *call) (any, error) {
		var given startArguments
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		return l.engine.StartProduct(ctx, c.caller(), given.URL, given.Key)
	},
}
