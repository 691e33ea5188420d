package artifact

// ProductFacts is what may be said about the product (6.2).
type ProductFacts struct {
	SchemaVersion       string            `json:"schema_version"`
	ProductName         string            `json:"product_name"`
	ProductSlug         string            `json:"product_slug"`
	RepoURL             string            `json:"repo_url"`
	RepoSHA             string            `json:"repo_sha"`
	Version             string            `json:"version,omitempty"`
	Positioning         Positioning       `json:"positioning"`
	SupportedPlatforms  []string          `json:"supported_platforms"`
	Claims              []Claim           `json:"claims"`
	ClaimGroups         ClaimGroups       `json:"claim_groups"`
	SupportedFormats    []SupportedFormat `json:"supported_formats"`
	Workflows           []Workflow        `json:"workflows"`
	APISurface          APISurface        `json:"api_surface_summary"`
	Examples            []Example         `json:"example_inventory"`
	License             string            `json:"license,omitempty"`
	Distribution        []Distribution    `json:"distribution,omitempty"`
	RuntimeRequirements []string          `json:"runtime_requirements,omitempty"`
	Dependencies        []string          `json:"dependencies,omitempty"`
	Limitations         []string          `json:"limitations,omitempty"` // ids of claims
	RepositoryHealth    RepositoryHealth  `json:"repository_health"`
	CodeStructure       []string          `json:"code_structure,omitempty"`
}

// A Positioning is how the product introduces itself.
type Positioning struct {
	Tagline          string `json:"tagline"`
	ShortDescription string `json:"short_description"`
	WhoItIsFor       string `json:"who_it_is_for,omitempty"`
}

// A Claim is one statement about the product.
type Claim struct {
	ID          string `json:"claim_id"`
	Text        string `json:"claim_text"`
	Kind        string `json:"claim_kind"`   // limitation, install, workflow, api, format, feature
	TruthStatus string `json:"truth_status"` // fact, inference
	Confidence  string `json:"confidence"`   // high, medium, low
	Audience    string `json:"audience"`     // user_facing, internal_detail, developer_instruction
}

// ClaimGroups are ids of claims by what they are used for.
type ClaimGroups struct {
	KeyFeatures        []string `json:"key_features"`
	InstallSteps       []string `json:"install_steps"`
	QuickstartSteps    []string `json:"quickstart_steps"`
	WorkflowClaims     []string `json:"workflow_claims"`
	Limitations        []string `json:"limitations"`
	CompatibilityNotes []string `json:"compatibility_notes"`
}

// A SupportedFormat is a format that a claim speaks of.
type SupportedFormat struct {
	Format       string `json:"format"`
	Status       string `json:"status"` // implemented, planned, unknown
	ClaimID      string `json:"claim_id"`
	Direction    string `json:"direction,omitempty"`
	SupportLevel string `json:"support_level,omitempty"`
	NotesClaimID string `json:"notes_claim_id,omitempty"`
}

// A Workflow is something that users do, step by step.
type Workflow struct {
	Tag              string         `json:"workflow_tag"`
	Title            string         `json:"title"`
	Description      string         `json:"description,omitempty"`
	Complexity       string         `json:"complexity,omitempty"`
	EstimatedMinutes int            `json:"estimated_time_minutes,omitempty"`
	ClaimIDs         []string       `json:"claim_ids"`
	SnippetTags      []string       `json:"snippet_tags"`
	Steps            []WorkflowStep `json:"steps"`
}

// A WorkflowStep is one step of it.
type WorkflowStep struct {
	Num       int    `json:"step_num"`
	ID        string `json:"step_id"`
	Name      string `json:"name"`
	ClaimID   string `json:"claim_id,omitempty"`
	SnippetID string `json:"snippet_id,omitempty"`
}

// An APISurface has the public names, and nothing else of them.
type APISurface struct {
	Classes   []string `json:"classes"`
	Functions []string `json:"functions"`
	Modules   []string `json:"modules"`
}

// An Example is one of the repository's own.
type Example struct {
	ID               string   `json:"example_id"`
	Title            string   `json:"title"`
	Tags             []string `json:"tags"`
	PrimarySnippetID string   `json:"primary_snippet_id"`
	Path             string   `json:"path,omitempty"`
}

// A Distribution is a way to get the product.
type Distribution struct {
	Method          string   `json:"method"`
	Identifier      string   `json:"identifier"`
	InstallCommands []string `json:"install_commands"`
}

