package modern

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// spoken are the talks in which the server was spoken to as it wants to be: it
// is not asked to do without, and it does speak this era. If there are none, the
// rule that asks is not about this server.
func spoken(v *lint.View) []*lint.Talk {
	var talks []*lint.Talk
	for _, t := range v.Talks() {
		if t.Phase != step.ModernInitialize && t.Phase != step.Era && t.Phase != step.Locked {
			talks = append(talks, t)
		}
	}
	if len(talks) == 0 || declines(talks) {
		v.NotApplicable("the server does not speak %v", lint.E)
		return nil
	}
	return talks
}

// declines says whether all that the server does in this revision is to answer
// server/discover with a list of other ones.
func declines(talks []*lint.Talk) bool {
	declined := false
	for _, t := range talks {
		for _, m := range t.Messages() {
			if !m.FromServer || !m.HasResult() || m.Asked == nil || !isModern(m.Asked) {
				continue
			}
			if m.MethodName() != mcp.MethodDiscover {
				return false
			}
			versions, _ := texts(lint.Member(m.Result, "supportedVersions"))
			declined = slices.ContainsFunc(versions, lint.Legacy.Has) && !slices.ContainsFunc(versions, lint.E.Has)
		}
	}
	return declined
}

// talks are those of a phase among them.
func talks(v *lint.View, phase string) []*lint.Talk {
	var talks []*lint.Talk
	for _, t := range spoken(v) {
		if t.Phase == phase {
			talks = append(talks, t)
		}
	}
	return talks
}

// steps are all steps of a name in these talks that were taken.
func steps(v *lint.View, name string) []*lint.Step {
	var steps []*lint.Step
	for _, t := range spoken(v) {
		for _, s := range t.StepsOf(name) {
			if s.Outcome != lint.NotSent {
				steps = append(steps, s)
			}
		}
	}
	return steps
}

// received are the messages of the server in these talks.
func received(v *lint.View) []*lint.Message {
	var messages []*lint.Message
	for _, t := range spoken(v) {
		for _, m := range t.Messages() {
			if m.FromServer && m.Kind != lint.Noise {
				messages = append(messages, m)
			}
		}
	}
	return messages
}

// results are the answers among them that are no errors, to requests that name
// this revision. What a server makes of others, it makes in a form of its own.
func results(v *lint.View) []*lint.Message {
	var answers []*lint.Message
	for _, m := range received(v) {
		if m.HasResult() && m.Asked != nil && isModern(m.Asked) {
			answers = append(answers, m)
		}
	}
	return answers
}

// discoveries are the results of server/discover.
func discoveries(v *lint.View) []*lint.Message {
	var answers []*lint.Message
	for _, m := range results(v) {
		if m.MethodName() == mcp.MethodDiscover {
			answers = append(answers, m)
		}
	}
	return answers
}

// dual says whether the server speaks a legacy revision as well.
func dual(v *lint.View) bool {
	for _, t := range v.Record().Talks {
		if t.Phase == step.Main && lint.Legacy.Has(t.Revision) {
			return true
		}
	}
	return false
}

// about is the method of a message as a subject.
func about(method string) lint.Subject { return lint.Subject{Kind: "method", Name: method} }
