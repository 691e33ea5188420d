package main

import (
	"testing"

	"mcpworks/lint"
)

// B16: what the presets mean.
func TestPresets(t *testing.T) {
	demand := &lint.Rule{ID: "RPC-001", Severity: lint.Error, Strength: lint.Must}
	advice := &lint.Rule{ID: "RPC-002", Severity: lint.Warning, Strength: lint.Should}
	custom := &lint.Rule{ID: "LIFE-001", Severity: lint.Error, Strength: lint.Quality}
	extra := &lint.Rule{ID: "SCH-022", Severity: lint.Off}
	for _, test := range []struct {
		name   string
		choice choice
		rule   *lint.Rule
		asked  bool
		given  lint.Severity
		want   lint.Severity
	}{
		{"recommended", choice{}, advice, true, lint.Warning, lint.Warning},
		{"recommended is without what is off", choice{}, extra, false, lint.Off, lint.Info},
		{"minimal", choice{preset: presetMinimal}, demand, true, lint.Error, lint.Error},
		{"minimal has errors only", choice{preset: presetMinimal}, demand, true, lint.Warning, lint.Off},
		{"minimal is without SHOULD", choice{preset: presetMinimal}, advice, false, lint.Warning, lint.Off},
		{"minimal is without quality", choice{preset: presetMinimal}, custom, false, lint.Error, lint.Error},
		{"strict raises warnings", choice{preset: presetStrict}, advice, true, lint.Warning, lint.Error},
		{"strict raises infos", choice{preset: presetStrict}, advice, true, lint.Info, lint.Warning},
		{"strict leaves errors", choice{preset: presetStrict}, demand, true, lint.Error, lint.Error},
		{"all", choice{preset: presetAll}, extra, true, lint.Off, lint.Info},
		{"a name is enough", choice{named: map[string]bool{"SCH-022": true}}, extra, true, lint.Off, lint.Info},
		{"a name overrides the preset", choice{preset: presetMinimal, named: map[string]bool{"RPC-002": true}}, advice, true, lint.Warning, lint.Warning},
		{"names leave out others", choice{named: map[string]bool{"RPC-002": true}}, demand, false, lint.Error, lint.Error},
		{"names and categories add up", choice{named: map[string]bool{"RPC-002": true}, categories: []string{"LIFE"}}, custom, true, lint.Error, lint.Error},
		{"skip wins", choice{named: map[string]bool{"RPC-002": true}, skipped: map[string]bool{"RPC-002": true}}, advice, false, lint.Warning, lint.Warning},
		{"the least severity", choice{least: lint.Error}, advice, false, lint.Warning, lint.Off},
		{"the least severity counts after the preset", choice{least: lint.Error, preset: presetStrict}, advice, true, lint.Warning, lint.Error},
	} {
		if got := test.choice.skip(test.rule); (got == "") != test.asked {
			t.Errorf("%s: %s is left out because %q", test.name, test.rule.ID, got)
		}
		if got := test.choice.severity(test.rule, test.given); got != test.want {
			t.Errorf("%s: %v becomes %v, want %v", test.name, test.given, got, test.want)
		}
	}
}
