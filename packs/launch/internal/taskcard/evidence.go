package taskcard

import (
	"fmt"
	"regexp"
	"strings"
)

// leastEvidence is how many bytes a piece of evidence has to have.
const leastEvidence = 100

var (
	checked = regexp.MustCompile(`^\[[xX]\](?:\s|$)`)
	pending = regexp.MustCompile(`(?i)\bpending\b|⏳|🔄|\[ \]|\[~\]`)
)

// checkEvidence asks a finished card for its proof.
func (v *validation) checkEvidence() {
	if v.rules.Evidence == nil || v.report.Card.Status != "Done" {
		return
	}
	acceptance := v.sections["acceptance checks"]
	items := acceptance.items()
	if len(items) == 0 {
		v.fail(EvidenceMissing, acceptance.line, "Acceptance checks", "the card is done, but nothing was checked")
	}
	for _, entry := range items {
		if !checked.MatchString(entry.value) || pending.MatchString(entry.value) {
			v.fail(EvidenceMissing, entry.line, "Acceptance checks", "the card is done, but this is not checked off")
		}
	}
	for _, entry := range v.keys["evidence_required"].list {
		name := plain(entry.value)
		if !isSafe(name) {
			continue // said already
		}
		size, err := v.rules.Evidence(strings.TrimRight(name, "/"))
		switch {
		case err != nil:
			v.fail(EvidenceMissing, entry.line, "", fmt.Sprintf("%q does not exist", name))
		case size < leastEvidence:
			v.fail(EvidenceMissing, entry.line, "", fmt.Sprintf("%q has less than %d bytes", name, leastEvidence))
		}
	}
}
