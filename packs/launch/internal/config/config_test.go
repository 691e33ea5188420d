package config_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/config"
)

const minimal = `{"schema_version":"2.0","product_slug":"acme","product_name":"Acme","family":"acme","locale":"en",
	"github_repo_url":"https://github.com/acme/acme","github_ref":"main","required_sections":["docs"],"allowed_paths":["content/docs/"]}`

func parse(t *testing.T, text string) *config.Config {
	t.Helper()
	c, err := config.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// 4.1, C-12, C-17, C-37: what is left out has its default.
func TestDefaults(t *testing.T) {
	c := parse(t, minimal)
	if c.MaxFixAttempts != 20 || !c.ReviewEnabled || c.StopAt != "READY_FOR_PR" || c.ValidationProfile != "local" || c.LLM.Mode != "offline" ||
		c.Budgets.MaxLLMTokens != 1_000_000 || c.Budgets.MaxFilesChanged != 100 || c.SiteProfile != "default" || c.BudgetsGiven {
		t.Errorf("%+v", c)
	}
	if diff := cmp.Diff([]string{"en"}, c.Locales); diff != "" {
		t.Error(diff)
	}
	given := parse(t, strings.Replace(minimal, "{", `{"validation_profile":"strict","review_enabled":false,"budgets":{"max_files_changed":7},"ingestion":{"gitignore_mode":"strict"},`, 1))
	if given.ValidationProfile != "prod" || given.ReviewEnabled || given.Budgets.MaxFilesChanged != 7 || given.Budgets.MaxRuntimeS != 3600 || !given.BudgetsGiven ||
		given.Ingestion.GitignoreMode != "strict" || !given.Ingestion.DetectPhantomPaths {
		t.Errorf("%+v", given)
	}
}

// 3.3, S-31: everything that is wrong is reported, not only the first.
func TestViolations(t *testing.T) {
	_, err := config.Parse([]byte(`{"schema_version":"9","product_slug":"A B","colour":1,"github_ref":"","allowed_paths":[]}`))
	var invalid *config.InvalidError
	if !errors.As(err, &invalid) {
		t.Fatal(err)
	}
	var paths []string
	for _, v := range invalid.Violations {
		paths = append(paths, v.Path)
	}
	for _, want := range []string{"/schema_version", "/product_slug", "/github_ref", "/allowed_paths"} {
		if !slices.Contains(paths, want) {
			t.Errorf("%s is not reported: %v", want, paths)
		}
	}
	both := strings.Replace(minimal, `"locale":"en"`, `"locale":"en","locales":["en","de"]`, 1)
	if _, err := config.Parse([]byte(both)); !errors.As(err, &invalid) || invalid.Violations[0].Path != "/locales" {
		t.Errorf("%v", err)
	}
}

// 4.1: the config is kept as YAML, and is the same when it is read again.
func TestYAMLRoundTrip(t *testing.T) {
	c := parse(t, minimal)
	text, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	again, err := config.FromYAML(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if diff := cmp.Diff(c, again); diff != "" {
		t.Error(diff)
	}
}

// 4.2: what only says where reports go does not change the inputs; everything
// else does.
func TestInputsHash(t *testing.T) {
	hash := func(c *config.Config, in config.Inputs) string {
		t.Helper()
		h, err := c.InputsHash(in)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	c := parse(t, minimal)
	base := hash(c, config.Inputs{RepoSHA: "a"})
	elsewhere := parse(t, strings.Replace(minimal, "{", `{"telemetry":{"endpoint_url":"https://t.example"},"commit_service":{"author_name":"x"},`, 1))
	if hash(elsewhere, config.Inputs{RepoSHA: "a"}) != base {
		t.Error("where reports go changes the inputs")
	}
	if hash(c, config.Inputs{RepoSHA: "b"}) == base || hash(parse(t, strings.Replace(minimal, "{", `{"allow_inference":true,`, 1)), config.Inputs{RepoSHA: "a"}) == base {
		t.Error("other inputs have the same hash")
	}
}

// 4.1: an integer may be written in every way that JSON has, and is bounded.
func TestIntegers(t *testing.T) {
	with := func(number string) string {
		return strings.Replace(minimal, "{", `{"budgets":{"max_runtime_s":`+number+`},`, 1)
	}
	for _, number := range []string{"1000", "1000.0", "1e3", "1.0E+3"} {
		if c := parse(t, with(number)); c.Budgets.MaxRuntimeS != 1000 {
			t.Errorf("%s is %d", number, c.Budgets.MaxRuntimeS)
		}
	}
	for _, number := range []string{"10000000000", "99999999999999999999", "1e400", "0", "0.5", "-1"} {
		invalid := (*config.InvalidError)(nil)
		if _, err := config.Parse([]byte(with(number))); !errors.As(err, &invalid) || invalid.Violations[0].Path != "/budgets/max_runtime_s" {
			t.Errorf("%s: %v", number, err)
		}
	}
}

// 4.1: a config that would not be the same when it is read again is refused, with
// the place of what cannot be kept; one that only looks so is kept.
func TestKept(t *testing.T) {
	with := func(tags map[string]string) *config.Config {
		t.Helper()
		text, err := json.Marshal(tags)
		if err != nil {
			t.Fatal(err)
		}
		return parse(t, strings.Replace(minimal, "{", `{"telemetry":{"run_tags":`+string(text)+`},`, 1))
	}
	for _, text := range []string{"<<", "0x10", "2001-01-01", "~", "\x7f", "\u0085", "\u0080", "\u2028", "\ufeff", "\ufffe", "a\r\nb", "---", "", " x "} {
		for _, tags := range []map[string]string{{"k": text}, {text: "v"}} {
			c := with(tags)
			kept, err := c.YAML()
			if err != nil {
				t.Errorf("%q: %v", tags, err)
				continue
			}
			if again, err := config.FromYAML(kept); err != nil || cmp.Diff(c, again) != "" {
				t.Errorf("%q: %v\n%s", tags, err, kept)
			}
		}
	}
	for _, c := range []struct {
		tags map[string]string
		path string
	}{
		{map[string]string{"k": "\t*]\n"}, "/telemetry/run_tags/k"}, {map[string]string{strings.Repeat("k", 2000): ""}, "/telemetry/run_tags"},
	} {
		invalid := (*config.InvalidError)(nil)
		if _, err := with(c.tags).YAML(); !errors.As(err, &invalid) || invalid.Violations[0].Path != c.path {
			t.Errorf("%.20q: %v", c.tags, err)
		}
	}
}
