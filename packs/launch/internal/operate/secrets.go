package operate

import (
	"errors"
	"os"
	"slices"
	"strings"
	"sync"

	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/redact"
	"mcpworks/packs/launch/internal/run"
)

// secrets redacts by all that this process has learnt: the environment, and the
// names of variables in the configs of runs (12.4, 18.16).
type secrets struct {
	environ []string
	places  []redact.Place

	mu       sync.RWMutex
	named    []string
	redactor *redact.Redactor // all of it
	noPlaces *redact.Redactor // for configs, which have to name repositories of this machine
}

func newSecrets(environ []string, dataDir string) *secrets {
	s := &secrets{environ: environ, places: []redact.Place{{Path: dataDir, Name: "data"}, {Path: os.TempDir(), Name: "tmp"}}}
	if home, err := os.UserHomeDir(); err == nil {
		s.places = append(s.places, redact.Place{Path: home, Name: "home"})
	}
	s.renew()
	return s
}

func (s *secrets) renew() {
	values := redact.Secrets(s.environ, s.named)
	s.redactor = redact.New(redact.Rules{Values: values, Places: s.places})
	s.noPlaces = redact.New(redact.Rules{Values: values})
}

// learn takes in the names of variables that a config, as decoded JSON, has.
func (s *secrets) learn(config any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := len(s.named)
	for _, name := range redact.VariableNames(config) {
		if !slices.Contains(s.named, name) {
			s.named = append(s.named, name)
		}
	}
	if len(s.named) > known {
		s.renew()
	}
}

// learnFrom is learn for the config of a run.
func (s *secrets) learnFrom(folder *os.Root) error {
	text, err := folder.ReadFile(run.ConfigName)
	if err != nil {
		return errors.New("the config of the run cannot be read")
	}
	cfg, err := config.FromYAML(text)
	if err != nil {
		return err
	}
	value, err := decoded(cfg)
	if err == nil {
		s.learn(value)
	}
	return err
}

func (s *secrets) current() *redact.Redactor {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.redactor
}

func (s *secrets) text(text string) string { return s.current().Text(text) }
func (s *secrets) value(value any) any     { return s.current().Value(value) }

// event redacts the payload of an event. The address of a repository on this
// machine is what the caller has given, and is needed again (18.4).
func (s *secrets) event(payload any) any {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.keepAddresses(payload, s.redactor.Value(payload))
}

// keepAddresses puts file addresses back, without secrets in them.
func (s *secrets) keepAddresses(original, redacted any) any {
	switch original := original.(type) {
	case string:
		if strings.HasPrefix(original, "file://") && redacted != redact.Redacted {
			return s.noPlaces.Text(original)
		}
	case []any:
		if list, ok := redacted.([]any); ok {
			for i := range list {
				list[i] = s.keepAddresses(original[i], list[i])
			}
		}
	case map[string]any:
		if object, ok := redacted.(map[string]any); ok {
			for name, value := range original {
				if kept, ok := object[name]; ok {
					object[name] = s.keepAddresses(value, kept)
				}
			}
		}
	}
	return redacted
}

// config redacts the text of a config.
func (s *secrets) config(text []byte) []byte {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return []byte(s.noPlaces.Text(string(text)))
}
