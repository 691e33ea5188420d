package artifact

// A RepoInventory is what the product repository has (6.1).
type RepoInventory struct {
	SchemaVersion        string        `json:"schema_version"`
	RepoURL              string        `json:"repo_url"`
	RepoSHA              string        `json:"repo_sha"`
	SiteSHA              string        `json:"site_sha"`
	RepoFingerprint      string        `json:"repo_fingerprint"`
	FileCount            int           `json:"file_count"`
	ProductNameGuess     string        `json:"product_name_guess"`
	Fingerprint          Fingerprint   `json:"fingerprint"`
	RepoProfile          RepoProfile   `json:"repo_profile"`
	Files                []RepoFile    `json:"files"`
	Paths                []string      `json:"paths"`
	DocRoots             []string      `json:"doc_roots"`
	DocEntrypoints       []string      `json:"doc_entrypoints"`
	DocEntrypointDetails []DocDetail   `json:"doc_entrypoint_details"`
	ExampleRoots         []string      `json:"example_roots"`
	ExamplePaths         []string      `json:"example_paths"`
	SourceRoots          []string      `json:"source_roots"`
	TestRoots            []string      `json:"test_roots"`
	TestFileCount        int           `json:"test_file_count"`
	CIPaths              []string      `json:"ci_paths"`
	BinaryAssets         []string      `json:"binary_assets"`
	PhantomPaths         []PhantomPath `json:"phantom_paths"`
	InferredProductType  string        `json:"inferred_product_type"`
}

// A Fingerprint is what a repository is known by.
type Fingerprint struct {
	DefaultBranch    string   `json:"default_branch"`
	LatestReleaseTag string   `json:"latest_release_tag,omitempty"`
	LicensePath      string   `json:"license_path,omitempty"`
	LicenseSPDX      string   `json:"license_spdx,omitempty"`
	PrimaryLanguages []string `json:"primary_languages"`
}

// A RepoProfile is how a repository is built.
type RepoProfile struct {
	PlatformFamily          string         `json:"platform_family"`
	PrimaryLanguages        []string       `json:"primary_languages"`
	BuildSystems            []string       `json:"build_systems"`
	PackageManifests        []string       `json:"package_manifests"`
	RecommendedTestCommands []string       `json:"recommended_test_commands"`
	ExampleLocator          string         `json:"example_locator"`
	DocLocator              string         `json:"doc_locator"`
	SourceLayout            string         `json:"source_layout"`
	RepoArchetype           string         `json:"repo_archetype"`
	AdapterID               string         `json:"adapter_id"`
	AdapterVersion          string         `json:"adapter_version"`
	PublicAPIEntrypoints    []string       `json:"public_api_entrypoints"`
	PublicAPIScope          PublicAPIScope `json:"public_api_scope"`
}

// A PublicAPIScope says where the public names of a product are.
type PublicAPIScope struct {
	PublicRoots      []string `json:"public_roots"`
	InternalPrefixes []string `json:"internal_prefixes"`
	Policy           string   `json:"policy"` // explicit, heuristic or unknown
}

// A RepoFile is one file.
type RepoFile struct {
	Path       string `json:"path"`
	Size       int64  `json:"size"`
	SHA256     string `json:"sha256"`
	Binary     bool   `json:"binary"`
	GitIgnored bool   `json:"gitignored"`
	Language   string `json:"language"`
}

// A DocDetail says what kind of document a file is.
type DocDetail struct {
	Path             string `json:"path"`
	DocType          string `json:"doc_type"`
	EvidencePriority int    `json:"evidence_priority"`
}

// A PhantomPath is a file that is spoken of and does not exist.
type PhantomPath struct {
	ClaimedPath      string `json:"claimed_path"`
	SourceFile       string `json:"source_file"`
	SourceLine       int    `json:"source_line"`
	DetectionPattern string `json:"detection_pattern"`
}

// A FrontmatterContract is what the pages of each section begin with.
type FrontmatterContract struct {
	SchemaVersion string                        `json:"schema_version"`
	SiteRepoURL   string                        `json:"site_repo_url"`
	SiteSHA       string                        `json:"site_sha"`
	Sections      map[string]SectionFrontmatter `json:"sections"`
}

// SectionFrontmatter is what the pages of one section begin with.
type SectionFrontmatter struct {
	SampleSize    int               `json:"sample_size"`
	RequiredKeys  []string          `json:"required_keys"`
	OptionalKeys  []string          `json:"optional_keys"`
	KeyTypes      map[string]string `json:"key_types"` // string, integer, number, boolean, date, array_string, object, unknown
	DefaultValues map[string]any    `json:"default_values"`
}

// A SiteContext is how the site is built.
type SiteContext struct {
	SchemaVersion string        `json:"schema_version"`
	Site          ResolvedRepo  `json:"site"`
	Workflows     *ResolvedRepo `json:"workflows,omitempty"`
	Hugo          *HugoContext  `json:"hugo,omitempty"`
}

// A ResolvedRepo is a repository at a commit.
type ResolvedRepo struct {
	RepoURL      string `json:"repo_url"`
	RequestedRef string `json:"requested_ref"`
	ResolvedSHA  string `json:"resolved_sha"`
}

// A HugoContext is the configuration of a site made by Hugo.
type HugoContext struct {
	ConfigRoot            string       `json:"config_root"`
	ConfigFiles           []ConfigFile `json:"config_files"`
	BuildMatrix           []BuildEntry `json:"build_matrix"`
	HugoConfigFingerprint string       `json:"hugo_config_fingerprint"`
}

// A ConfigFile is one file of it.
type ConfigFile struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	Ext    string `json:"ext"`
}

// A BuildEntry is one site that is built.
type BuildEntry struct {
	Subdomain  string `json:"subdomain"`
	Family     string `json:"family"`
	ConfigPath string `json:"config_path"`
}

// HugoFacts are the settings that decide addresses.
type HugoFacts struct {
	SchemaVersion           string            `json:"schema_version"`
	Languages               []string          `json:"languages"`
	DefaultLanguage         string            `json:"default_language"`
	DefaultLanguageInSubdir bool              `json:"default_language_in_subdir"`
	Permalinks              map[string]string `json:"permalinks"`
	Outputs                 map[string]any    `json:"outputs"`
	Taxonomies              map[string]string `json:"taxonomies"`
	SourceFiles             []string          `json:"source_files"`
}
