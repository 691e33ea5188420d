// Package config is what a run is told to do: run_config, as users write it
// (4).
//
// Parse checks the form and fills in defaults. What the words mean, whether a
// family exists or a path is allowed, is for whoever knows the site's profile.
package config

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"

	"go.yaml.in/yaml/v3"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/packs/launch/internal/artifact"
)

//go:embed schema.json
var schemaText []byte

// Schema is the JSON Schema of run_config.
func Schema() []byte { return schemaText }

var schema = sync.OnceValue(func() *jsonschema.Schema {
	compiled, err := jsonschema.Compile(schemaText)
	if err != nil {
		panic(err) // a test compiles it
	}
	return compiled
})

// A Config is a run_config with its defaults. Secrets are not part of it, only
// the names of the variables that hold them.
type Config struct {
	SchemaVersion  string   `json:"schema_version"`
	ProductSlug    string   `json:"product_slug"`
	ProductName    string   `json:"product_name"`
	Family         string   `json:"family"`
	TargetPlatform string   `json:"target_platform,omitempty"`
	PlatformFamily string   `json:"platform_family,omitempty"`
	LayoutMode     string   `json:"layout_mode"` // auto, v1, v2
	Locales        []string `json:"locales"`

	GitHubRepoURL    string `json:"github_repo_url"`
	GitHubRef        string `json:"github_ref"`
	SiteProfile      string `json:"site_profile"`
	SiteRepoURL      string `json:"site_repo_url,omitempty"`
	SiteRef          string `json:"site_ref,omitempty"`
	WorkflowsRepoURL string `json:"workflows_repo_url,omitempty"`
	WorkflowsRef     string `json:"workflows_ref,omitempty"`

	RequiredSections []string      `json:"required_sections"`
	SiteLayout       *SiteLayout   `json:"site_layout,omitempty"`
	AllowedPaths     []string      `json:"allowed_paths"`
	CanonicalURLs    CanonicalURLs `json:"canonical_urls"`
	RulesetVersion   string        `json:"ruleset_version"`
	TemplatesVersion string        `json:"templates_version"`

	AllowInference         bool   `json:"allow_inference"`
	AllowGeneratedSnippets bool   `json:"allow_generated_snippets"`
	AllowManualEdits       bool   `json:"allow_manual_edits"`
	ReviewEnabled          bool   `json:"review_enabled"`
	TaskcardID             string `json:"taskcard_id,omitempty"`
	ValidationProfile      string `json:"validation_profile"` // local, ci, prod
	CIStrictness           string `json:"ci_strictness"`      // relaxed, strict
	MaxFixAttempts         int    `json:"max_fix_attempts"`
	FixMode                string `json:"fix_mode"` // auto, manual
	StopAt                 string `json:"stop_at"`
	ProductType            string `json:"product_type,omitempty"`
	LaunchTier             string `json:"launch_tier,omitempty"`

	ExtraEvidenceURLs []string      `json:"extra_evidence_urls"`
	RepoHints         RepoHints     `json:"repo_hints"`
	Ingestion         Ingestion     `json:"ingestion"`
	Hugo              Hugo          `json:"hugo"`
	LLM               LLM           `json:"llm"`
	Telemetry         Telemetry     `json:"telemetry"`
	CommitService     CommitService `json:"commit_service"`
	// MCP is for the server as a whole; in a run it is only kept.
	MCP     map[string]any `json:"mcp,omitempty"`
	Budgets Budgets        `json:"budgets"`
	// BudgetsGiven says that somebody has thought about them, as prod wants.
	BudgetsGiven bool   `json:"-"`
	SpecRef      string `json:"spec_ref,omitempty"`
}

// A SiteLayout stands in for that of the profile.
type SiteLayout struct {
	ContentRoot    string            `json:"content_root,omitempty"`
	SubdomainRoots map[string]string `json:"subdomain_roots,omitempty"`
	Localization   struct {
		ModeBySection map[string]string `json:"mode_by_section,omitempty"`
	} `json:"localization"`
}

// CanonicalURLs are where the product is at home.
type CanonicalURLs struct {
	Product   string `json:"product,omitempty"`
	Docs      string `json:"docs,omitempty"`
	Reference string `json:"reference,omitempty"`
}

