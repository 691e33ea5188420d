package main

import (
	"context"
	"errors"
	"fmt"

	"mcpworks/lint"
	"mcpworks/lint/report"
)

// verdict is the exit code (B14), and the error that comes with it. Findings are
// in the report and need no further word.
func verdict(ctx context.Context, c *call, checks []check, runs []report.Run) (int, error) {
	var stop interrupted
	if errors.As(context.Cause(ctx), &stop) && anyInterrupted(checks) {
		return stop.exit(), stop
	}
	f := firstFailure(checks)
	switch {
	case failing(c, runs):
		f.exit = exitNo
	case f.exit == exitOK && c.Has(optStrictCoverage):
		if n := unverified(runs); n > 0 {
			f = failure{exit: exitPartial, err: fmt.Errorf("%s could not be verified", plural(n, "rule"))}
		}
	}
	if stale := runs[len(runs)-1].Stale; c.Has(optStrictBaseline) && len(stale) > 0 {
		f.exit = exitNo
		if f.err == nil {
			f.err = fmt.Errorf("the baseline has %s that %s not found any more", plural(len(stale), "finding"), isAre(len(stale)))
			f.hint = optUpdateBaseline + " removes them"
		}
	}
	switch {
	case c.Has(optExitZero):
		if f.err != nil {
			c.notice("%v", f.err)
		}
		return exitOK, nil
	case f.exit == exitOK:
		return exitOK, nil
	case f.err == nil:
		return f.exit, exitCode(f.exit)
	}
	return f.exit, &f
}

func anyInterrupted(checks []check) bool {
	for _, check := range checks {
		if check.interrupted {
			return true
		}
	}
	return false
}

// firstFailure is why not everything was checked. Of several servers some may
// fail: that is partial, unless all do.
func firstFailure(checks []check) failure {
	var f failure
	failed, code := 0, exitOK
	for _, check := range checks {
		if check.failure == "" {
			continue
		}
		failed++
		code = worse(code, check.exit)
		if f.err == nil {
			f.err, f.lines, f.hint = errors.New(check.failure), check.lines, check.hint
		}
	}
	switch {
	case failed == 0:
		return failure{}
	case len(checks) > 1:
		f.err = fmt.Errorf("%d of %d servers could not be checked", failed, len(checks))
		f.lines, f.hint = nil, ""
		for _, check := range checks {
			if check.failure != "" {
				f.lines = append(f.lines, check.record.Target.Shown+": "+check.failure)
			}
		}
	case f.hint != "" || checks[0].offline:
	case code == exitUnreachable:
		f.hint = "mcplint doctor TARGET finds out why"
	case code == exitLocked:
		f.hint = optBearerEnv + " VAR sends the token that the variable VAR holds; " + optHeader + " 'Name: value' sends anything else"
	}
	if failed < len(checks) {
		code = exitPartial
	}
	f.exit = code
	return f
}

// worse is the one of two exit codes that goes first (B14).
func worse(a, b int) int {
	for _, code := range []int{exitUsage, exitNo, exitLocked, exitUnreachable, exitPartial} {
		if a == code || b == code {
			return code
		}
	}
	return exitOK
}

// failing says whether there are findings that count.
func failing(c *call, runs []report.Run) bool {
	least := lint.Error
	switch c.Value(optFailOn) {
	case "":
	case failNever:
		return false
	default:
		_ = least.UnmarshalText([]byte(c.Value(optFailOn))) // it was checked when it was read
	}
	for i := range runs {
		for _, f := range runs[i].Fresh() {
			if f.Severity >= least {
				return true
			}
		}
	}
	return false
}

func unverified(runs []report.Run) (n int) {
	for _, run := range runs {
		n += run.Report.Count(lint.NotVerified)
	}
	return n
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