// RepositoryHealth says how well a repository is looked after.
type RepositoryHealth struct {
	CIPresent               bool     `json:"ci_present"`
	CIPaths                 []string `json:"ci_paths"`
	TestsPresent            bool     `json:"tests_present"`
	TestFileCount           int      `json:"test_file_count"`
	RecommendedTestCommands []string `json:"recommended_test_commands"`
}

// An EvidenceMap has every claim with where it comes from.
type EvidenceMap struct {
	SchemaVersion      string          `json:"schema_version"`
	RepoURL            string          `json:"repo_url"`
	RepoSHA            string          `json:"repo_sha"`
	Claims             []EvidenceClaim `json:"claims"`
	Contradictions     []Contradiction `json:"contradictions"`
	TemplateProvenance []string        `json:"template_provenance,omitempty"`
}

// An EvidenceClaim is a claim with its citations, best first.
type EvidenceClaim struct {
	Claim
	SourcePriority int         `json:"source_priority"`
	Citations      []Citation  `json:"citations"`
	Supporting     []Support   `json:"supporting_evidence,omitempty"`
	Enrichment     *Enrichment `json:"enrichment,omitempty"`
}

// A Support is lines of another file that speak of the same thing, without
// saying it (6.2(5)).
type Support struct {
	Citation
	Score int `json:"score"` // in thousandths
}

// A Citation is lines of a file.
type Citation struct {
	Path       string `json:"path"`
	StartLine  int    `json:"start_line"`
	EndLine    int    `json:"end_line"`
	SourceType string `json:"source_type"`
}

// An Enrichment helps to place a claim and never changes it.
type Enrichment struct {
	AudienceLevel string   `json:"audience_level"`
	Complexity    string   `json:"complexity"`
	Prerequisites []string `json:"prerequisites"`
	UseCases      []string `json:"use_cases"`
	TargetPersona string   `json:"target_persona"`
}

// A Contradiction is two claims that cannot both hold.
type Contradiction struct {
	ClaimA         string `json:"claim_a_id"`
	ClaimB         string `json:"claim_b_id"`
	Resolution     string `json:"resolution"` // prefer_higher_priority, manual_review_required, unresolved
	WinningClaimID string `json:"winning_claim_id,omitempty"`
	Reasoning      string `json:"reasoning"`
}

// A TruthLockReport says which claims may be used, and which pages use them.
type TruthLockReport struct {
	SchemaVersion             string       `json:"schema_version"`
	OK                        bool         `json:"ok"`
	TotalClaims               int          `json:"total_claims"`
	FactClaims                int          `json:"fact_claims"`
	InferenceClaims           int          `json:"inference_claims"`
	UnsupportedClaims         []string     `json:"unsupported_claims"`
	Pages                     []PageClaims `json:"pages"`
	UnresolvedClaimIDs        []string     `json:"unresolved_claim_ids"`
	InferredClaimIDs          []string     `json:"inferred_claim_ids"`
	ForbiddenInferredClaimIDs []string     `json:"forbidden_inferred_claim_ids"`
	Issues                    []string     `json:"issues"` // ids
}

// PageClaims are the claims on a page.
type PageClaims struct {
	Path     string   `json:"path"`
	ClaimIDs []string `json:"claim_ids"`
}

// A SnippetCatalog has all code that pages may show (6.3).
type SnippetCatalog struct {
	SchemaVersion string    `json:"schema_version"`
	Snippets      []Snippet `json:"snippets"`
}

// A Snippet is one piece of code.
type Snippet struct {
	ID           string            `json:"snippet_id"`
	Language     string            `json:"language"`
	Tags         []string          `json:"tags"`
	Code         string            `json:"code"`
	Source       SnippetSource     `json:"source"`
	Sources      []SnippetSource   `json:"sources"`
	Requirements SnippetNeeds      `json:"requirements"`
	Relevance    int               `json:"relevance"`
	Validation   SnippetValidation `json:"validation"`
}

// A SnippetSource is where a snippet comes from.
type SnippetSource struct {
	Type       string `json:"type"` // repo_file, generated
	Path       string `json:"path,omitempty"`
	StartLine  int    `json:"start_line,omitempty"`
	EndLine    int    `json:"end_line,omitempty"`
	PromptHash string `json:"prompt_hash,omitempty"`
}

// SnippetNeeds is what a snippet needs to run.
type SnippetNeeds struct {
	Dependencies []string `json:"dependencies"`
}

// A SnippetValidation says what is known about a snippet; nil is not known.
type SnippetValidation struct {
	SyntaxOK   *bool  `json:"syntax_ok"`
	RunnableOK any    `json:"runnable_ok"` // true, false or "unknown"
	LogPath    string `json:"log_path,omitempty"`
}
