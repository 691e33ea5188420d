package lifecycle

import (
	"slices"

	"mcpworks/internal/bounded"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// An offer is one initialize of a version, with what the server made of it.
type offer struct {
	asked    string
	answered string // empty without a result that names a version
	step     *lint.Step
}

// offers are those of the main talk and of the talks about versions.
func offers(v *lint.View) []offer {
	var all []offer
	for _, t := range v.Talks(step.Main, step.Version) {
		for _, s := range t.StepsOf(step.Initialize) {
			if asked := request(s, mcp.MethodInitialize); asked != nil && s.Outcome != lint.NotSent {
				all = append(all, offer{version(asked.Params), answeredVersion(asked), s})
			}
		}
	}
	return all
}

func answeredVersion(asked *lint.Message) string {
	if asked.Answer == nil {
		return ""
	}
	return version(asked.Answer.Result)
}

func version(object []byte) string {
	text, _ := lint.Text(lint.Member(object, "protocolVersion"))
	return text
}

// unknownOffer is the one of a version that never was.
func unknownOffer(all []offer) (o offer, ok bool) {
	i := slices.IndexFunc(all, func(o offer) bool { return o.asked == step.UnknownVersion })
	if i < 0 {
		return offer{}, false
	}
	return all[i], true
}

// spoken are the legacy versions that the server has answered with, oldest
// first.
func spoken(all []offer) []string {
	var versions []string
	for _, version := range lint.Legacy.Versions() {
		if slices.ContainsFunc(all, func(o offer) bool { return o.answered == version }) {
			versions = append(versions, version)
		}
	}
	return versions
}

// shutOut says whether the server refuses every client but the first, whatever
// that asks for (HTTP-052). Then the refusal of a further one says nothing else.
func shutOut(v *lint.View) bool {
	return slices.ContainsFunc(v.Talks(step.HTTPSessions), func(t *lint.Talk) bool {
		s := t.Step(step.Initialize, "")
		return s != nil && refused(s)
	})
}

const onlyOneClient = "the server refuses every client but the first (HTTP-052)"

// brief keeps what a server calls a version short enough for a message.
func brief(version string) string { return bounded.Bytes(version, 40, "…") }
