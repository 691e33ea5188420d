package main

import (
	"context"
	"errors"
	"io"
	"syscall"
	"testing"

	"mcpworks/internal/cmdline"
	"mcpworks/lint"
	"mcpworks/lint/report"
)

// B14: where several codes apply, the order is 2, 1, 5, 4, 3, 0.
func TestVerdict(t *testing.T) {
	fine, locked := check{answered: true}, check{answered: true, failure: "locked", exit: exitLocked}
	gone, late := check{failure: "gone", exit: exitUnreachable}, check{answered: true, failure: "late", exit: exitPartial}
	for _, test := range []struct {
		name    string
		options []string
		checks  []check
		found   lint.Severity // by the first of them
		want    int
	}{
		{"clean", nil, []check{fine}, lint.Off, 0},
		{"a warning", nil, []check{fine}, lint.Warning, 0},
		{"an error", nil, []check{fine}, lint.Error, 1},
		{"fail on info", []string{optFailOn, "info"}, []check{fine}, lint.Info, 1},
		{"fail on warning", []string{optFailOn, "warning"}, []check{fine}, lint.Info, 0},
		{"never", []string{optFailOn, failNever}, []check{fine}, lint.Error, 0},
		{"locked", nil, []check{locked}, lint.Off, 5},
		{"locked, with an error", nil, []check{locked}, lint.Error, 1},
		{"gone", nil, []check{gone}, lint.Off, 4},
		{"late", nil, []check{late}, lint.Off, 3},
		{"one of two", nil, []check{fine, gone}, lint.Off, 3},
		{"one of two, with an error", nil, []check{fine, gone}, lint.Error, 1},
		{"both", nil, []check{gone, locked}, lint.Off, 5},
		{"both gone", nil, []check{gone, gone}, lint.Off, 4},
		{"forced", []string{optExitZero, ""}, []check{gone}, lint.Error, 0},
		{"covered", []string{optStrictCoverage, ""}, []check{fine}, lint.Off, 3},
		{"covered, with an error", []string{optStrictCoverage, ""}, []check{fine}, lint.Error, 1},
		{"covered, and gone", []string{optStrictCoverage, ""}, []check{gone}, lint.Off, 4},
	} {
		c := &call{stderr: io.Discard, hidden: &hidden{}}
		if test.options != nil {
			c.Values = map[string][]string{test.options[0]: test.options[1:]}
		}
		var runs []report.Run
		for i := range test.checks {
			test.checks[i].record = &lint.Record{}
			runs = append(runs, report.Run{Report: &lint.Report{Results: []lint.Result{{Status: lint.NotVerified}}}})
		}
		if test.found != lint.Off {
			runs[0].Report.Findings = []lint.Finding{{Severity: test.found}}
		}
		code, err := verdict(t.Context(), c, test.checks, runs)
		if code != test.want || complain(err, c.stderr) != test.want {
			t.Errorf("%s: the code is %d with %v, want %d", test.name, code, err, test.want)
		}
	}
}

// B1.7: a signal comes before all other codes.
func TestVerdictOnSignal(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(interrupted{syscall.SIGTERM})
	c := &call{stderr: io.Discard, hidden: &hidden{}, Arguments: cmdline.Arguments{Values: map[string][]string{optExitZero: {""}}}}
	checks := []check{{record: &lint.Record{}, failure: "stopped", interrupted: true}}
	code, err := verdict(ctx, c, checks, []report.Run{{Report: &lint.Report{}}})
	var stop interrupted
	if code != 143 || !errors.As(err, &stop) {
		t.Errorf("the code is %d with %v", code, err)
	}
}
