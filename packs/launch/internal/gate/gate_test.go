package gate_test

import (
	"slices"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/gatetest"
	"mcpworks/packs/launch/internal/issue"
)

func validate(t *testing.T, in gate.Input) artifact.ValidationReport {
	t.Helper()
	report, err := gate.Validate(t.Context(), gate.NewView(in))
	if err != nil {
		t.Fatal(err)
	}
	text, err := artifact.Encode(report)
	if err != nil {
		t.Fatal(err)
	}
	if violations, err := artifact.Validate(artifact.ValidationReportName, text); err != nil || len(violations) > 0 {
		t.Errorf("the report does not fit its schema: %v %v", violations, err) // S-8
	}
	return report
}

// the passing fixture passes all gates in all profiles.
func TestGoodRunPasses(t *testing.T) {
	for _, profile := range []string{"local", "ci", "prod"} {
		report := validate(t, gatetest.New(t, profile).Input())
		for _, i := range report.Issues {
			t.Errorf("%s: %s %s %s: %s", profile, i.Gate, i.Code, i.Location.Path, i.Message)
		}
		if !report.OK {
			t.Errorf("%s: not ok", profile)
		}
		var ran []string
		for _, g := range report.Gates {
			if g.Status != "pass" && g.Name != gate.Taskcard {
				t.Errorf("%s: %+v", profile, g)
			}
			ran = append(ran, g.Name)
		}
		want := slices.DeleteFunc(gate.Names(), func(name string) bool { return name == gate.Rollback || name == gate.Taskcard && profile == "local" })
		if !slices.Equal(ran, want) {
			t.Errorf("%s: ran %v", profile, ran)
		}
	}
}

func has(report artifact.ValidationReport, name, code string) *issue.Issue {
	for i := range report.Issues {
		if report.Issues[i].Gate == name && report.Issues[i].Code == code {
			return &report.Issues[i]
		}
	}
	return nil
}

// every gate finds its faults, and has at least two fixtures that fail.
func TestFaultsAreFound(t *testing.T) {
	count := map[string]int{}
	for _, f := range gatetest.Faults {
		count[f.Gate]++
		t.Run(f.Gate+"/"+f.Name, func(t *testing.T) {
			run := gatetest.New(t, "prod")
			f.Break(run)
			report := validate(t, run.Input())
			found := has(report, f.Gate, f.Code)
			if found == nil {
				t.Fatalf("not found; found were %v", codes(report))
			}
			if report.OK {
				t.Error("the verdict is ok")
			}
			if found.Fixable != gate.Fixable(f.Code) || found.Status != issue.Open {
				t.Errorf("%+v", found)
			}
			for _, g := range report.Gates {
				if g.Name == f.Gate && (g.OK || g.Status != "fail" || g.Issues == 0) {
					t.Errorf("%+v", g)
				}
			}
		})
	}
	for _, name := range gate.Names() {
		if count[name] < 2 && name != gate.Rollback {
			t.Errorf("%s has %d failing fixtures", name, count[name])
		}
	}
}

func codes(report artifact.ValidationReport) []string {
	var all []string
	for _, i := range report.Issues {
		all = append(all, i.Code+" "+i.Message)
	}
	return all
}
