package lint

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// A Finding is one place where a rule does not hold.
type Finding struct {
	RuleID   string   `json:"ruleId"`
	Slug     string   `json:"slug"`
	Category string   `json:"category"`
	Severity Severity `json:"severity"` // the rule's own if it is left out
	Strength Strength `json:"level"`
	Subject  Subject  `json:"subject"`
	// Message says what is wrong, without naming the subject: findings with the
	// same message are shown as one.
	Message string `json:"message"`
	// Pointer leads to the place in what the server offers: /tools/3/inputSchema.
	Pointer  string   `json:"pointer,omitempty"`
	Evidence Evidence `json:"evidence"`
	Revision string   `json:"revision,omitempty"` // in which it was seen
	SpecRef  string   `json:"specRef,omitempty"`
	// Likely says that the evidence points to it but does not prove it.
	Likely bool   `json:"-"`
	Fix    string `json:"fix"`
}

// A Subject is what a finding is about: {"tool", "read_file", "path"} is a
// parameter of a tool, the zero Subject the server as a whole.
type Subject struct {
	Kind string `json:"kind,omitempty"` // tool, resource, template, prompt, version, method, …
	Name string `json:"name,omitempty"`
	Part string `json:"part,omitempty"` // a parameter, an argument
}

func (s Subject) String() string {
	if s.Kind == "" {
		return "server"
	}
	text := s.Kind + " " + s.Name
	if s.Part != "" {
		text += "." + s.Part
	}
	return text
}

// Evidence is what proves a finding, as it was on the wire.
type Evidence struct {
	Talk     string `json:"talk,omitempty"` // the phase of the talk
	Step     string `json:"step,omitempty"`
	Sent     string `json:"sent,omitempty"`
	Received string `json:"received,omitempty"`
	Status   int    `json:"status,omitempty"` // of HTTP
	Note     string `json:"note,omitempty"`
}

// evidenceBytes is how much of each piece of evidence is kept (B15).
const evidenceBytes = 2 << 10

// Fingerprint names the finding across runs: it does not change with texts,
// times or ids, nor with the place of a named thing in its list.
func (f *Finding) Fingerprint() string {
	pointer := f.Pointer
	if f.Subject.Name != "" {
		pointer = listPlace.ReplaceAllString(pointer, "$1")
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{f.RuleID, f.Subject.Kind, f.Subject.Name, f.Subject.Part, pointer}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// listPlace is the beginning of a pointer into a list.
var listPlace = regexp.MustCompile(`^(/[A-Za-z]+)/[0-9]+`)
