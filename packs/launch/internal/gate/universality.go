package gate

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate/page"
)

// universality demands that pages promise no more than their evidence: the tier,
// the limitations, the commands, and no format that nobody has claimed.
func universality(ctx context.Context, v *View, r *report) {
	v.judgeLimitations(r)
	words := v.vocabulary()
	for p := range v.plannedPages {
		if ctx.Err() != nil {
			return
		}
		if v.Plan.LaunchTier == "minimal" && v.exhaustive(p) {
			r.add(0, CodeTier, p.Path, "symbols", "the page lists all public names, which the tier minimal does not")
		}
		v.judgeCommands(p, r)
		v.judgePromises(p, words, r)
	}
}

// Limitations is the heading that limitations stand under.
const Limitations = "Limitations"

// UsableLimitations are the ids of the claims about limits that pages may have.
func (v *View) UsableLimitations() []string {
	withheld := v.withheld()
	var ids []string
	for _, id := range v.Facts.ClaimGroups.Limitations {
		if claim, known := v.Claim(id); known && claim.Audience == "user_facing" && claim.TruthStatus == "fact" && !withheld[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// limited are the roles of pages that tell the limits of what they are about.
var limited = []string{"landing", "comprehensive_guide", "api_reference"}

// judgeLimitations wants a section on each page that is planned to tell them.
func (v *View) judgeLimitations(r *report) {
	usable := v.UsableLimitations()
	for p := range v.plannedPages {
		planned := slices.ContainsFunc(p.Plan.RequiredClaimIDs, func(id string) bool { return slices.Contains(usable, id) })
		if planned && slices.Contains(limited, p.Plan.Role) && !p.hasHeading(Limitations) {
			r.add(0, CodeLimitations, p.Path, "limitations", "the page does not say where the product ends")
		}
	}
}

// fewSymbols is a list that is complete without being exhaustive.
const fewSymbols = 5

func (v *View) exhaustive(p sitePage) bool {
	surface := v.Facts.APISurface
	all := slices.Concat(surface.Classes, surface.Functions, surface.Modules)
	if len(all) < fewSymbols {
		return false
	}
	listed := map[string]bool{}
	for _, line := range p.Lines {
		if text := strings.TrimSpace(line.Text); strings.HasPrefix(text, "- ") {
			listed[strings.Trim(text[2:], "`")] = true
		}
	}
	return !slices.ContainsFunc(all, func(name string) bool { return !listed[name] })
}

// Installs is a command that installs something.
var Installs = regexp.MustCompile(`^\s*(?:\$\s*)?((?:(?:python3?|py) -m )?pip3? install|npm (?:install|i)\b|yarn add|pnpm add|go (?:get|install)\b|dotnet add package|cargo (?:add|install)\b|composer require|gem install|brew install)\s*\S.*$`)

// judgeCommands compares commands in code with those of the manifest. Code of the
// catalogue may have others: it is the repository's own.
func (v *View) judgeCommands(p sitePage, r *report) {
	known := v.commands()
	for _, fence := range p.Fences {
		if !p.newFence(fence) || len(v.catalogued(Normal(fence.Code))) > 0 {
			continue
		}
		for line := range strings.Lines(fence.Code) {
			if command := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "$ ")); Installs.MatchString(command) && !slices.Contains(known, command) {
				r.add(fence.Start, CodeDistribution, p.Path, command, "the product is not installed by %s", quoted(command))
			}
		}
	}
}

// judgePromises looks for formats in headings, title and description that no fact
// of the evidence speaks of.
func (v *View) judgePromises(p sitePage, words vocabulary, r *report) {
	check := func(line int, text string) {
		for _, format := range words.formatsIn(text) {
			if !v.speaksOf(format, words) && !slices.Contains(words.formatsIn(v.Facts.ProductName), format) {
				r.add(line, CodeInference, p.Path, format, "nothing is known about %s, which the page promises", quoted(format))
			}
		}
	}
	for _, title := range p.Titles {
		if p.New(title.Line) {
			check(title.Line, page.Plain(title.Text))
		}
	}
	for _, key := range []string{"title", "description"} {
		if text, is := p.Values[key].(string); is && !v.inBase(p.Path) {
			check(1, text)
		}
	}
}

// speaksOf says whether any fact names a format.
func (v *View) speaksOf(format string, words vocabulary) bool {
	return slices.ContainsFunc(v.Evidence.Claims, func(c artifact.EvidenceClaim) bool {
		return c.TruthStatus == "fact" && slices.Contains(words.formatsIn(c.Text), format)
	})
}
