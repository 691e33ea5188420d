// Package linttest holds rules to their fixtures: records in which they fire,
// and records in which they stay quiet.
package linttest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcpworks/lint"
)

// Rules checks every rule of a category. Beside the test, testdata/<ID> has at
// least one fires*.jsonl and one quiet*.jsonl, in the form of lint.ReadRecord.
// Lines that begin with "# want " say what the rule finds, in order:
//
//	# want error tool read_file: has no inputSchema
//
// with the beginning of the message. A quiet record must let the rule pass,
// which is more than not to fire; unverified*.jsonl and inapplicable*.jsonl are
// for records that decide nothing, with their reason in a "# want" line.
func Rules(t *testing.T, rules []*lint.Rule) {
	t.Helper()
	for _, rule := range rules {
		t.Run(rule.ID, func(t *testing.T) {
			texts(t, rule)
			fixtures(t, rule)
		})
	}
}

var (
	idForm   = regexp.MustCompile(`^[A-Z]+-\d{3}$`)
	slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
)

// texts wants a rule to say everything that there is to say.
func texts(t *testing.T, rule *lint.Rule) {
	t.Helper()
	if !idForm.MatchString(rule.ID) || !slugForm.MatchString(rule.Slug) {
		t.Errorf("id %q, slug %q", rule.ID, rule.Slug)
	}
	if rule.Revisions == 0 || rule.Check == nil {
		t.Errorf("no revisions, or no check")
	}
	for name, text := range map[string]string{
		"Title": rule.Title, "What": rule.What, "Why": rule.Why, "Bad": rule.Bad, "Good": rule.Good, "Fix": rule.Fix,
	} {
		if strings.TrimSpace(text) == "" || text != strings.TrimSpace(text) {
			t.Errorf("%s is %q", name, text)
		}
	}
	if rule.Strength != lint.Quality && len(rule.Rests) == 0 {
		t.Errorf("a %v rests on nothing", rule.Strength)
	}
	for _, clause := range rule.Rests {
		if clause.Page == "" || clause.Demand == "" {
			t.Errorf("clause %+v", clause)
		}
	}
}

func fixtures(t *testing.T, rule *lint.Rule) {
	t.Helper()
	folder := filepath.Join("testdata", rule.ID)
	for prefix, status := range map[string]lint.Status{
		"fires": lint.Fail, "quiet": lint.Pass, "unverified": lint.NotVerified, "inapplicable": lint.NotApplicable,
	} {
		files, err := filepath.Glob(filepath.Join(folder, prefix+"*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 0 && (status == lint.Fail || status == lint.Pass) {
			t.Errorf("%s has no %s*.jsonl", folder, prefix)
		}
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) { fixture(t, rule, file, status) })
		}
	}
}

func fixture(t *testing.T, rule *lint.Rule, file string, status lint.Status) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	record, err := lint.ReadRecord(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	var wants []string
	for line := range strings.Lines(string(text)) {
		if want, ok := strings.CutPrefix(line, "# want "); ok {
			wants = append(wants, strings.TrimSpace(want))
		}
	}
	report := lint.Run(record, []*lint.Rule{rule}, lint.Options{})
	if got := report.Results[0]; got.Status != status {
		t.Errorf("%v (%s), want %v", got.Status, got.Reason, status)
	}
	var found []string
	for _, f := range report.Findings {
		found = append(found, f.Severity.String()+" "+f.Subject.String()+": "+f.Message)
	}
	if status != lint.Fail && len(wants) > 0 {
		found = []string{report.Results[0].Reason}
	}
	if status == lint.Fail && len(wants) == 0 {
		t.Error("the fixture has no line that begins with # want")
	}
	if !slices.EqualFunc(found, wants, strings.HasPrefix) {
		t.Errorf("found\n\t%s\nwant\n\t%s", strings.Join(found, "\n\t"), strings.Join(wants, "\n\t"))
	}
}
