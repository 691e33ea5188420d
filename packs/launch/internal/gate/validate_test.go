package gate_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/gatetest"
	"mcpworks/packs/launch/internal/issue"
)

// 10.1: a gate that crashes ends with an error, and the others still run.
func TestCrash(t *testing.T) {
	gate.AddGate(t, "broken", time.Minute, func(context.Context) { panic("secret path /root") })
	report := validate(t, gatetest.New(t, "local").Input())
	found := has(report, "broken", gate.CodeCrash)
	if found == nil || found.Severity != issue.Blocker || strings.Contains(found.Message, "secret") || report.OK {
		t.Errorf("%+v", found)
	}
	if g := report.Gates[0]; g.Status != "error" || g.OK || len(report.Gates) != len(gate.Names())-2 { // without rollback and taskcard
		t.Errorf("%+v, %d gates", g, len(report.Gates))
	}
}

// 10.1: a gate that takes too long is a blocker; what it had found stays.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate.AddGate(t, "slow", time.Minute, func(ctx context.Context) { <-ctx.Done() })
		report := validate(t, gatetest.New(t, "ci").Input())
		if has(report, "slow", gate.CodeTimeout) == nil || has(report, "slow", "GATE_TEST") == nil || report.Gates[0].Status != "timeout" || report.OK {
			t.Errorf("%+v", report.Gates[0])
		}
		if g := report.Gates[len(report.Gates)-1]; g.Name != gate.NetworkAllowlist || g.Status != "pass" {
			t.Errorf("%+v", g)
		}
	})
}

// S-45: a validation that is called off has no report.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	gate.AddGate(t, "cancelling", time.Minute, func(context.Context) { cancel() })
	report, err := gate.Validate(ctx, gate.NewView(gatetest.New(t, "local").Input()))
	if !errors.Is(err, context.Canceled) || report.Gates != nil {
		t.Errorf("%v %+v", err, report)
	}
}

// 10.3: which issues stand against which verdict.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		gate     string
		severity issue.Severity
		code     string
		want     string // local, ci relaxed, ci strict, prod
	}{
		{gate.XSS, issue.Blocker, gate.CodeScriptTag, "no no no no"},
		{gate.XSS, issue.Error, gate.CodeScriptTag, "no no no no"},
		{gate.Truthlock, issue.Warn, gate.CodeUncited, "ok ok no no"},
		{gate.ContentDistribution, issue.Warn, gate.CodeDuplication, "ok ok no no"},
		{gate.ContentDistribution, issue.Warn, gate.CodeQuotaUnderflow, "ok ok ok no"},
		{gate.ClaimCoverage, issue.Warn, gate.CodeCoverage, "ok ok ok no"},
		{gate.PinnedRefs, issue.Info, gate.CodeNotPinned, "ok ok ok ok"},
	} {
		issues := []issue.Issue{issue.New(c.gate, c.severity, c.code, "", "", "x")}
		var got []string
		for _, mode := range [][2]string{{"local", "strict"}, {"ci", "relaxed"}, {"ci", "strict"}, {"prod", "relaxed"}} {
			word := "no"
			if gate.Passes(issues, mode[0], mode[1]) {
				word = "ok"
			}
			got = append(got, word)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s %s: %v, want %s", c.code, c.severity, got, c.want)
		}
	}
}

// 10.1: the severities of the table.
func TestSeverities(t *testing.T) {
	for name, want := range map[string]string{
		"branch": "info warn error", "too many files": "warn error blocker", "unknown member": "blocker blocker blocker", "outside of the fence": "blocker blocker blocker",
		"no description": "error blocker blocker", "trailing spaces": "warn error error", "other address": "error blocker blocker", "page missing": "error error blocker",
		"broken address": "error error blocker", "statement without a claim": "error blocker blocker", "decorative marker": "error error error",
		"claim missing": "warn warn error", "changed code": "warn error blocker", "heading missing": "error error blocker", "other command": "warn error blocker",
		"no role": "warn error blocker", "too few claims": "warn warn warn", "claim in two sections": "warn warn warn", "script": "blocker blocker blocker",
		"key in a log": "blocker blocker blocker", "card is a draft": " error blocker", "unknown host": "warn error blocker", "formatting only": "warn warn blocker",
	} {
		at := slices.IndexFunc(gatetest.Faults, func(f gatetest.Fault) bool { return f.Name == name })
		fault := gatetest.Faults[at]
		var got []string
		for _, profile := range []string{"local", "ci", "prod"} {
			run := gatetest.New(t, profile)
			fault.Break(run)
			severity := ""
			if found := has(validate(t, run.Input()), fault.Gate, fault.Code); found != nil {
				severity = string(found.Severity)
			}
			got = append(got, severity)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, " "), want)
		}
	}
}

// 10.3: an issue keeps its id when lines move, and equal inputs give equal bytes
// (6.10).
func TestIDsAndBytesAreStable(t *testing.T) {
	for _, f := range gatetest.Faults {
		var texts [2][]byte
		var id [3]string
		for n := range 3 {
			run := gatetest.New(t, "prod")
			f.Break(run)
			if n == 2 && strings.HasPrefix(run.Site[gatetest.Guide], "---\ntitle: Acme Tool d") {
				run.Site[gatetest.Guide] = strings.Replace(run.Site[gatetest.Guide], "## Tasks\n", "## Tasks\n\n\n", 1)
			}
			report := validate(t, run.Input())
			id[n] = has(report, f.Gate, f.Code).ID
			if n < 2 {
				texts[n], _ = artifact.Encode(report)
			}
		}
		if id[0] != id[2] || !bytes.Equal(texts[0], texts[1]) {
			t.Errorf("%s: %v", f.Name, id)
		}
	}
}

