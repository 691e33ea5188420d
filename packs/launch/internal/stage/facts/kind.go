package facts

import (
	"regexp"
	"strings"

	"mcpworks/packs/launch/internal/document"
)

var (
	limits         = regexp.MustCompile(`(?i)\b(?:do(?:es)?(?:n['\x{2019}]t| not) (?:yet )?(?:support|include)|not (?:yet |currently )?supported|not (?:yet )?implemented|no support for|not (?:yet )?available|cannot|can['\x{2019}]t|limitations?|unsupported)\b`)
	limitsHeading  = regexp.MustCompile(`(?i)\b(?:limitations?|not supported|unsupported|known issues|restrictions|caveats)\b`)
	packageCommand = regexp.MustCompile(`(?i)\b(?:(?:pip3?|pipx|uv|poetry|conda|npm|yarn|pnpm|bun|cargo|go|dotnet|composer|brew|apt(?:-get)?|gem|choco|winget|nuget) (?:install|add|get|require)\b|install\w*\b[^.]{0,60}\b(?:with|via|using|from|through) (?:pip|npm|yarn|pnpm|conda|cargo|nuget|maven|gradle|composer|homebrew|brew|pypi)\b)`)
	workflowWords  = regexp.MustCompile(`(?i)\b(?:set ?up|how to|usage|getting started|quick ?start)\b`)
	quickHeading   = regexp.MustCompile(`(?i)\b(?:quick ?start|getting started|usage|first steps|basic example)\b`)
	installHeading = regexp.MustCompile(`(?i)\binstall(?:ing|ation)?\b`)
	namedWord      = regexp.MustCompile(`(?i)\b(?:class|function|method|interface|struct|trait|decorator|module)\b`)
	codeName       = regexp.MustCompile("`([A-Za-z_][\\w.:]*)(?:\\(\\))?`")
	formatVerb     = regexp.MustCompile(`(?i)\b(?:read|reads|reading|reader|write|writes|writing|writer|writable|readable|imports?|importing|exports?|exporting|supports?|supported|convert|converts|converting|conversion|loads?|loading|saves?|saving|opens?|pars(?:e|es|ing)|formats?|not implemented)\b`)
	planned        = regexp.MustCompile(`(?i)\b(?:planned|roadmap|coming soon|will be (?:added|supported)|in (?:a |the )?future|not yet)\b`)
	actionWords    = `add|append|apply|authenticate|bind|choose|collect|combine|compare|compile|compress|compute|configure|connect|convert|create|customi[sz]e|define|delete|deploy|detect|download|embed|enable|encode|encrypt|extend|extract|fetch|generate|get|handle|implement|include|init(?:iali[sz]e)?|insert|inspect|install|integrate|make|manage|measure|merge|migrate|optimi[sz]e|parse|publish|register|remove|rename|render|replace|resize|restore|retrieve|save|schedule|select|send|serve|specify|train|transform|translate|unpack|upgrade|validate|verify`
	// actionHeading is a verb with something to do it to; verbs that are nouns as
	// well need an article to be told apart.
	actionHeading   = regexp.MustCompile(`(?i)^(?:\d+[.)]?\s*)?(?:how to\b|(?:` + nounWords + `)(?: up)? (?:an?|the|your|all|any|each|every|it|multiple|several|two|from|to|with|into)\b|(?:` + actionWords + `) \pL|\pL+ing (?:an?|the|your|with|from|to)\b|set up \pL)`)
	nounWords       = `build|call|change|check|copy|debug|display|draw|edit|export|filter|find|format|import|index|join|list|load|monitor|open|plot|print|process|query|read|run|scan|search|set|show|sign|sort|split|start|stop|store|stream|switch|test|update|upload|use|view|walk|watch|work|wrap|write|put|pass|pick|pack|mix|turn`
	imperativeStart = regexp.MustCompile(`(?i)^(?:first|then|next|now|finally|to|you can|you|` + actionWords + `|` + nounWords + `)\b`)
)

// kindOf says what kind of statement a block is (6.2(2)); the first that fits.
// The heading above tells where the words alone do not.
func kindOf(text string, block document.Block, formats vocabulary, symbols map[string]bool) string {
	switch {
	case limits.MatchString(text) || limitsHeading.MatchString(block.Heading):
		return "limitation"
	case packageCommand.MatchString(text):
		return "install"
	case workflowWords.MatchString(text) || isGuided(text, block):
		return "workflow"
	case namesSymbol(text, symbols):
		return "api"
	case formats.speaks(text) || formats.has(text) && formatVerb.MatchString(block.Heading):
		return "format"
	}
	return "feature"
}

// isGuided is something to do, below a heading that says what for.
func isGuided(text string, block document.Block) bool {
	guided := quickHeading.MatchString(block.Heading) || installHeading.MatchString(block.Heading) || actionHeading.MatchString(block.Heading)
	return guided && (block.Kind == document.Step || imperativeStart.MatchString(text))
}

// namesSymbol is true if a public name is in backticks, or any name is and is
// called a class or the like.
func namesSymbol(text string, symbols map[string]bool) bool {
	for _, name := range codeName.FindAllStringSubmatch(text, -1) {
		last := name[1][strings.LastIndexAny(name[1], ".:")+1:]
		if symbols[last] || namedWord.MatchString(text) {
			return true
		}
	}
	return false
}
