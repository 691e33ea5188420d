package lint

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

// A View is the record as one rule sees it: the talks in which the rule holds.
// What the rule finds out, it tells the view.
//
// A rule that has found nothing has passed only if it has seen something that
// could have failed; otherwise it is not verified.
type View struct {
	record *Record
	rule   *Rule
	talks  []*Talk

	findings   []Finding
	more       int // findings that there was no room for
	seen       int
	unverified string
	pointless  string
}

// Record is the whole of it, for the few rules that compare across eras.
func (v *View) Record() *Record { return v.record }

// Talks are those to which the rule applies, in the given phases or in all.
func (v *View) Talks(phases ...string) []*Talk {
	if len(phases) == 0 {
		return v.talks
	}
	var talks []*Talk
	for _, t := range v.talks {
		if slices.Contains(phases, t.Phase) {
			talks = append(talks, t)
		}
	}
	return talks
}

// Messages are those of all its talks.
func (v *View) Messages() []*Message {
	var messages []*Message
	for _, t := range v.talks {
		messages = append(messages, t.messages...)
	}
	return messages
}

// Received are the messages that the server has sent, noise left out.
func (v *View) Received() []*Message {
	var received []*Message
	for _, m := range v.Messages() {
		if m.FromServer && m.Kind != Noise {
			received = append(received, m)
		}
	}
	return received
}

// Steps are all steps of a name, in its talks. Those that were never taken are
// left out.
func (v *View) Steps(name string) []*Step {
	var steps []*Step
	for _, t := range v.talks {
		for _, s := range t.StepsOf(name) {
			if s.Outcome != NotSent {
				steps = append(steps, s)
			}
		}
	}
	return steps
}

// Answers are the answers to the steps of a name. A step without one, and a
// method that does not exist, are the business of other rules.
func (v *View) Answers(name string) []*Message {
	var answers []*Message
	for _, s := range v.Steps(name) {
		switch answer := s.Answer(); {
		case answer == nil:
			v.NotVerified("the step %q was not answered (RPC-012)", s.Name)
		case answer.Code() == jsonrpc.MethodNotFound:
			v.NotVerified("the server has no such method (LIFE-009)")
		default:
			answers = append(answers, answer)
		}
	}
	return answers
}

// Saw says that there was something that could have failed.
func (v *View) Saw() { v.seen++ }

// NotVerified says why the rule cannot be decided. It counts for nothing if the
// rule has findings; a rule that has seen enough must not call it.
func (v *View) NotVerified(format string, args ...any) {
	if v.unverified == "" {
		v.unverified = fmt.Sprintf(format, args...)
	}
}

// NotApplicable says why the rule is not about this server.
func (v *View) NotApplicable(format string, args ...any) {
	if v.pointless == "" {
		v.pointless = fmt.Sprintf(format, args...)
	}
}

// Fail adds a finding. Subject, Message and Evidence are the rule's to say; the
// severity is the rule's own if it is left out.
func (v *View) Fail(f Finding) {
	f.RuleID, f.Slug, f.Category, f.Strength = v.rule.ID, v.rule.Slug, v.rule.Category(), v.rule.Strength
	if f.Severity == Off {
		f.Severity = v.rule.Severity
	}
	if f.Fix == "" {
		f.Fix = v.rule.Fix
	}
	for _, text := range []*string{&f.Subject.Name, &f.Subject.Part, &f.Message, &f.Pointer, &f.Evidence.Sent, &f.Evidence.Received, &f.Evidence.Note} {
		*text = excerpt(*text)
	}
	f.SpecRef = v.reference(f.Revision)
	if len(v.findings) >= maxFindings {
		v.more++
		return
	}
	v.findings = append(v.findings, f)
}

// maxFindings is how many findings of one rule are kept; the others are counted.
const maxFindings = 1000

// Failf adds a finding about a message or a step. of is a *Message, *Step,
// *Talk or Item; the evidence and the revision are taken from it.
func (v *View) Failf(of Source, subject Subject, format string, args ...any) {
	v.Fail(Finding{Subject: subject, Message: fmt.Sprintf(format, args...), Evidence: of.Evidence(), Revision: of.revision()})
}

// FailAs is Failf with a severity of its own.
func (v *View) FailAs(severity Severity, of Source, subject Subject, format string, args ...any) {
	v.Fail(Finding{Severity: severity, Subject: subject, Message: fmt.Sprintf(format, args...), Evidence: of.Evidence(), Revision: of.revision()})
}

// reference is the address of the clause that holds in a revision.
func (v *View) reference(version string) string {
	for _, clause := range v.rule.Rests {
		switch urls := clause.URLs(); {
		case clause.Revisions == 0:
			return clause.Page
		case clause.Revisions.Has(version):
			return "https://modelcontextprotocol.io/specification/" + version + "/" + clause.Page
		case version == "":
			return urls[len(urls)-1]
		}
	}
	return ""
}

// beginning is as much of a text as evidence can use: texts are long, and
// findings many.
func beginning(raw []byte) string { return string(raw[:min(len(raw), evidenceBytes+utf8.UTFMax)]) }

// excerpt is the beginning of a text, in valid UTF-8.
func excerpt(text string) string {
	return bounded.Bytes(strings.ToValidUTF8(text, "�"), evidenceBytes-len("…"), "…")
}

// A Source is something in a record that can prove a finding.
type Source interface {
	Evidence() Evidence
	revision() string
}

