package fix_test

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/fix"
	"mcpworks/packs/launch/internal/gate/gatetest"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/patch"
)

// A site is one in memory, without a fence.
type site map[string]string

func (s site) Decide(string) error               { return nil }
func (s site) Names(string) ([]string, error)    { return slices.Sorted(maps.Keys(s)), nil }
func (s site) Write(path string, b []byte) error { s[path] = string(b); return nil }
func (s site) Remove(path string) error          { delete(s, path); return nil }
func (s site) Read(path string, _ int64) ([]byte, error) {
	if text, has := s[path]; has {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

func validate(t *testing.T, in gate.Input) (*gate.View, artifact.ValidationReport) {
	t.Helper()
	v := gate.NewView(in)
	report, err := gate.Validate(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	return v, report
}

// applied is the input after a fix: its patches come after those of the bundle,
// and all of them are applied to the base.
func applied(t *testing.T, run *gatetest.Run, in gate.Input, patches []artifact.Patch) gate.Input {
	t.Helper()
	var bundle artifact.PatchBundle
	if err := artifact.Decode(in.Documents[artifact.PatchBundleName], &bundle); err != nil {
		t.Fatal(err)
	}
	bundle.Patches = append(bundle.Patches, patches...)
	sealed, _, err := patch.Seal(site(run.Base), bundle.BaseSHA, bundle.Patches, patch.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	after := site(maps.Clone(run.Base))
	if _, err := patch.Apply(after, sealed, patch.Rules{}); err != nil {
		t.Fatal(err)
	}
	in.Documents = maps.Clone(in.Documents)
	gatetest.Put(t, &in, artifact.PatchBundleName, sealed)
	in.Site, in.Changed = gatetest.Tree(after), nil
	for file := range after {
		if run.Base[file] != after[file] {
			in.Changed = append(in.Changed, file)
		}
	}
	return in
}

func ids(report artifact.ValidationReport) []string {
	var all []string
	for _, i := range report.Issues {
		all = append(all, i.ID)
	}
	return all
}

// stubborn are faults that have a code with a rule, which cannot help here.
var stubborn = []string{"line ends", "other name in the facts"}

// each rule turns its failing fixture green, and makes no new issue.
func TestRules(t *testing.T) {
	for _, f := range gatetest.Faults {
		if !gate.Fixable(f.Code) || slices.Contains(stubborn, f.Name) {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			run := gatetest.New(t, "prod")
			drafts := maps.Clone(run.Site)
			f.Break(run)
			in := run.Input()
			v, before := validate(t, in)
			at := slices.IndexFunc(before.Issues, func(i issue.Issue) bool { return i.Gate == f.Gate && i.Code == f.Code })
			patches, err := fix.Patches(v, before.Issues[at], drafts)
			if err != nil || len(patches) == 0 {
				t.Fatalf("no patches: %v", err)
			}
			for _, p := range patches {
				if p.Origin != patch.OriginFix || p.IssueID != before.Issues[at].ID || p.Path != before.Issues[at].Location.Path {
					t.Errorf("%+v", p)
				}
			}
			fixed := applied(t, run, in, patches)
			_, after := validate(t, fixed)
			if slices.Contains(ids(after), before.Issues[at].ID) {
				t.Error("the issue is still there")
			}
			for _, i := range after.Issues {
				if !slices.Contains(ids(before), i.ID) {
					t.Errorf("new: %s %s %s", i.Code, i.Location.Path, i.Message)
				}
			}
			claimsOnly(t, v, fixed)
			if t.Failed() {
				text, _ := fs.ReadFile(fixed.Site, before.Issues[at].Location.Path)
				t.Logf("%s", text)
			}
		})
	}
}

// 10.4: all statements of a fixed page are claims of its plan, or were there.
func claimsOnly(t *testing.T, v *gate.View, fixed gate.Input) {
	t.Helper()
	now := gate.NewView(fixed)
	for _, file := range fixed.Changed {
		plan, before := v.Planned(file), ""
		if old, err := v.Page(file); err == nil {
			before = old.Text
		}
		page, err := now.Page(file)
		if err != nil || plan == nil {
			continue
		}
		for _, id := range gate.ClaimsOn(page) {
			if !strings.Contains(before, id) && !slices.Contains(plan.RequiredClaimIDs, id) {
				t.Errorf("%s got claim %.12s, which is not in its plan", file, id)
			}
		}
	}
}

// The codes that gates call fixable are those that have a rule.
func TestEveryFixableCodeHasAFixture(t *testing.T) {
	covered := map[string]bool{}
	for _, f := range gatetest.Faults {
		covered[f.Code] = true
	}
	if !slices.Equal(fix.Codes(), gate.FixableCodes()) {
		t.Errorf("rules for %v, fixable are %v", fix.Codes(), gate.FixableCodes())
	}
	for _, code := range fix.Codes() {
		if !covered[code] {
			t.Errorf("%s has no fixture", code)
		}
	}
}

func TestUnfixable(t *testing.T) {
	for _, f := range gatetest.Faults {
		if gate.Fixable(f.Code) && !slices.Contains(stubborn, f.Name) {
			continue
		}
		run := gatetest.New(t, "prod")
		f.Break(run)
		v, report := validate(t, run.Input())
		for _, i := range report.Issues {
			if i.Gate == f.Gate && i.Code == f.Code {
				if _, err := fix.Patches(v, i, nil); !errors.Is(err, fix.ErrUnfixable) {
					t.Errorf("%s: %v", f.Name, err)
				}
			}
		}
	}
}

// S-9, 10.4: the loop takes one issue at a time and ends with a verdict that is
// ok, whatever is broken at once.
func TestLoop(t *testing.T) {
	run := gatetest.New(t, "ci")
	drafts := maps.Clone(run.Site)
	for _, name := range []string{"broken address", "statement without a claim", "token without a value", "no description", "other language", "heading level left out"} {
		at := slices.IndexFunc(gatetest.Faults, func(f gatetest.Fault) bool { return f.Name == name })
		gatetest.Faults[at].Break(run)
	}
	in := run.Input()
	attempts := 0
	for {
		v, report := validate(t, in)
		next, more := fix.Next(report, run.Config.CIStrictness)
		if !more {
			if !report.OK {
				t.Errorf("%+v", report.Issues)
			}
			break
		}
		if attempts++; attempts > 10 {
			t.Fatalf("no end: %+v", next)
		}
		patches, err := fix.Patches(v, next, drafts)
		if err != nil {
			t.Fatalf("%s: %v", next.Code, err)
		}
		in = applied(t, run, in, patches)
		if _, after := validate(t, in); slices.Contains(ids(after), next.ID) || len(after.Issues) >= len(report.Issues) {
			t.Fatalf("%s was not put right", next.Code)
		}
	}
	if attempts != 6 {
		t.Errorf("%d attempts", attempts)
	}
}

func TestNext(t *testing.T) {
	make := func(gateName string, severity issue.Severity, code string, status issue.Status) issue.Issue {
		i := issue.New(gateName, severity, code, "a.md", "", "x")
		i.Fixable, i.Status = gate.Fixable(code), status
		return i
	}
	issues := []issue.Issue{
		make(gate.XSS, issue.Blocker, gate.CodeScriptTag, issue.Open),
		make(gate.InternalLinks, issue.Error, gate.CodeLinkInternal, issue.Unfixable),
		make(gate.MarkdownLint, issue.Warn, gate.CodeLint, issue.Open),
		make(gate.InternalLinks, issue.Warn, gate.CodeLinkAnchor, issue.Open),
	}
	for _, c := range []struct{ profile, strictness, want string }{
		{"local", "strict", ""}, {"ci", "relaxed", ""}, {"ci", "strict", gate.CodeLinkAnchor}, {"prod", "", gate.CodeLint},
	} {
		got, _ := fix.Next(artifact.ValidationReport{Profile: c.profile, Issues: issues}, c.strictness)
		if got.Code != c.want {
			t.Errorf("%s %s: %q", c.profile, c.strictness, got.Code)
		}
	}
}

// 10.4: a page that the run has not planned gets no new text.
func TestUnplannedStatementIsTakenAway(t *testing.T) {
	run := gatetest.New(t, "prod")
	run.Base["content/docs/acme/en/old.md"] = "---\ntitle: Old\ndescription: Old.\n---\nOld words stay here.\n"
	run.Site["content/docs/acme/en/old.md"] = run.Base["content/docs/acme/en/old.md"] + "\n" + gatetest.Texts["feature"] + "\n"
	in := run.Input()
	v, report := validate(t, in)
	at := slices.IndexFunc(report.Issues, func(i issue.Issue) bool { return i.Code == gate.CodeUncited })
	patches, err := fix.Patches(v, report.Issues[at], nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := fs.ReadFile(applied(t, run, in, patches).Site, "content/docs/acme/en/old.md")
	if strings.TrimSpace(string(text)) != strings.TrimSpace(run.Base["content/docs/acme/en/old.md"]) {
		t.Errorf("%s", text)
	}
}

func has(issues []issue.Issue, code string) bool {
	return slices.ContainsFunc(issues, func(i issue.Issue) bool { return i.Code == code })
}