// 10.1: what a page had before the run is not judged, even if the run adds to the
// page; what is added is.
func TestOldLinesAreLeftAlone(t *testing.T) {
	run := gatetest.New(t, "prod")
	run.Config.AllowedPaths = append(run.Config.AllowedPaths, "content/docs/other/")
	run.Site[gatetest.Old] += "\n- [Acme Tool developer guide](/docs/acme/developer-guide/)\n"
	report := validate(t, run.Input())
	if got := codes(report); len(got) != 1 || has(report, gate.Navigation, gate.CodeOrphanPage) == nil {
		t.Errorf("%v", got)
	}
	run.Site[gatetest.Old] += "\nAcme Tool supports __MORE__ things.  \n"
	report = validate(t, run.Input())
	for code, name := range map[string]string{gate.CodeUncited: gate.Truthlock, gate.CodeToken: gate.TemplateTokens, gate.CodeLint: gate.MarkdownLint} {
		if has(report, name, code) == nil {
			t.Errorf("%s is not found: %v", code, codes(report))
		}
	}
}

// What looks like a fault and is none.
func TestNearMisses(t *testing.T) {
	run := gatetest.New(t, "prod")
	run.Site[gatetest.Guide] += "\n## More\n\nHeading below\n-------------\n\n" +
		"- `<script>` and `__NAME__` and `{{ x }}` are code.\n- Write {\\{ x }\\} for `{{ x }}`.\n- [Here](#more) and [there](developer-guide/) and [up](../).\n" +
		"- {{< note >}}\n- Basic authentication of strangers.\n- JavaScript: see elsewhere.\n- One = two.\n" +
		"- [Mail](mailto:x@y.example) [other](https://other.example/a#b)\n- [The guide](" + gatetest.RepoURL + "/issues)\n"
	run.Site[gatetest.Guide] = strings.Replace(run.Site[gatetest.Guide], "[there](developer-guide/)", "[there](../developer-guide/)", 1)
	if report := validate(t, run.Input()); !report.OK {
		t.Errorf("%v", codes(report))
	}
}

// C-42: the gate of the pull request.
func TestRollback(t *testing.T) {
	good := artifact.PullRequest{SchemaVersion: artifact.Version, RunID: "r_20260101", BaseRef: gatetest.SiteSHA, AffectedPaths: []string{gatetest.Guide}, RollbackSteps: []string{"git revert"}}
	for _, c := range []struct {
		want   string
		change func(*artifact.PullRequest)
	}{
		{"", func(*artifact.PullRequest) {}},
		{gate.CodeBaseRef, func(p *artifact.PullRequest) { p.BaseRef = "main" }},
		{gate.CodeNoSteps, func(p *artifact.PullRequest) { p.RollbackSteps = nil }},
		{gate.CodeNoPaths, func(p *artifact.PullRequest) { p.AffectedPaths = nil }},
		{gate.CodePathNotInDiff, func(p *artifact.PullRequest) { p.AffectedPaths = []string{"x.md"} }},
		{gate.CodeRollbackMissing, nil},
	} {
		in := gatetest.New(t, "prod").Input()
		if c.change != nil {
			pr := good
			c.change(&pr)
			gatetest.Put(t, &in, artifact.PullRequestName, pr)
		}
		report, err := gate.Only(t.Context(), gate.NewView(in), gate.Rollback)
		if err != nil || len(report.Gates) != 1 || report.OK != (c.want == "") || c.want != "" && has(report, gate.Rollback, c.want) == nil {
			t.Errorf("%s: %v %+v", c.want, err, report)
		}
	}
	report, err := gate.Only(t.Context(), gate.NewView(gatetest.New(t, "local").Input()), gate.Rollback)
	if err != nil || len(report.Gates) != 0 || !report.OK {
		t.Errorf("it ran in local: %+v", report)
	}
}

// 10.1: a gate without its documents is skipped, and the gate schema says why.
func TestMissingDocuments(t *testing.T) {
	in := gatetest.New(t, "prod").Input()
	in.Documents = nil
	report := validate(t, in)
	if has(report, gate.Schema, gate.CodeSchema) == nil || report.OK {
		t.Errorf("%+v", report.Gates)
	}
	for _, g := range report.Gates {
		if g.Name == gate.Truthlock && (g.Status != "skipped" || g.Reason == "") {
			t.Errorf("%+v", g)
		}
	}
}

// 18.8: edits of people are named in the report.
func TestManualEdits(t *testing.T) {
	in := gatetest.New(t, "prod").Input()
	var bundle artifact.PatchBundle
	if err := artifact.Decode(in.Documents[artifact.PatchBundleName], &bundle); err != nil {
		t.Fatal(err)
	}
	bundle.Patches[0].Origin = "manual"
	gatetest.Put(t, &in, artifact.PatchBundleName, bundle)
	if report := validate(t, in); !report.ManualEdits || !slices.Equal(report.ManualEditedFiles, []string{bundle.Patches[0].Path}) {
		t.Errorf("%+v", report.ManualEditedFiles)
	}
}