// RepoHints help to read a repository.
type RepoHints struct {
	PreferredSourceRoots   []string `json:"preferred_source_roots,omitempty"`
	PreferredDocsRoots     []string `json:"preferred_docs_roots,omitempty"`
	PreferredExamplesRoots []string `json:"preferred_examples_roots,omitempty"`
	PreferredTestCommands  []string `json:"preferred_test_commands,omitempty"`
	PlatformFamily         string   `json:"platform_family,omitempty"`
	RepoArchetype          string   `json:"repo_archetype,omitempty"`
}

// Ingestion says what of a repository is read.
type Ingestion struct {
	ScanDirectories    []string `json:"scan_directories"`
	ExcludePatterns    []string `json:"exclude_patterns"`
	GitignoreMode      string   `json:"gitignore_mode"` // respect, ignore, strict
	ExampleDirectories []string `json:"example_directories"`
	RecordBinaryFiles  bool     `json:"record_binary_files"`
	DetectPhantomPaths bool     `json:"detect_phantom_paths"`
}

// Hugo is for sites that are made by it.
type Hugo struct {
	ConfigDir     string `json:"config_dir"`
	UseConfigGate bool   `json:"use_config_gate"`
	Required      bool   `json:"required"`
}

// LLM says whether a language model helps to write.
type LLM struct {
	Mode            string         `json:"mode"` // offline, online, replay
	APIBaseURL      string         `json:"api_base_url,omitempty"`
	APIKeyEnv       string         `json:"api_key_env,omitempty"`
	Model           string         `json:"model,omitempty"`
	RequestTimeoutS int            `json:"request_timeout_s"`
	MaxConcurrency  int            `json:"max_concurrency"`
	Decoding        map[string]any `json:"decoding,omitempty"`
	Fallback        map[string]any `json:"fallback,omitempty"`
}

// Telemetry says where records go.
type Telemetry struct {
	EndpointURL  string            `json:"endpoint_url"`
	Project      string            `json:"project,omitempty"`
	RunTags      map[string]string `json:"run_tags,omitempty"`
	AuthTokenEnv string            `json:"auth_token_env,omitempty"`
}

// CommitService says who commits.
type CommitService struct {
	EndpointURL           string `json:"endpoint_url"`
	GitHubTokenEnv        string `json:"github_token_env,omitempty"`
	CommitMessageTemplate string `json:"commit_message_template,omitempty"`
	CommitBodyTemplate    string `json:"commit_body_template,omitempty"`
	AuthorName            string `json:"author_name,omitempty"`
	AuthorEmail           string `json:"author_email,omitempty"`
	RequireApproval       *bool  `json:"require_approval,omitempty"`
}

// Budgets bound what a run may cost.
type Budgets struct {
	MaxRuntimeS      int `json:"max_runtime_s"`
	MaxLLMCalls      int `json:"max_llm_calls"`
	MaxLLMTokens     int `json:"max_llm_tokens"`
	MaxFileWrites    int `json:"max_file_writes"`
	MaxPatchAttempts int `json:"max_patch_attempts"`
	MaxLinesPerFile  int `json:"max_lines_per_file"`
	MaxFilesChanged  int `json:"max_files_changed"`
}

// defaults are those of the table in 4.1.
func defaults() Config {
	return Config{
		LayoutMode: "auto", SiteProfile: "default", RulesetVersion: "ruleset.v1", TemplatesVersion: "templates.v1",
		ReviewEnabled: true, ValidationProfile: "local", CIStrictness: "strict", MaxFixAttempts: 20, FixMode: "auto", StopAt: "READY_FOR_PR",
		ExtraEvidenceURLs: []string{},
		Ingestion: Ingestion{
			ScanDirectories: []string{"."}, ExcludePatterns: []string{}, ExampleDirectories: []string{},
			GitignoreMode: "respect", RecordBinaryFiles: true, DetectPhantomPaths: true,
		},
		Hugo:      Hugo{ConfigDir: "configs", UseConfigGate: true},
		LLM:       LLM{Mode: "offline", RequestTimeoutS: 120, MaxConcurrency: 4},
		Telemetry: Telemetry{EndpointURL: "embedded:"}, CommitService: CommitService{EndpointURL: "embedded:"},
		Budgets: Budgets{3600, 500, 1_000_000, 100, 25, 500, 100},
	}
}

// profiles are other names of validation profiles (C-12).
var profiles = map[string]string{"strict": "prod", "standard": "ci", "permissive": "local"}

