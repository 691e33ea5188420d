package launch_test

import (
	"strings"
	"testing"

	"mcpworks/packs/launch"
)

// 12.4: what the core refuses is told without secrets, too.
func TestRefusalsAreRedacted(t *testing.T) {
	const secret = "super-secret-value-77"
	h := newHouse(t, launch.Config{Environ: []string{"LAUNCHER_COMMIT_TOKEN=" + secret}}, nil, false)
	s := h.open(t)
	r := s.ask(secret, `{}`)
	if r.Error == nil || !strings.Contains(r.Error.Message, "[redacted]") || strings.Contains(r.Error.Message, secret) {
		t.Errorf("%+v", r.Error)
	}
	s.hangUp()
}
