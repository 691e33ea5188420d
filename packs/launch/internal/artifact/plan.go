package artifact

// A PagePlan says which pages there will be (6.4).
type PagePlan struct {
	SchemaVersion         string              `json:"schema_version"`
	ProductSlug           string              `json:"product_slug"`
	LaunchTier            string              `json:"launch_tier"` // minimal, standard, rich
	LaunchTierAdjustments []TierAdjustment    `json:"launch_tier_adjustments"`
	InferredProductType   string              `json:"inferred_product_type"`
	EvidenceVolume        EvidenceVolume      `json:"evidence_volume"`
	EffectiveQuotas       map[string]Quota    `json:"effective_quotas"`
	Pages                 []Page              `json:"pages"`
	SkippedSections       []SkippedSection    `json:"skipped_sections"`
	RejectedCandidates    []RejectedCandidate `json:"rejected_candidates"`
}

// A TierAdjustment is one step in finding the tier.
type TierAdjustment struct {
	Adjustment string `json:"adjustment"`
	FromTier   string `json:"from_tier"`
	ToTier     string `json:"to_tier"`
	Reason     string `json:"reason"`
	Signal     string `json:"signal"`
}

// EvidenceVolume is how much there is to write about.
type EvidenceVolume struct {
	Score       int `json:"score"`
	Claims      int `json:"claims"`
	Snippets    int `json:"snippets"`
	APISymbols  int `json:"api_symbols"`
	Workflows   int `json:"workflows"`
	KeyFeatures int `json:"key_features"`
}

// A Quota is how many pages a section has.
type Quota struct {
	MinPages        int `json:"min_pages"`
	MaxPages        int `json:"max_pages"`
	EvidenceTarget  int `json:"evidence_target"`
	TierAdjustedMax int `json:"tier_adjusted_max"`
}

// A Page is one page to write.
type Page struct {
	ID                  string            `json:"page_id"`
	Section             string            `json:"section"`
	Slug                string            `json:"slug"`
	Locale              string            `json:"locale"`
	OutputPath          string            `json:"output_path"`
	URLPath             string            `json:"url_path"`
	Title               string            `json:"title"`
	Purpose             string            `json:"purpose"`
	Role                string            `json:"page_role"`
	TemplatePath        string            `json:"template_path"`
	TemplateVariant     string            `json:"template_variant"`
	TemplateDigest      string            `json:"template_digest,omitempty"` // of the template as it was when the page was planned
	RequiredHeadings    []string          `json:"required_headings"`
	RequiredClaimIDs    []string          `json:"required_claim_ids"`
	RequiredSnippetTags []string          `json:"required_snippet_tags"`
	SnippetIDs          []string          `json:"snippet_ids"`
	CrossLinks          []CrossLink       `json:"cross_links"`
	SEOKeywords         []string          `json:"seo_keywords"`
	ForbiddenTopics     []string          `json:"forbidden_topics"`
	Strategy            ContentStrategy   `json:"content_strategy"`
	TokenMappings       map[string]string `json:"token_mappings"`
}

// A CrossLink leads to a page of another section.
type CrossLink struct {
	Title string `json:"title"`
	URL   string `json:"url"`
}

// A ContentStrategy says what a page is about, and what it is not.
type ContentStrategy struct {
	PrimaryFocus     string      `json:"primary_focus"`
	ForbiddenTopics  []string    `json:"forbidden_topics"`
	ClaimQuota       ClaimQuota  `json:"claim_quota"`
	ChildPages       []ChildPage `json:"child_pages,omitempty"`
	ScenarioCoverage string      `json:"scenario_coverage,omitempty"` // all, single
}

// A ClaimQuota is how many claims a page has.
type ClaimQuota struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// A ChildPage is listed on a page of contents.
type ChildPage struct {
	Title   string `json:"title"`
	URL     string `json:"url"`
	Purpose string `json:"purpose"`
}

// A SkippedSection has no pages.
type SkippedSection struct {
	Section string `json:"section"`
	Reason  string `json:"reason"`
}

// A RejectedCandidate is a page that there is no room for.
type RejectedCandidate struct {
	Section string `json:"section"`
	Slug    string `json:"slug"`
	Reason  string `json:"reason"`
}

// A DraftManifest lists what was written (6.5).
type DraftManifest struct {
	SchemaVersion string  `json:"schema_version"`
	TotalPages    int     `json:"total_pages"`
	Drafts        []Draft `json:"drafts"`
}

// A Draft is one page that was written.
type Draft struct {
	PageID     string   `json:"page_id"`
	Section    string   `json:"section"`
	Slug       string   `json:"slug"`
	OutputPath string   `json:"output_path"`
	DraftPath  string   `json:"draft_path"`
	SHA256     string   `json:"sha256"`
	Title      string   `json:"title"`
	WordCount  int      `json:"word_count"`
	ClaimIDs   []string `json:"claim_ids"`
	SnippetIDs []string `json:"snippet_ids"`
	Writer     string   `json:"writer"` // offline, llm
	PromptHash string   `json:"prompt_hash,omitempty"`
}