// Evidence shows the message with what it answers. The step is the one that
// asked: in which of the next ones an answer arrives is a matter of luck.
func (m *Message) Evidence() Evidence {
	e := Evidence{Talk: m.Talk().Phase, Step: m.Step.Label()}
	if m.Asked != nil {
		e.Step = m.Asked.Step.Label()
	}
	if m.HTTP != nil {
		e.Status = m.HTTP.Status
	}
	switch {
	case !m.FromServer:
		e.Sent = beginning(m.Raw)
		if m.Answer != nil {
			e.Received = beginning(m.Answer.Raw)
		}
	default:
		e.Received = beginning(m.Raw)
		if m.Asked != nil {
			e.Sent = beginning(m.Asked.Raw)
		}
	}
	return e
}

func (m *Message) revision() string { return m.Talk().Revision }

// Label is the name of the step with its subject.
func (s *Step) Label() string {
	if s.About == "" {
		return s.Name
	}
	return s.Name + " " + s.About
}

// Evidence shows what was asked in the step and what came of it.
func (s *Step) Evidence() Evidence {
	e := Evidence{}
	if x := s.Exchange(); x != nil {
		e = x.evidence()
	} else if asked := s.Asked(); asked != nil {
		e = asked.Evidence()
	}
	e.Talk, e.Step = s.talk.Phase, s.Label()
	switch s.Outcome {
	case Silent:
		e.Note = "no answer in time"
	case Lost:
		e.Note = "the connection ended"
	}
	return e
}

func (s *Step) revision() string { return s.talk.Revision }

// evidence shows an exchange as people write HTTP. When it was is no part of it:
// no two runs have that in common.
func (x *Exchange) evidence() Evidence {
	var sent, received strings.Builder
	fmt.Fprintf(&sent, "%s %s\n", x.Method, lastingURL(x.URL))
	_ = lasting(x.Header).Write(&sent)
	fmt.Fprintf(&sent, "\n%s", beginning(x.Body))
	if x.Status != 0 {
		fmt.Fprintf(&received, "%d\n", x.Status)
		_ = x.Response.WriteSubset(&received, map[string]bool{"Date": true})
		fmt.Fprintf(&received, "\n%s", beginning(x.Answer))
	}
	return Evidence{Sent: sent.String(), Received: received.String(), Status: x.Status, Note: x.Err}
}

// lasting is a header without what no two runs have in common.
func lasting(header http.Header) http.Header {
	kept := header.Clone()
	kept.Del("Date")
	if kept.Get("Mcp-Session-Id") != "" {
		kept.Set("Mcp-Session-Id", "…")
	}
	return kept
}

// lastingURL is an address without the values in its query, which is where
// HTTP+SSE has its sessions.
func lastingURL(address string) string {
	path, query, ok := strings.Cut(address, "?")
	if !ok {
		return address
	}
	return path + "?" + queryValue.ReplaceAllString(query, "=…")
}

var queryValue = regexp.MustCompile(`=[^&]*`)

// Evidence shows why the talk ended, if it did.
func (t *Talk) Evidence() Evidence { return Evidence{Talk: t.Phase, Note: t.Failure} }

func (t *Talk) revision() string { return t.Revision }

// An Item is an element of one of the server's lists.
type Item struct {
	Raw     []byte
	Index   int    // in the whole list
	Name    string // of a tool or prompt; the URI of a resource, or of a template
	Pointer string // /tools/3
	Message *Message
}

// Evidence shows the item itself.
func (i Item) Evidence() Evidence {
	e := i.Message.Evidence()
	e.Sent, e.Received = "", beginning(i.Raw)
	return e
}

func (i Item) revision() string { return i.Message.revision() }

// Subject is the item as what a finding is about.
func (i Item) Subject() Subject {
	kind := map[string]string{"tools": "tool", "resources": "resource", "resourceTemplates": "template", "prompts": "prompt"}
	member, _, _ := strings.Cut(i.Pointer[1:], "/")
	return Subject{Kind: kind[member], Name: i.Name}
}

// The members that hold the items of lists, and the names of the items, by
// method.
var listed = map[string]struct{ member, name string }{
	"tools/list":               {"tools", "name"},
	"resources/list":           {"resources", "uri"},
	"resources/templates/list": {"resourceTemplates", "uriTemplate"},
	"prompts/list":             {"prompts", "name"},
}

// Items are the elements of a list, as the main talks have it: one after the
// other if there is one for each era. Saw is for the rule to call.
func (v *View) Items(method string) []Item {
	var items []Item
	for _, t := range v.Talks(step.Main) {
		items = append(items, t.Items(step.List, method)...)
	}
	return items
}

// Items are the elements of a list that was read in steps of a name: one step
// for each page.
func (t *Talk) Items(stepName, method string) []Item {
	var items []Item
	for _, s := range t.StepsOf(stepName) {
		if s.About != method {
			continue
		}
		answer := s.Answer()
		if answer == nil {
			continue
		}
		list := Member(answer.Result, listed[method].member)
		if rawjson.KindOf(list) != rawjson.Array {
			continue
		}
		for raw := range rawjson.Elements(list) {
			name, _ := Text(Member(raw, listed[method].name))
			items = append(items, Item{
				Raw: raw, Index: len(items), Name: name, Message: answer,
				Pointer: "/" + listed[method].member + "/" + strconv.Itoa(len(items)),
			})
		}
	}
	return items
}
