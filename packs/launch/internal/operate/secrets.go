package operate

import (
	"os"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"mcpworks/packs/launch/internal/redact"
)

// secrets are the variables of the environment that runs may use, and what takes
// their values out of all that is written and answered (12.4, 18.16). All of it is
// the operator's decision and known from the beginning: nothing that a run says
// adds to it.
type secrets struct {
	environ  []string
	named    []string // by the operator
	redactor *redact.Redactor
}

func newSecrets(options Options, dataDir string) *secrets {
	places := []redact.Place{{Path: dataDir, Name: "data"}, {Path: os.TempDir(), Name: "tmp"}}
	if home, err := os.UserHomeDir(); err == nil {
		places = append(places, redact.Place{Path: home, Name: "home"})
	}
	s := &secrets{environ: options.Environ, named: options.SecretEnv}
	values := redact.Secrets(options.Environ, append([]string{options.TelemetryTokenEnv, "GITHUB_TOKEN"}, s.named...))
	s.redactor = redact.New(redact.Rules{Values: values, Places: places})
	return s
}

// What runs name variables for, as JSON pointers into a run_config.
const (
	tokenForTelemetry = "/telemetry/auth_token_env"
	tokenForCommits   = "/commit_service/github_token_env"
)

// usable says whether a run may name a variable for a purpose: one of the
// operator's list for any, and of the launcher's own those that are named for it.
// What opens the code host or a database never goes to a telemetry service.
func (s *secrets) usable(purpose, name string) bool {
	own := redact.IsSecretVariable(name)
	switch {
	case slices.Contains(s.named, name):
		return true
	case purpose == tokenForTelemetry:
		return own && strings.HasPrefix(name, "LAUNCHER_TELEMETRY_")
	case purpose == tokenForCommits && name == "GITHUB_TOKEN":
		return true
	}
	return own && strings.HasPrefix(name, "LAUNCHER_")
}

// variable is the value of a variable that runs may name; empty for others.
func (s *secrets) variable(purpose, name string) string {
	if !s.usable(purpose, name) {
		return ""
	}
	return s.lookup(name)
}

// in says whether a text holds a secret.
func (s *secrets) in(text string) bool { return s.redactor.Known(text) != text }

func (s *secrets) lookup(name string) string {
	for _, entry := range s.environ {
		if value, ok := strings.CutPrefix(entry, name+"="); ok && name != "" {
			return value
		}
	}
	return ""
}

// served is the text of a config as it is shown. It stands as it was given in the
// folder of its run, where the run reads it.
func (s *secrets) served(text []byte) []byte {
	var given map[string]any
	if err := yaml.Unmarshal(text, &given); err != nil {
		return []byte(s.redactor.Text(string(text)))
	}
	shown := s.redactor.Payload(given)
	if reflect.DeepEqual(any(given), shown) {
		return text
	}
	redacted, err := yaml.Marshal(shown)
	if err != nil {
		return []byte(redact.Redacted)
	}
	return redacted
}
