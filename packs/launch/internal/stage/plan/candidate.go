package plan

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/stage/write/body"
)

// A candidate is a page that there may be room for.
type candidate struct {
	slug, subject, task string
	claims              []body.Claim
	snippets            []artifact.Snippet
	symbols             int
	// flaw is why it cannot be a page, whatever room there is.
	flaw string
	// fromProduct is a claim that the product's page would have otherwise.
	fromProduct bool
}

// quality is how much a page would have to say (6.4(5)).
func (c candidate) quality() int { return 2*len(c.claims) + 3*len(c.snippets) + c.symbols }

// mostCandidates bounds how many pages of a kind are thought about: those whose
// evidence is read first.
const mostCandidates = 100

// take adds the best candidates to the sections with a policy for them, and
// records the others.
func (p *planner) take(source string, candidates []candidate) {
	for _, s := range p.sections {
		for _, policy := range s.Optional {
			if policy.Source == source {
				p.takeInto(s, policy.Role, candidates)
			}
		}
	}
}

func (p *planner) takeInto(s *section, role string, candidates []candidate) {
	candidates = slices.SortedStableFunc(slices.Values(candidates), func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.quality(), a.quality()), cmp.Compare(a.slug, b.slug))
	})
	for _, c := range candidates {
		reason := c.flaw
		switch {
		case reason != "":
		case len(s.pages) >= s.quota.TierAdjustedMax:
			reason = "the section has no room for it"
		case slices.ContainsFunc(s.pages, func(page *page) bool { return page.Slug == c.slug }):
			reason = "another page has its name"
		case c.fromProduct && len(s.pages) >= s.MinPages && p.leads(c.claims[0]):
			reason = "the product's page says it"
		case s.ID != blog && p.given[c.claims[0].ID]:
			reason = "another page says it"
		}
		if reason != "" || !p.addCandidate(s, role, c) {
			p.rejected = append(p.rejected, artifact.RejectedCandidate{Section: s.ID, Slug: c.slug, Reason: cmp.Or(reason, "there is no template for it")})
		}
	}
}

func (p *planner) addCandidate(s *section, role string, c candidate) bool {
	page := p.addPage(s, c.slug, role, c.subject)
	if page == nil {
		return false
	}
	page.task = c.task
	for _, snippet := range c.snippets {
		p.show(page, snippet)
	}
	for _, claim := range c.claims {
		if (!p.given[claim.ID] || s.ID == blog) && p.showsWhat(claim, page.SnippetIDs) {
			p.give(page, claim)
		}
	}
	return true
}

// leads says that a claim is one of the first features that no page has yet, as
// many as there is room for on the product's page.
func (p *planner) leads(claim body.Claim) bool {
	const room = 5 // of ten claims, beside the introduction and the limits
	n := 0
	for _, other := range p.library.Claims() {
		if !isFeature(other.Category) || other.IsRow() || p.given[other.ID] {
			continue
		}
		if n++; other.ID == claim.ID {
			return n <= room
		}
	}
	return false
}

// longTask is how many sentences a task has at least that the guide does not tell.
const longTask = 4

// taskCandidates are tasks with enough to say for a page of their own.
func (p *planner) taskCandidates() []candidate {
	var all []candidate
	for _, task := range p.library.Tasks() {
		c := candidate{slug: body.TaskSlug(task), subject: body.Plain(task.Title), task: task.Tag, claims: p.claimsOf(task), snippets: p.usable(task, codePerTask)}
		switch {
		case c.slug == "":
			continue
		case len(c.claims) < longTask && !p.isProcedure(task) || len(c.snippets) == 0:
			c.flaw = "the guide has all of its steps"
		}
		c.claims = c.claims[:min(len(c.claims), longText)]
		all = append(all, c)
	}
	return all
}

// fewSteps is how many steps make a procedure.
const fewSteps = 3

// isProcedure says that a task is a list of steps, which name what they say.
func (p *planner) isProcedure(task artifact.Workflow) bool {
	n := 0
	for _, step := range task.Steps {
		claim, ok := p.library.Claim(step.ClaimID)
		n += boolInt(ok && step.Name == claim.Text)
	}
	return n >= fewSteps
}

func (p *planner) claimsOf(task artifact.Workflow) []body.Claim {
	return slices.DeleteFunc(slices.Clone(p.library.Claims()), func(c body.Claim) bool {
		return c.Category != body.Workflow || p.library.TaskOf(c.ID) != task.Tag
	})
}

