package launch_test

import (
	"bytes"
	"testing"

	"mcpworks/packs/launch/internal/fixtures"
)

// S-36, 12.4, 18.16: the value of a secret variable that somebody has committed to
// the product's repository is in nothing that the run writes.
func TestS36EnvironmentInRepository(t *testing.T) {
	secret := seeds["a variable that looks like a secret"]
	product := fixtures.Sparse()
	product["README.md"] += "\n## Features\n\n- Writes JSON files with the words " + secret + ".\n- Counts lines of text files.\n"
	w := newWorkplace(t, product)
	p := w.serve(t, "ACME_TOKEN="+secret)
	run := p.startRun(w.config(nil))
	p.rest(run)
	p.leave()
	for name, content := range kept(t, w.data) {
		if bytes.Contains(content, []byte(secret)) {
			t.Errorf("the secret is in %s", name)
		}
	}
}
