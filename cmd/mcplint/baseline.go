package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/report"
)

// A baseline is a file of findings that are known and do not fail (B17.3). What
// counts is the fingerprint; everything else is for those who read the file.
type baseline struct {
	Version  int            `json:"version"`
	Findings []knownFinding `json:"findings"`

	file string // empty if there is none
}

type knownFinding struct {
	Fingerprint string `json:"fingerprint"`
	Rule        string `json:"rule"`
	Subject     string `json:"subject"`
	Pointer     string `json:"pointer,omitempty"`
	Message     string `json:"message"`
}

const baselineVersion = 1

// readBaseline reads the one that the options name. One that is about to be
// written need not be there.
func readBaseline(c *call) (*baseline, error) {
	b := &baseline{Version: baselineVersion, file: c.Value(optBaseline)}
	if b.file == "" {
		return b, nil
	}
	text, err := os.ReadFile(b.file)
	if errors.Is(err, fs.ErrNotExist) && c.Has(optUpdateBaseline) {
		return b, nil
	}
	if err == nil {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		err = decoder.Decode(b)
	}
	if err == nil && b.Version != baselineVersion {
		err = fmt.Errorf("it has version %d, and this program knows %d", b.Version, baselineVersion)
	}
	if err != nil {
		return nil, &failure{exit: exitUsage, err: fmt.Errorf("%s %s: %w", optBaseline, b.file, err)}
	}
	return b, nil
}

// settle tells the runs which of their findings are known and what is stale, or
// writes the baseline anew.
func (b *baseline) settle(c *call, runs []report.Run) error {
	if b.file == "" {
		return nil
	}
	if c.Has(optUpdateBaseline) {
		if err := b.update(runs); err != nil {
			return err
		}
	}
	known, found := map[string]bool{}, fingerprints(runs)
	last := &runs[len(runs)-1]
	for _, k := range b.Findings {
		known[k.Fingerprint] = true
		if !found[k.Fingerprint] && decided(k.Rule, runs) {
			last.Stale = append(last.Stale, k.label())
		}
	}
	for i := range runs {
		runs[i].Known = known
	}
	return nil
}

// update makes it what was found. What could not be decided this time stays as
// it is.
func (b *baseline) update(runs []report.Run) error {
	found := fingerprints(runs)
	b.Findings = slices.DeleteFunc(b.Findings, func(k knownFinding) bool { return found[k.Fingerprint] || decided(k.Rule, runs) })
	for _, run := range runs {
		for _, f := range run.Report.Findings {
			if fingerprint := f.Fingerprint(); found[fingerprint] {
				found[fingerprint] = false // once is enough
				b.Findings = append(b.Findings, knownFinding{fingerprint, f.RuleID, f.Subject.String(), f.Pointer, f.Message})
			}
		}
	}
	slices.SortStableFunc(b.Findings, func(x, y knownFinding) int {
		return cmp.Or(cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Subject, y.Subject), cmp.Compare(x.Pointer, y.Pointer))
	})
	if b.Findings == nil {
		b.Findings = []knownFinding{}
	}
	text, err := json.MarshalIndent(b, "", "  ")
	if err == nil {
		err = os.WriteFile(b.file, append(text, '\n'), 0o666)
	}
	if err != nil {
		return &failure{exit: exitUsage, err: fmt.Errorf("%s: %w", optBaseline, err)}
	}
	return nil
}

// label names a finding by what makes its fingerprint.
func (k knownFinding) label() string {
	label := k.Rule + " " + k.Subject
	if k.Pointer != "" {
		label += " " + k.Pointer
	}
	return label
}

func fingerprints(runs []report.Run) map[string]bool {
	found := map[string]bool{}
	for _, run := range runs {
		for _, f := range run.Report.Findings {
			found[f.Fingerprint()] = true
		}
	}
	return found
}

// decided says whether a rule has spoken in all runs. One that is no more never
// will.
func decided(id string, runs []report.Run) bool {
	for _, run := range runs {
		for _, result := range run.Report.Results {
			if result.Rule.ID == id && (result.Status == lint.NotVerified || result.Status == lint.Skipped) {
				return false
			}
		}
	}
	return true
}