// An InvalidError lists everything that is wrong with the form of a config.
type InvalidError struct{ Violations []jsonschema.Violation }

func (e *InvalidError) Error() string {
	return fmt.Sprintf("run_config has %d errors, the first at %s: %s", len(e.Violations), e.Violations[0].Path, e.Violations[0].Message)
}

// Parse reads the JSON of a run_config. Its error is an *InvalidError if the
// form is wrong.
func Parse(text []byte) (*Config, error) {
	if err := rawjson.Check(text, rawjson.Limits{Depth: 32}); err != nil {
		return nil, err
	}
	value, err := rawjson.Decode(text)
	if err != nil {
		return nil, err
	}
	if violations := schema().Validate(value); len(violations) > 0 {
		return nil, &InvalidError{violations}
	}
	if text, err = artifact.Canonical(plainIntegers(value)); err != nil {
		return nil, err
	}
	given := struct {
		*Config
		Locale string `json:"locale"`
	}{Config: new(Config)}
	*given.Config = defaults()
	if err := artifact.Decode(text, &given); err != nil {
		return nil, err
	}
	c := given.Config
	if given.Locale != "" && len(c.Locales) == 0 {
		c.Locales = []string{given.Locale}
	}
	if known, ok := profiles[c.ValidationProfile]; ok {
		c.ValidationProfile = known
	}
	c.BudgetsGiven = rawjson.Member(text, "budgets") != nil
	if given.Locale != "" && (len(c.Locales) != 1 || c.Locales[0] != given.Locale) {
		return nil, &InvalidError{[]jsonschema.Violation{{Path: "/locales", Message: "must have the one locale that locale names, if both are given"}}}
	}
	return c, nil
}

// YAML writes the config as it is kept in a run: run_config.yaml. It is an
// *InvalidError if FromYAML would not find the same in it.
func (c *Config) YAML() ([]byte, error) {
	text, err := artifact.Canonical(c)
	if err != nil {
		return nil, err
	}
	var document yaml.Node // JSON is YAML, in another style
	if err := yaml.Unmarshal(escaped(text), &document); err != nil {
		return nil, c.notKept()
	}
	plain(&document)
	if !c.BudgetsGiven {
		drop(document.Content[0], "budgets")
	}
	kept, err := yaml.Marshal(&document)
	if err != nil {
		return nil, c.notKept()
	}
	return kept, c.checkKept(kept)
}

// plain takes the style of JSON off a node and all below it, except where the
// text would mean something else then.
func plain(node *yaml.Node) {
	if node.Value != "<<" {
		node.Style = 0
	}
	for _, child := range node.Content {
		plain(child)
	}
}

func drop(mapping *yaml.Node, key string) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content = append(mapping.Content[:i], mapping.Content[i+2:]...)
			return
		}
	}
}

// FromYAML reads what YAML has written.
func FromYAML(text []byte) (*Config, error) {
	var value map[string]any
	if err := yaml.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	asJSON, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return Parse(asJSON)
}

// Hash names the config.
func (c *Config) Hash() (string, error) {
	text, err := artifact.Canonical(c)
	if err != nil {
		return "", err
	}
	return hexSum(text), nil
}

// Inputs are everything that decides what comes out of a run (4.2).
type Inputs struct {
	RepoSHA, SiteSHA               string
	SiteRepoURL                    string
	TemplatesDigest, RulesetDigest string
	ProfileDigest, LauncherVersion string
}

// InputsHash names the inputs of a run: with equal ones, its artifacts are equal.
func (c *Config) InputsHash(in Inputs) (string, error) {
	told := *c
	told.Telemetry, told.CommitService, told.MCP = Telemetry{}, CommitService{}, nil
	text, err := artifact.Canonical(map[string]any{
		"github_repo_url": c.GitHubRepoURL, "repo_sha": in.RepoSHA, "site_repo_url": in.SiteRepoURL, "site_sha": in.SiteSHA,
		"templates": c.TemplatesVersion + "@" + in.TemplatesDigest, "ruleset": c.RulesetVersion + "@" + in.RulesetDigest,
		"site_profile": c.SiteProfile + "@" + in.ProfileDigest, "run_config": told, "launcher": in.LauncherVersion,
	})
	if err != nil {
		return "", err
	}
	return hexSum(text), nil
}

func hexSum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
