package gatetest

import (
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/taskcard"
)

// A Fault is a way to break the run, and what a gate says to it.
type Fault struct {
	Name       string
	Gate, Code string
	Break      func(*Run)
}

func replace(file, old, with string) func(*Run) { return func(r *Run) { r.Replace(file, old, with) } }

func add(file, text string) func(*Run) { return func(r *Run) { r.Site[file] += text } }

func input(change func(*Run, *gate.Input)) func(*Run) {
	return func(r *Run) { r.Also = append(r.Also, func(in *gate.Input) { change(r, in) }) }
}

// document replaces part of a document's text.
func document(name, old, with string) func(*Run) {
	return input(func(_ *Run, in *gate.Input) {
		in.Documents[name] = []byte(strings.Replace(string(in.Documents[name]), old, with, 1))
	})
}

var unknown = strings.Repeat("0", 64)

// Faults are at least two for each gate, in the order of the gates. All of
// them show in the profile prod.
var Faults = []Fault{
	{"branch", gate.PinnedRefs, gate.CodeNotPinned, func(r *Run) { r.Config.GitHubRef = "main" }},
	{"other commit", gate.PinnedRefs, gate.CodeRefMismatch, func(r *Run) { r.Config.GitHubRef = strings.Repeat("c3", 20) }},
	{"all zeros", gate.PinnedRefs, gate.CodeNotPinned, func(r *Run) { r.Context.Site.ResolvedSHA = strings.Repeat("0", 40) }},
	{"facts of another commit", gate.PinnedRefs, gate.CodeRefMismatch, func(r *Run) { r.Facts.RepoSHA = SiteSHA }},

	{"no budgets", gate.Budgets, gate.CodeBudgetMissing, func(r *Run) { r.Config.BudgetsGiven = false }},
	{"too many files", gate.Budgets, gate.CodeBudgetExceeded, func(r *Run) { r.Config.Budgets.MaxFilesChanged = 2 }},
	{"too many lines", gate.Budgets, gate.CodeBudgetExceeded, func(r *Run) { r.Config.Budgets.MaxLinesPerFile = 5 }},
	{"too many calls", gate.Budgets, gate.CodeBudgetExceeded, input(func(_ *Run, in *gate.Input) { in.Usage.LLMCalls = 501 })},
	{"formatting only", gate.Budgets, gate.CodeFormatting, func(r *Run) {
		text := strings.Repeat("some words\n\n", 100)
		r.Base[Guide], r.Site[Guide] = text, strings.ReplaceAll(text, " ", "  ")
	}},

	{"document missing", gate.Schema, gate.CodeSchema, input(func(_ *Run, in *gate.Input) { delete(in.Documents, artifact.PagePlanName) })},
	{"unknown member", gate.Schema, gate.CodeSchema, document(artifact.ProductFactsName, "{", `{"colour":1,`)},
	{"not JSON", gate.Schema, gate.CodeSchema, document(artifact.EvidenceMapName, "{", "")},
	{"wrong value", gate.Schema, gate.CodeSchema, func(r *Run) { r.Plan.LaunchTier = "enormous" }},
	{"page is not text", gate.Schema, gate.CodeSchema, add(Guide, "\xff\n")},

	{"outside of the fence", gate.WriteScope, gate.CodeScopePath, func(r *Run) { r.Site["content/other.md"] = "x\n" }},
	{"sibling with the same prefix", gate.WriteScope, gate.CodeScopePath, func(r *Run) { r.Site["content/docs/acme-evil/x.md"] = "x\n" }},
	{"file deleted", gate.WriteScope, gate.CodeScopePath, func(r *Run) { r.Base["content/docs/acme/en/gone.md"] = r.Site[Index] }},
	{"no patch", gate.WriteScope, gate.CodeUnexplained, input(func(r *Run, in *gate.Input) {
		Put(r.t, in, artifact.PatchBundleName, artifact.PatchBundle{SchemaVersion: artifact.Version, BaseSHA: SiteSHA})
	})},
	{"edited afterwards", gate.WriteScope, gate.CodeUnexplained, input(func(r *Run, in *gate.Input) {
		r.Site[Guide] += "\nMore.\n"
		in.Site = Tree(r.Site)
	})},

	{"conflict marks", gate.PatchConflicts, gate.CodeConflictMarker, add(Guide, "\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")},
	{"conflict marks in code", gate.PatchConflicts, gate.CodeConflictMarker, replace(Guide, Code, Code+"\n>>>>>>> theirs")},
	{"open conflict", gate.PatchConflicts, gate.CodeConflictOpen, input(func(r *Run, in *gate.Input) {
		Put(r.t, in, artifact.PatchConflictsName, artifact.PatchConflicts{SchemaVersion: artifact.Version,
			Conflicts: []artifact.PatchConflict{{PatchID: "p_000000000000", Path: Guide, Reason: "ANCHOR_MISSING", Expected: "x", Actual: "y"}}})
	})},

	{"token in text", gate.TemplateTokens, gate.CodeToken, replace(Guide, "### Convert a file", "### Convert a file\n\nWith __PRODUCT_NAME__:")},
	{"token without a value", gate.TemplateTokens, gate.CodeToken, replace(Guide, "## Tasks", "## Tasks\n\n__BODY_NOTHING__")},
	{"token in the front matter", gate.TemplateTokens, gate.CodeToken, replace(Overview, "description: What", "description: __SUBJECT__ What")},
	{"template variable", gate.TemplateTokens, gate.CodeToken, replace(Guide, "## Tasks", "## Tasks\n\nSee {{ .Site.Title }} now.")},
	{"shortcode", gate.TemplateTokens, gate.CodeToken, replace(Guide, "## Tasks", "## Tasks\n\n{{< rawhtml >}}")},

	{"no front matter", gate.Frontmatter, gate.CodeFrontMissing, replace(Guide, "---\ntitle: Acme Tool developer guide\ndescription: Common tasks with Acme Tool.\n---\n", "")},
	{"front matter cannot be read", gate.Frontmatter, gate.CodeFrontInvalid, replace(Guide, "title: Acme", "title: [Acme")},
	{"front matter has no end", gate.Frontmatter, gate.CodeFrontInvalid, replace(Index, "---\n## Pages", "## Pages")},
	{"no description", gate.Frontmatter, gate.CodeFrontRequired, replace(Overview, "description: What Acme Tool is.\n", "")},
	{"empty title", gate.Frontmatter, gate.CodeFrontContract, replace(Overview, "title: Acme Tool\n", "title: \"\"\n")},
	{"title is a number", gate.Frontmatter, gate.CodeFrontType, replace(Overview, "title: Acme Tool\n", "title: 7\n")},
	{"weight is a text", gate.Frontmatter, gate.CodeFrontType, replace(Overview, "title: Acme Tool\n", "title: Acme Tool\nweight: heavy\n")},

	{"heading level left out", gate.MarkdownLint, gate.CodeLint, replace(Guide, "### Convert", "#### Convert")},
	{"two titles", gate.MarkdownLint, gate.CodeLint, replace(Guide, "## Tasks", "# One\n\n# Two\n\n## Tasks")},
	{"open fence", gate.MarkdownLint, gate.CodeLint, func(r *Run) {
		r.Site[Guide] = strings.Replace(r.Site[Guide], "\n```\n\nSource", "\n\nSource", 1)
		r.Site[Guide] = r.Site[Guide][:strings.Index(r.Site[Guide], "\n\nSource")+1]
	}},
	{"trailing spaces", gate.MarkdownLint, gate.CodeLint, replace(Guide, "## Tasks\n", "## Tasks  \n")},
	{"tab", gate.MarkdownLint, gate.CodeLint, replace(Overview, "- [Source code]", "-\t[Source code]")},
	{"bullets", gate.MarkdownLint, gate.CodeLint, replace(Overview, "- [", "* [")},
	{"line ends", gate.MarkdownLint, gate.CodeLint, func(r *Run) { r.Site[Guide] = strings.ReplaceAll(r.Site[Guide], "\n", "\r\n") }},

	{"elsewhere", gate.Layout, gate.CodeLayoutPath, func(r *Run) { r.Page(Guide).OutputPath = "content/docs/acme/developer-guide.md" }},
	{"other product", gate.Layout, gate.CodeLayoutPath, func(r *Run) { r.Page(Guide).OutputPath = "content/docs/other/en/developer-guide.md" }},
	{"other address", gate.Layout, gate.CodeLayoutURL, func(r *Run) { r.Page(Guide).URLPath = "/docs/acme/guide/" }},
	{"same address", gate.Layout, gate.CodeLayoutURL, func(r *Run) { r.Page(Guide).URLPath = "/docs/acme/" }},
	{"no configuration", gate.Layout, gate.CodeHugoMissing, func(r *Run) { r.Profile.Generator = "hugo" }},
	{"not built", gate.Layout, gate.CodeHugoNotEnabled, func(r *Run) {
		r.Profile.Generator = "hugo"
		r.Context.Hugo = &artifact.HugoContext{BuildMatrix: []artifact.BuildEntry{{Subdomain: "site.example", Family: "other"}}}
	}},

	{"page missing", gate.Navigation, gate.CodeMissingPage, func(r *Run) { delete(r.Site, Guide) }},
	{"page not planned", gate.Navigation, gate.CodeOrphanPage, func(r *Run) { r.Site["content/docs/acme/en/extra.md"] = r.Site[Index] }},
	{"file that is no page", gate.Navigation, gate.CodeOrphanPage, func(r *Run) { r.Site["content/docs/acme/en/extra.html"] = "<p>\n" }},
	{"not reachable", gate.Navigation, gate.CodeUnreachable, func(r *Run) {
		r.Page(Index).Strategy.ChildPages = nil
		r.Replace(Index, "- [Acme Tool developer guide](/docs/acme/developer-guide/) - Common tasks with Acme Tool.", "- [Source code]("+RepoURL+")")
	}},
	{"menu leads nowhere", gate.Navigation, gate.CodeMenuLink, replace(Overview, "title: Acme Tool\n", "title: Acme Tool\nmenu:\n  main:\n    url: /docs/gone/\n")},

	{"broken address", gate.InternalLinks, gate.CodeLinkInternal, add(Overview, "- [Guide](/docs/acme/developer-guid/)\n")},
	{"broken address with a host", gate.InternalLinks, gate.CodeLinkInternal, add(Overview, "- [Guide](https://site.example/docs/acme/old/developer-guide/)\n")},
	{"broken address that nothing is like", gate.InternalLinks, gate.CodeLinkInternal, add(Overview, "- [Gone](/nowhere/)\n")},
	{"broken relative link", gate.InternalLinks, gate.CodeLinkRelative, add(Overview, "- [Gone](../gone.md)\n")},
	{"broken heading", gate.InternalLinks, gate.CodeLinkAnchor, add(Overview, "- [Features](#key-feature)\n")},
	{"broken heading elsewhere", gate.InternalLinks, gate.CodeLinkAnchor, add(Overview, "- [Tasks](/docs/acme/developer-guide/#nothing)\n")},

	{"statement without a claim", gate.Truthlock, gate.CodeUncited, add(Guide, "\nAcme Tool supports every format there is.\n")},
	{"statement in indented lines", gate.Truthlock, gate.CodeUncited, add(Guide, "\n    Acme Tool supports every format there is.\n")},
	{"claim without its marker", gate.Truthlock, gate.CodeUncited, replace(Overview, " "+Marker("feature"), "")},
	{"sentence beside a claim", gate.Truthlock, gate.CodeMismatch, replace(Overview, Texts["feature"], Texts["feature"]+" Moreover everything works perfectly without any configuration whatsoever and scales linearly.")},
	{"unknown claim", gate.Truthlock, gate.CodeInvalidClaim, replace(Overview, ID("feature"), unknown)},
	{"old marker", gate.Truthlock, gate.CodeInvalidClaim, replace(Overview, Marker("feature"), "[claim: "+ID("feature")+"]")},
	{"other old marker", gate.Truthlock, gate.CodeInvalidClaim, replace(Overview, Marker("feature"), "<!-- claim: "+ID("feature")+" -->")},
	{"decorative marker", gate.Truthlock, gate.CodeMismatch, add(Guide, "\nThis library handles big data. "+Marker("step")+"\n")},
	{"claim turned round", gate.Truthlock, gate.CodeMismatch, replace(Overview, Texts["limit"], "FBX files are supported.")},
	{"other figure", gate.Truthlock, gate.CodeMismatch, func(r *Run) {
		r.Site[Guide] += "\n" + strings.Replace(Line("spare"), "12", "15", 1) + "\n"
	}},
	{"claim for others", gate.Truthlock, gate.CodeInvalidClaim, func(r *Run) {
		r.Claim("spare").Audience = "internal_detail"
		r.Site[Guide] += "\n" + Line("spare") + "\n"
	}},
	{"inference", gate.Truthlock, gate.CodeEvidence, func(r *Run) {
		r.Claim("spare").TruthStatus = "inference"
		r.Site[Guide] += "\n" + Line("spare") + "\n"
	}},
	{"citation does not hold", gate.Truthlock, gate.CodeEvidence, func(r *Run) {
		r.Claim("spare").Citations[0].StartLine, r.Claim("spare").Citations[0].EndLine = 1, 1
		r.Site[Guide] += "\n" + Line("spare") + "\n"
	}},
	{"withheld claim", gate.Truthlock, gate.CodeContradicted, func(r *Run) {
		r.Evidence.Contradictions = []artifact.Contradiction{{ClaimA: ID("spare"), ClaimB: unknown, Resolution: "unresolved"}}
		r.Site[Guide] += "\n" + Line("spare") + "\n"
	}},

	{"claim missing", gate.ClaimCoverage, gate.CodeCoverage, replace(Overview, "- "+Line("feature")+"\n", "- [Source]("+RepoURL+")\n")},
	{"claim of a task missing", gate.ClaimCoverage, gate.CodeCoverage, replace(Guide, "- "+Line("step")+"\n", "- [Source]("+RepoURL+")\n")},

	{"changed code", gate.Snippets, gate.CodeSnippetUnknown, replace(Guide, `acme.convert("a.csv")`, `acme.convert("b.csv")`)},
	{"other code", gate.Snippets, gate.CodeSnippetUnknown, replace(Guide, Code, "while True: pass")},
	{"other language", gate.Snippets, gate.CodeSnippetLanguage, replace(Guide, "```python", "```ruby")},
	{"command in another language", gate.Snippets, gate.CodeSnippetLanguage, replace(Overview, "```bash", "```python")},
	{"wrong syntax", gate.Snippets, gate.CodeSnippetSyntax, func(r *Run) { r.Catalog.Snippets[0].Validation.SyntaxOK = new(bool) }},

	{"other name", gate.Consistency, gate.CodeProductName, replace(Overview, "[Acme Tool documentation]", "[ACME tool documentation]")},
	{"other name in the facts", gate.Consistency, gate.CodeProductName, func(r *Run) { r.Config.ProductName = "Acme Toolbox" }},
	{"other owner", gate.Consistency, gate.CodeRepoURL, replace(Overview, RepoURL, "https://github.com/evil/acme-tool")},
	{"other commit in a link", gate.Consistency, gate.CodeRepoURL, replace(Guide, RepoSHA, SiteSHA)},
	{"other address in the front matter", gate.Consistency, gate.CodeCanonicalURL, replace(Overview, "title: Acme Tool\n", "title: Acme Tool\npermalink: /x/\n")},
	{"heading missing", gate.Consistency, gate.CodeRequiredHeading, replace(Overview, "## Key features\n\n- "+Line("feature")+"\n\n", "")},
	{"links missing", gate.Consistency, gate.CodeRequiredHeading, func(r *Run) { r.Site[Overview] = r.Site[Overview][:strings.Index(r.Site[Overview], "\n## Learn more")] }},
	{"another template", gate.Consistency, gate.CodeTemplateChanged, func(r *Run) { r.Page(Guide).TemplateDigest = strings.Repeat("0", 64) }},
	{"section missing", gate.Consistency, gate.CodeRequiredSection, func(r *Run) { r.Config.RequiredSections = append(r.Config.RequiredSections, "kb") }},

	{"all names", gate.Universality, gate.CodeTier, func(r *Run) {
		r.Plan.LaunchTier = "minimal"
		r.Facts.APISurface.Functions = []string{"a1", "a2", "a3", "a4", "a5"}
		r.Site[Guide] += "\n- `a1`\n- `a2`\n- `a3`\n- `a4`\n- `a5`\n"
	}},
	{"no limitations", gate.Universality, gate.CodeLimitations, func(r *Run) {
		r.Replace(Overview, "## Limitations\n\n- "+Line("limit")+"\n\n", "")
		r.Page(Overview).RequiredHeadings = []string{"Key features", "Install", "Learn more"}
	}},
	{"other command", gate.Universality, gate.CodeDistribution, replace(Overview, "pip install acme-tool", "pip install acme-tools")},
	{"other manager", gate.Universality, gate.CodeDistribution, replace(Overview, "pip install acme-tool", "npm install acme-tool")},
	{"format that nobody claims", gate.Universality, gate.CodeInference, replace(Guide, "## Tasks", "## Good with PDF\n\n## Tasks")},

	{"no role", gate.ContentDistribution, gate.CodeRoleMissing, func(r *Run) { r.Page(Overview).Role = "poem" }},
	{"no strategy", gate.ContentDistribution, gate.CodeStrategyMissing, func(r *Run) { r.Page(Overview).Strategy.PrimaryFocus = "" }},
	{"code in the contents", gate.ContentDistribution, gate.CodeTOCSnippets, add(Index, "\n```python\n"+Code+"\n```\n")},
	{"child missing", gate.ContentDistribution, gate.CodeTOCChildren, replace(Index, "- [Acme Tool developer guide](/docs/acme/developer-guide/) - Common tasks with Acme Tool.\n", "- [Source code]("+RepoURL+")\n")},
	{"task missing", gate.ContentDistribution, gate.CodeGuide, replace(Guide, "### Convert a file", "### Something else")},
	{"not all tasks", gate.ContentDistribution, gate.CodeGuideCoverage, func(r *Run) { r.Page(Guide).Strategy.ScenarioCoverage = "single" }},
	{"forbidden heading", gate.ContentDistribution, gate.CodeForbiddenTopic, add(Guide, "\n## Installation notes\n\n```bash\npip install acme-tool\n```\n")},
	{"too many claims", gate.ContentDistribution, gate.CodeQuotaExceeded, replace(Overview, "- "+Line("feature"), "- "+Line("feature")+"\n- "+Line("spare"))},
	{"too few claims", gate.ContentDistribution, gate.CodeQuotaUnderflow, func(r *Run) { r.Page(Overview).Strategy.ClaimQuota.Min = 4 }},
	{"claim in two sections", gate.ContentDistribution, gate.CodeDuplication, replace(Guide, "- "+Line("step"), "- "+Line("step")+"\n- "+Line("feature"))},
	{"mandatory page not planned", gate.ContentDistribution, gate.CodeMandatoryPage, func(r *Run) { r.Page(Overview).Slug = "other" }},

	{"token of a code host", gate.SensitiveData, "GATE_SENSITIVE_DATA_GITHUB_TOKEN", replace(Guide, Code, "token = \"ghp_"+strings.Repeat("a1B2", 6)+"\"")},
	{"password in a document", gate.SensitiveData, "GATE_SENSITIVE_DATA_PASSWORD", func(r *Run) { r.Facts.Positioning.Tagline = "password=hunter2hunter9" }},
	{"key in a log", gate.SensitiveData, "GATE_SENSITIVE_DATA_AWS_KEY", input(func(_ *Run, in *gate.Input) {
		in.Logs = map[string][]byte{"w5.log": []byte("used AKIA" + strings.Repeat("Q7", 8) + "\n")}
	})},

	{"script", gate.XSS, gate.CodeScriptTag, add(Guide, "\n<SCRIPT >x</SCRIPT>\n")},
	{"frame", gate.XSS, gate.CodeUnsafeTag, add(Guide, "\nx <iframe\nsrc=x>\n")},
	{"handler", gate.XSS, gate.CodeEventHandler, add(Guide, "\n<img src=x\nonerror=\"x\">\n")},
	{"handler behind a backtick", gate.XSS, gate.CodeEventHandler, add(Guide, "\n<a title=\"`\" onclick=x>`\n")},
	{"handler of a heading", gate.XSS, gate.CodeEventHandler, add(Guide, "\n## More {onclick=x}\n")},
	{"script address", gate.XSS, gate.CodeScriptURL, add(Guide, "\n[x](JavaScript:alert)\n")},
	{"hidden script address", gate.XSS, gate.CodeScriptURL, add(Guide, "\n<a href=\"java&#x09;script&colon;x\">y</a>\n")},
	{"document address", gate.XSS, gate.CodeDataURL, add(Guide, "\n[x](data:text/html;base64,eA==)\n")},

	{"card missing", gate.Taskcard, gate.CodeCardMissing, func(r *Run) { r.Profile.RequiresTaskcard = true }},
	{"card cannot be loaded", gate.Taskcard, gate.CodeCardLoad, func(r *Run) { r.Config.TaskcardID = "TC-1" }},
	{"card is a draft", gate.Taskcard, gate.CodeCardInactive, card("Draft", "content/docs/acme/", "content/products/acme/")},
	{"card allows less", gate.Taskcard, gate.CodeCardPath, card("In-Progress", "content/docs/acme/")},

	{"evidence of another host", gate.NetworkAllowlist, gate.CodeHostNotAllowed, func(r *Run) { r.Config.ExtraEvidenceURLs = []string{"https://elsewhere.example/x"} }},
	{"unknown host", gate.NetworkAllowlist, gate.CodeHostNotAllowed, func(r *Run) { r.Config.Telemetry.EndpointURL = "https://telemetry.example" }},
}

func card(status string, paths ...string) func(*Run) {
	return func(r *Run) {
		r.Config.TaskcardID = "TC-1"
		r.Also = append(r.Also, func(in *gate.Input) {
			in.Taskcard = &taskcard.Report{Card: taskcard.Card{ID: "TC-1", Status: status, AllowedPaths: paths}}
		})
	}
}