// howToCandidates are features that a snippet shows (6.4(5)).
func (p *planner) howToCandidates() []candidate {
	taken := map[string]bool{}
	var all []candidate
	for _, claim := range p.library.Claims() {
		if !isFeature(claim.Category) || claim.Category == body.Trouble || claim.IsRow() || len(all) == mostCandidates {
			continue
		}
		action, subject, ok := actionOf(claim.Text, p.in.Facts.ProductName)
		if !ok {
			continue
		}
		c := candidate{slug: "how-to-" + body.Slug(subject, 8), subject: subject, claims: []body.Claim{claim}, fromProduct: true, flaw: "no snippet shows it"}
		if snippet, found := p.shows(claim, action, taken); found {
			taken[snippet.ID] = true
			c.flaw, c.snippets = "", []artifact.Snippet{snippet}
			c.claims = append(c.claims, p.namesIn(snippet, action)...)
		}
		all = append(all, c)
	}
	return all
}

// shows finds the snippet that shows a feature best: it has the action of the
// claim and one more of its words.
func (p *planner) shows(claim body.Claim, action string, taken map[string]bool) (best artifact.Snippet, found bool) {
	words, most := p.words[claim.ID], 1
	for _, snippet := range p.catalog() {
		code := p.words[snippet.ID]
		_, acts := slices.BinarySearch(code, action)
		if n := body.Shared(words, code); acts && n > most && !taken[snippet.ID] {
			best, most, found = snippet, n, true
		}
	}
	return best, found
}

var camel = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// splitNames takes names in code apart: readAll and read_all are two words.
func splitNames(code string) string { return camel.ReplaceAllString(code, "$1 $2") }

// mostNames is how many claims about names in its code a page of one feature has.
const mostNames = 2

// namesIn are claims about public names that a snippet uses for an action.
func (p *planner) namesIn(snippet artifact.Snippet, action string) []body.Claim {
	var found []body.Claim
	for _, claim := range p.library.Claims() {
		if claim.Category != body.API && claim.Category != body.Code || len(found) == mostNames {
			continue
		}
		if name, ok := nameIn(claim.Text); ok && slices.Contains(body.Words(splitNames(name)), action) && strings.Contains(snippet.Code, name) {
			found = append(found, claim)
		}
	}
	return found
}

var quoted = regexp.MustCompile("`([A-Za-z_][A-Za-z0-9_.]*)`")

// nameIn is the first name in backticks that a claim has.
func nameIn(text string) (string, bool) {
	if found := quoted.FindStringSubmatch(text); found != nil {
		return found[1], true
	}
	return "", false
}

// featureCandidates are features with enough to say that no page has yet.
func (p *planner) featureCandidates() []candidate {
	var all []candidate
	for _, claim := range p.library.Claims() {
		if claim.Category != body.Feature || p.given[claim.ID] || len(all) == mostCandidates {
			continue
		}
		subject := strings.TrimSuffix(body.Plain(claim.Text), ".")
		c := candidate{slug: body.Slug(subject, 8), subject: subject, claims: p.related(claim), flaw: "there are too few claims about it"}
		if len(c.claims) >= 3 {
			c.flaw = ""
		}
		if c.slug != "" {
			all = append(all, c)
		}
	}
	return all
}

// related is a claim with those that no page has yet and that share three words
// with it.
func (p *planner) related(claim body.Claim) []body.Claim {
	words, found := p.words[claim.ID], []body.Claim{claim}
	for _, other := range p.library.Claims() {
		if other.ID != claim.ID && !p.given[other.ID] && len(found) < 8 && body.Shared(words, p.words[other.ID]) >= 3 {
			found = append(found, other)
		}
	}
	return found
}

// A page about one name has this many claims at least, and at most.
const fewAboutName, manyAboutName = 4, 30

// symbolCandidates are public names that several claims without a page speak of.
func (p *planner) symbolCandidates() []candidate {
	var all []candidate
	surface := p.in.Facts.APISurface
	names := slices.Concat(surface.Classes, surface.Functions)
	for _, name := range names[:min(len(names), mostCandidates)] {
		c := candidate{slug: body.Slug(splitNames(name), 8), subject: body.Plain(name), symbols: 1, flaw: "there are too few claims about it"}
		for _, claim := range p.library.Claims() {
			if !p.given[claim.ID] && len(c.claims) < manyAboutName && (strings.Contains(claim.Text, "`"+name+"`") || claim.Category == body.Method && strings.Contains(claim.Text, "`"+name+".")) {
				c.claims = append(c.claims, claim)
			}
		}
		if len(c.claims) >= fewAboutName {
			c.flaw = ""
		}
		if c.slug != "" {
			all = append(all, c)
		}
	}
	return all
}

// deepCandidates are tasks that are worth a closer look in the blog.
func (p *planner) deepCandidates() []candidate {
	if p.volume.Score <= deepScore {
		return nil
	}
	var all []candidate
	for _, task := range p.library.Tasks() {
		c := candidate{slug: "in-depth-" + body.TaskSlug(task), subject: body.Plain(task.Title), task: task.Tag, claims: p.claimsOf(task), snippets: p.usable(task, 1)}
		if len(c.claims) < 10 {
			c.flaw = "there are too few claims about it"
		}
		c.claims = c.claims[:min(len(c.claims), 20)]
		all = append(all, c)
	}
	return all
}
