package crooked_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/linttest/crooked"
	"mcpworks/lint/rules"
	"mcpworks/mcp"
)

// A12.3, D2.56: every fault is noticed by its rule, by the rules that have to
// notice it as well, and by no others.
func TestFaults(t *testing.T) {
	t.Cleanup(func() { noneLeft(t) })
	for _, fault := range sample() {
		rule, err := rules.Find(fault.Rule)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(fault.Rule, func(t *testing.T) {
			t.Parallel()
			if fault.Everywhere && isLonely() {
				t.Skip("this machine has no other address")
			}
			v := visitOf(fault, rule)
			found := fired(v.report(t))
			for _, id := range append([]string{fault.Rule}, fault.With...) {
				if found[id] == "" {
					t.Errorf("%s is quiet", id)
				}
				delete(found, id)
			}
			if v.speaksModern() {
				delete(found, "MOD-030")
			}
			for _, id := range slices.Sorted(maps.Keys(found)) {
				t.Errorf("%s: %s", id, found[id])
			}
		})
	}
}

// sample is all faults, or with -short about twenty of them.
func sample() []crooked.Fault {
	if !testing.Short() {
		return crooked.Faults
	}
	var some []crooked.Fault
	for i := 0; i < len(crooked.Faults); i += len(crooked.Faults)/20 + 1 {
		some = append(some, crooked.Faults[i])
	}
	return some
}

// visitOf is how a fault is shown: with as little as the rule needs.
func visitOf(fault crooked.Fault, rule *lint.Rule) visit {
	v := visit{fault: fault, on: fault.On, level: max(fault.Level, rule.Level, lint.Passive), version: fault.Version}
	if v.on == 0 {
		v.on = lint.Streamable
		if rule.Transports == lint.Stdio || rule.Transports == lint.SSE {
			v.on = rule.Transports
		}
	}
	if v.version == "" && !fault.Both {
		legacy := (rule.Revisions & lint.Legacy).Versions()
		v.version = mcp.V20260728.Version
		if len(legacy) > 0 {
			v.version = legacy[len(legacy)-1]
		}
	}
	return v
}

// fired are the rules that found something, with the first thing they found.
func fired(report *lint.Report) map[string]string {
	found := map[string]string{}
	for _, f := range report.Findings {
		if found[f.RuleID] == "" {
			found[f.RuleID] = fmt.Sprintf("%v %v: %s (%s, %s)", f.Severity, f.Subject, f.Message, f.Evidence.Talk, f.Evidence.Step)
		}
	}
	return found
}

// Each rule has one fault.
func TestEveryRuleHasAFault(t *testing.T) {
	count := map[string]int{}
	for _, fault := range crooked.Faults {
		count[fault.Rule]++
	}
	for _, rule := range rules.All() {
		if count[rule.ID] != 1 {
			t.Errorf("%s has %d faults", rule.ID, count[rule.ID])
		}
		delete(count, rule.ID)
	}
	for id := range count {
		t.Errorf("there is no rule %s", id)
	}
}
