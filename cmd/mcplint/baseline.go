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
// counts is the server and the fingerprint; everything else is for those who
// read the file.
type baseline struct {
	Version  int            `json:"version"`
	Findings []knownFinding `json:"findings"`

	file string // empty if there is none
}

// A knownFinding is one of a server, which is named as it names itself, or else
// as it was started. Older files have no server: their findings are anybody's.
type knownFinding struct {
	Server      string `json:"server,omitempty"`
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
	b := &baseline{file: c.Value(optBaseline)}
	if b.file == "" {
		return b, nil
	}
	text, err := readFile(optBaseline, b.file)
	if errors.Is(err, fs.ErrNotExist) {
		if c.Has(optUpdateBaseline) {
			return b, nil
		}
		f := badFile(optBaseline, b.file, errors.New("there is no such file"))
		f.hint = optUpdateBaseline + " writes one with what is found"
		return nil, f
	}
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err = decoder.Decode(b); err != nil {
		err = fmt.Errorf("it is no baseline: %w", plainJSON(err))
	} else if b.Version == 0 || decoder.More() {
		err = errors.New("it is no baseline: it must be one object with a version")
	} else if b.Version != baselineVersion {
		err = fmt.Errorf("it has version %d, and this program knows %d", b.Version, baselineVersion)
	}
	if err != nil {
		return nil, badFile(optBaseline, b.file, err)
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
	for i := range runs {
		run := &runs[i]
		run.Known = map[string]bool{}
		for _, k := range b.Findings {
			if k.isOf(run) {
				run.Known[k.Fingerprint] = true
			}
		}
	}
	last := &runs[len(runs)-1]
	for _, k := range b.Findings {
		if k.isGone(runs) {
			last.Stale = append(last.Stale, k.label())
		}
	}
	return nil
}

// update makes it what was found. What could not be decided this time, and what
// is of other servers, stays as it is.
func (b *baseline) update(runs []report.Run) error {
	b.Version = baselineVersion
	b.Findings = slices.DeleteFunc(b.Findings, func(k knownFinding) bool { return k.isFound(runs) || k.isGone(runs) })
	if b.Findings == nil {
		b.Findings = []knownFinding{}
	}
	for i := range runs {
		for _, f := range runs[i].Report.Findings {
			k := knownFinding{serverOf(&runs[i]), f.Fingerprint(), f.RuleID, f.Subject.String(), f.Pointer, f.Message}
			if !slices.ContainsFunc(b.Findings, func(o knownFinding) bool { return o.Server == k.Server && o.Fingerprint == k.Fingerprint }) {
				b.Findings = append(b.Findings, k)
			}
		}
	}
	slices.SortStableFunc(b.Findings, func(x, y knownFinding) int {
		return cmp.Or(cmp.Compare(x.Server, y.Server), cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Subject, y.Subject), cmp.Compare(x.Pointer, y.Pointer))
	})
	text, err := json.MarshalIndent(b, "", "  ")
	if err == nil {
		err = os.WriteFile(b.file, append(text, '\n'), 0o666)
	}
	if err != nil {
		return badFile(optBaseline, b.file, err)
	}
	return nil
}

// serverOf names the server of a run.
func serverOf(run *report.Run) string {
	s := report.Summarize(run.Report.Record)
	return cmp.Or(s.Name, s.Target)
}

// isOf says whether it is of the server of a run.
func (k knownFinding) isOf(run *report.Run) bool { return k.Server == "" || k.Server == serverOf(run) }

// isFound says whether it was found again.
func (k knownFinding) isFound(runs []report.Run) bool {
	for i := range runs {
		same := func(f lint.Finding) bool { return f.Fingerprint() == k.Fingerprint }
		if k.isOf(&runs[i]) && slices.ContainsFunc(runs[i].Report.Findings, same) {
			return true
		}
	}
	return false
}

// isGone says whether it is there no more: its server was asked, and its rule
// has spoken.
func (k knownFinding) isGone(runs []report.Run) bool {
	asked := false
	for i := range runs {
		if !k.isOf(&runs[i]) {
			continue
		}
		if asked = true; !decided(k.Rule, &runs[i]) {
			return false
		}
	}
	return asked && !k.isFound(runs)
}

// label names a finding by what makes its fingerprint.
func (k knownFinding) label() string {
	label := k.Rule + " " + k.Subject
	if k.Pointer != "" {
		label += " " + k.Pointer
	}
	return label
}

// decided says whether a rule has spoken in a run. One that is no more never
// will.
func decided(id string, run *report.Run) bool {
	for _, result := range run.Report.Results {
		if result.Rule.ID == id && (result.Status == lint.NotVerified || result.Status == lint.Skipped) {
			return false
		}
	}
	return true
}
