package operate

import (
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"mcpworks/internal/secret"
	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/record"
	"mcpworks/packs/launch/internal/run"
)

// An endpoint is a telemetry service of others, and the variable that has its
// token. The operator may name any variable, a run only those that he lets it.
type endpoint struct {
	url, tokenEnv string
	operators     bool
}

func (e endpoint) token(s *secrets) secret.String {
	if e.operators {
		return secret.New(s.lookup(e.tokenEnv))
	}
	return secret.New(s.variable(tokenForTelemetry, e.tokenEnv))
}

// outbox is the name of the files of what waits for the endpoint: no two share
// one, so that nobody gets what is meant for another.
func (e endpoint) outbox() string {
	if e.operators {
		return record.OutboxName
	}
	sum := sha256.Sum256([]byte(e.url + "\x00" + e.tokenEnv))
	return "telemetry_outbox." + hex.EncodeToString(sum[:8]) + ".jsonl"
}

// keepsTokens says whether a token can be sent to an address without others on
// the way reading it: over https, or within this machine.
func keepsTokens(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}

// maxEndpoints is how many services one process talks to.
const maxEndpoints = 16

// serverEndpoint is the one that the operator names, for everything.
func (l *Launcher) serverEndpoint() endpoint {
	return endpoint{l.options.TelemetryURL, l.options.TelemetryTokenEnv, true}
}

// senderFor is the sender for a run: to the service that its config names, or
// else to the operator's. The lock is held.
func (t *telemetry) senderFor(runID string) *record.Sender {
	to := t.launcher.serverEndpoint()
	text, err := os.ReadFile(filepath.Join(t.launcher.runFolder(runID), run.ConfigName))
	if err != nil {
		return t.sender(to)
	}
	if told, err := config.FromYAML(text); err == nil && told.Telemetry.EndpointURL != "" && !strings.HasPrefix(told.Telemetry.EndpointURL, embedded) {
		to = endpoint{told.Telemetry.EndpointURL, told.Telemetry.AuthTokenEnv, false}
	}
	return t.sender(to)
}

// sender is the one to an endpoint; nil if it is in this process or must not be
// talked to. The lock is held.
func (t *telemetry) sender(to endpoint) *record.Sender {
	if to.url == "" || strings.HasPrefix(to.url, embedded) {
		return nil
	}
	if known := t.outside[to]; known != nil {
		return known
	}
	l := t.launcher
	if host := hostOf(to.url); host == "" || !l.allowed(host) || len(t.outside) >= maxEndpoints {
		l.options.Logger.Warn("a telemetry service is not used", "host", host)
		return nil
	}
	made, err := record.NewSender(record.SenderConfig{
		URL: strings.TrimRight(to.url, "/"), Token: to.token(l.secrets), Folder: l.options.DataDir, Outbox: to.outbox(),
		Redact: l.secrets.redactor, Now: l.options.Clock, Log: l.options.Logger, Wait: l.options.Wait,
	})
	if err != nil {
		l.options.Logger.Warn("a telemetry service cannot be used", "error", l.Redact(err.Error()))
		return nil
	}
	t.outside[to] = made
	return made
}

// takeUp goes on with the outboxes that earlier processes have left (12.3).
func (t *telemetry) takeUp() {
	t.inside.FlushSoon()
	if server := t.outsideOf(""); server != nil {
		server.FlushSoon()
	}
	left, err := t.launcher.outboxes()
	if err != nil {
		return
	}
	for _, file := range left {
		folder := filepath.Dir(file)
		t.inside.Watch(folder)
		if outside := t.outsideOf(filepath.Base(folder)); outside != nil {
			outside.Watch(folder)
			outside.FlushSoon()
		}
	}
}
