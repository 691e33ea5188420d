package resources

import (
	"bytes"
	"slices"
	"strings"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var traversal = lint.Rule{
	ID: "RES-012", Slug: "traversal",
	Title:    "a URI with .. in its path leads to no file outside of what is offered",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Probe, Needs: "resources",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/resources#security-considerations", Demand: "Servers validate every URI that they are asked to read, and keep to what they mean to share."}},
	What:  "Puts a file with a known text into a temporary folder, and reads it by way of a listed file: URI and of templates, climbing with .. in plain and in percent-encoded form. No answer may contain the text. Only done with servers on this machine that offer file: URIs or templates; the file is removed afterwards.",
	Why:   "Whoever can make a client read a URI, such as a web page that a model follows, can read keys and passwords through a server that joins paths without looking.",
	Bad:   `reading "file:///srv/notes/../../etc/passwd" gives {"contents":[{"text":"root:x:0:0…"}]}`,
	Good:  `reading "file:///srv/notes/../../etc/passwd" gives {"error":{"code":-32002,"message":"unknown resource"}}`,
	Fix:   "Decode the path, clean it, resolve symbolic links, and then check that it lies in an allowed folder; in Go, open files through os.Root.",
	Check: func(v *lint.View) {
		for _, answer := range v.Answers(step.ReadTraversal) {
			v.Saw()
			for _, content := range contents(answer.Result) {
				if data, _ := bytesOf(content); bytes.Contains(data, []byte(step.OutsideText)) {
					v.Failf(answer, lint.Subject{}, "a file outside of what is offered can be read: %s", answer.Asked.Step.About)
					break
				}
			}
		}
		switch target := v.Record().Target; {
		case target.URL != "" && !target.Loopback:
			v.NotVerified("the server runs on another machine, where no file can be put")
		case len(v.Steps(step.ReadTraversal)) == 0 && !offersFiles(v):
			v.NotApplicable("the server offers neither file: URIs nor templates")
		}
	},
}

// offersFiles says whether there is something to climb out of.
func offersFiles(v *lint.View) bool {
	return slices.ContainsFunc(listed(v), func(item lint.Item) bool {
		return item.Subject().Kind == "template" || strings.HasPrefix(strings.ToLower(item.Name), "file:")
	})
}
