package report

import (
	"io"
	"strconv"

	"mcpworks/internal/printable"
	"mcpworks/internal/version"
	"mcpworks/lint"
)

const sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Automation  sarifAutomation   `json:"automationDetails"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

// A sarifAutomation tells the runs of several servers apart.
type sarifAutomation struct {
	ID string `json:"id"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID            string         `json:"id"`
	Name          string         `json:"name"`
	Short         sarifText      `json:"shortDescription"`
	Full          sarifText      `json:"fullDescription"`
	Help          sarifText      `json:"help"`
	HelpURI       string         `json:"helpUri,omitempty"`
	Configuration sarifLevel     `json:"defaultConfiguration"`
	Properties    map[string]any `json:"properties"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Fingerprints map[string]string  `json:"partialFingerprints"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	Line int `json:"startLine"`
}

type sarifLogical struct {
	FullName string `json:"fullyQualifiedName"`
	Kind     string `json:"kind"`
}

type sarifSuppression struct {
	Kind string `json:"kind"`
}

// sarifFile is where findings are put: the readers of SARIF want a file, and
// what is checked is a program that runs. It is the project configuration.
const sarifFile = ".mcplint.toml"

func writeSARIF(w io.Writer, runs []Run, _ Options) error {
	log := sarifLog{Schema: sarifSchema, Version: "2.1.0"}
	for i := range runs {
		log.Runs = append(log.Runs, sarifRunOf(&runs[i]))
	}
	return encode(w, log, "  ")
}

func sarifRunOf(run *Run) sarifRun {
	out := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "mcplint", Version: version.Number, Rules: []sarifRule{}}},
		Automation:  sarifAutomation{"mcplint/" + printable.Line(run.Report.Record.Target.Shown) + "/"},
		Invocations: []sarifInvocation{{Successful: run.Failure == ""}},
		Results:     []sarifResult{},
	}
	if run.Failure != "" {
		out.Invocations[0].Notifications = []sarifNotification{{"error", sarifText{printable.Line(run.Failure)}}}
	}
	index := map[string]int{}
	for _, result := range run.Report.Results {
		if result.Status == lint.Pass || result.Status == lint.Fail {
			index[result.Rule.ID] = len(out.Tool.Driver.Rules)
			out.Tool.Driver.Rules = append(out.Tool.Driver.Rules, sarifRuleOf(result.Rule))
		}
	}
	server := Summarize(run.Report.Record)
	for _, f := range run.Report.Findings {
		out.Results = append(out.Results, sarifResultOf(&f, run, server.Name, index[f.RuleID]))
	}
	return out
}

func sarifRuleOf(rule *lint.Rule) sarifRule {
	r := sarifRule{
		ID: rule.ID, Name: rule.Slug, Short: sarifText{rule.Title}, Full: sarifText{rule.What}, Help: sarifText{rule.Why + "\n\n" + rule.Fix},
		Configuration: sarifLevel{sarifSeverity(rule.Severity)}, Properties: map[string]any{"tags": []string{rule.Category(), rule.Strength.String()}},
	}
	for _, clause := range rule.Rests {
		if urls := clause.URLs(); len(urls) > 0 {
			r.HelpURI = urls[len(urls)-1]
			break
		}
	}
	if guards(rule) {
		r.Properties["security-severity"] = map[lint.Severity]string{lint.Error: "7.0", lint.Warning: "5.0", lint.Info: "3.0", lint.Off: "3.0"}[rule.Severity]
	}
	return r
}

// guards says whether a rule is about security (B15).
func guards(rule *lint.Rule) bool {
	switch rule.Category() {
	case "SEC", "HTTP", "AUTH":
		return true
	}
	return false
}

func sarifSeverity(severity lint.Severity) string {
	return map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "note", lint.Off: "none"}[severity]
}

func sarifResultOf(f *lint.Finding, run *Run, server string, rule int) sarifResult {
	name := server
	if name == "" {
		name = "server"
	}
	if f.Subject.Name != "" {
		name += "/" + f.Subject.Name
	}
	if f.Subject.Part != "" {
		name += "/" + f.Subject.Part
	}
	result := sarifResult{
		RuleID: f.RuleID, RuleIndex: rule, Level: sarifSeverity(f.Severity),
		Message: sarifText{printable.Line(f.Subject.String() + ": " + f.Message)},
		Locations: []sarifLocation{{
			Physical: sarifPhysical{sarifArtifact{sarifFile}, sarifRegion{1}},
			Logical:  []sarifLogical{{printable.Line(name), "member"}},
		}},
		Fingerprints: map[string]string{"mcplint/v" + strconv.Itoa(schemaVersion): f.Fingerprint()},
	}
	if run.Known[f.Fingerprint()] {
		result.Suppressions = []sarifSuppression{{"external"}}
	}
	return result
}
