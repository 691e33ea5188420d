package gate

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate/page"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/stage/write/body"
)

// truthlock demands a claim for every statement, and evidence for every claim
// (10.2).
func truthlock(ctx context.Context, v *View, r *report) {
	words, withheld := v.vocabulary(), v.withheld()
	for p := range v.changedPages {
		for _, line := range p.Lines {
			if ctx.Err() != nil {
				return
			}
			if !line.New || line.Kind == page.Code || line.Kind == page.Front || line.Kind == page.Blank {
				continue
			}
			v.judgeMarkers(p, line, withheld, r)
			if line.Kind == page.Heading || len(Markers(line.Bare)) > 0 || len(OddMarkers(line.Bare)) > 0 || v.exempt(p, line.Text) {
				continue
			}
			if said := Said(line.Text); words.states(said) {
				r.add(line.Number, CodeUncited, p.Path, said, "the line states something without a claim: %s", quoted(said))
			}
		}
	}
}

// withheld are the claims that no page may have, because others contradict them.
func (v *View) withheld() map[string]bool { return body.Withheld(v.Evidence) }

func (v *View) judgeMarkers(p sitePage, line page.Line, withheld map[string]bool, r *report) {
	for _, odd := range OddMarkers(line.Bare) {
		r.add(line.Number, CodeInvalidClaim, p.Path, odd, "the marker %s is malformed", quoted(odd))
	}
	said, all := Said(line.Text), ""
	ids := Markers(line.Bare)
	for _, id := range ids {
		claim, known := v.Claim(id)
		report := func(code, format string, args ...any) {
			r.add(line.Number, code, p.Path, id, format, args...).ClaimID = id
		}
		switch {
		case !known:
			report(CodeInvalidClaim, "there is no claim %.12s", id)
			return
		case withheld[id]:
			report(CodeContradicted, "claim %.12s is contradicted and must not be used", id)
		case claim.Audience != "user_facing":
			report(CodeInvalidClaim, "claim %.12s is not meant for users", id)
		case !v.proven(claim):
			report(CodeEvidence, "claim %.12s has no evidence that allows its use", id)
		}
		if Overlap(said, claim.Text) < 0.5 && Overlap(claim.Text, said) < 0.5 {
			r.addAs(issue.Error, line.Number, CodeMismatch, p.Path, id, "the line does not say what claim %.12s says", id).ClaimID = id
			return
		}
		all += " " + claim.Text
	}
	if len(ids) > 0 && (Overlap(said, all) < 0.5 || Turned(said, all)) {
		r.addAs(issue.Error, line.Number, CodeMismatch, p.Path, strings.Join(ids, " "), "the line says something else than its claims do: %s", quoted(said)).ClaimID = ids[0]
	}
}

// delicate is what must never be inferred.
var delicate = regexp.MustCompile(`(?i)\b(?:secur\w*|encrypt\w*|complian\w*|gdpr|hipaa|certif\w*|performan\w*|fast(?:er|est)?|benchmark\w*)\b`)

// proven says whether a claim is a fact with a citation that holds, or an
// inference that the run allows.
func (v *View) proven(claim artifact.EvidenceClaim) bool {
	if claim.TruthStatus != "fact" {
		return v.Config.AllowInference && claim.Kind != "format" && !delicate.MatchString(claim.Text)
	}
	if len(claim.Citations) == 0 {
		return false
	}
	return v.Repo == nil || slices.ContainsFunc(claim.Citations, func(c artifact.Citation) bool { return v.citedWords(c).Say(claim.Text) })
}
