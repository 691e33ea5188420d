package rules_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/rules"
)

// C0: an id and a name belong to one rule, and a rule to the category that its
// id says.
func TestNamesAreUnique(t *testing.T) {
	owner := map[string]string{}
	for _, category := range rules.Categories() {
		for _, rule := range category.Rules() {
			if rule.Category() != category.ID {
				t.Errorf("%s is in the category %s", rule.ID, category.ID)
			}
			for _, name := range []string{rule.ID, rule.Name()} {
				if owner[name] != "" {
					t.Errorf("%s and %s are both called %s", owner[name], rule.ID, name)
				}
				owner[name] = rule.ID
			}
		}
		if !slices.IsSortedFunc(category.Rules(), func(a, b *lint.Rule) int { return strings.Compare(a.ID, b.ID) }) {
			t.Errorf("%s is not in the order of ids", category.ID)
		}
	}
}

// C0: ids and slugs are interchangeable.
func TestFind(t *testing.T) {
	for _, rule := range rules.All() {
		for _, name := range []string{rule.ID, strings.ToLower(rule.ID), rule.Name()} {
			if got, err := rules.Find(name); got == nil || got.ID != rule.ID {
				t.Errorf("Find(%q) is %v, %v", name, got, err)
			}
		}
		for _, name := range rules.Foreign(rule) {
			if got, err := rules.Find(name); got == nil || got.ID != rule.ID {
				t.Errorf("Find(%q) is %v, %v", name, got, err)
			}
		}
	}
	for name, want := range map[string]string{
		"jsonrpc-field": "RPC-001", "rs:PROTO-001": "RPC-001", "rs:proto-003": "LIFE-002", "rs:RES-001": "RES-004", "RES-001": "RES-001",
	} {
		if got, err := rules.Find(name); got == nil || got.ID != want {
			t.Errorf("Find(%q) is %v, %v, want %s", name, got, err, want)
		}
	}
}

func TestFindSuggests(t *testing.T) {
	for name, want := range map[string][2]string{
		"RPC-0001":     {`there is no rule "RPC-0001"`, "did you mean RPC-001?"},
		"json-field":   {`there is no rule "json-field"`, ""},
		"jsonrpc-feld": {`there is no rule "jsonrpc-feld"`, "did you mean jsonrpc-field?"},
		"rs:PROTO-09":  {`no rule is the same as "rs:PROTO-09"`, "did you mean rs:PROTO-001?"},
		"rs:EDGE-004":  {`rs:EDGE-004 is ROB-001, and this version has no such rule`, ""},
		"list-shape":   {`several rules are called "list-shape"`, "they are "},
	} {
		_, err := rules.Find(name)
		var unknown *rules.UnknownError
		if !errors.As(err, &unknown) || unknown.Reason != want[0] || !strings.HasPrefix(unknown.Hint, want[1]) || want[1] == "" && unknown.Hint != "" {
			t.Errorf("Find(%q) is %+v, want %q", name, unknown, want)
		}
	}
}

func TestFindCategory(t *testing.T) {
	for name, want := range map[string]string{"rpc": "RPC", "LIFE": "LIFE", "lifecycle": "LIFE", "Prompts": "PRM"} {
		if got, err := rules.FindCategory(name); got.ID != want {
			t.Errorf("FindCategory(%q) is %v, %v", name, got.ID, err)
		}
	}
	_, err := rules.FindCategory("lifecycel")
	var unknown *rules.UnknownError
	if !errors.As(err, &unknown) || unknown.Hint != "did you mean lifecycle?" {
		t.Errorf("the error is %+v", err)
	}
}

// B9: a page has everything, and nothing of it is taken for markup.
func TestPage(t *testing.T) {
	page := string(rules.Page(&lint.Rule{
		ID: "RPC-001", Slug: "some-name", Title: "a_b holds", Severity: lint.Error, Strength: lint.Must,
		Revisions: lint.A | lint.D, Transports: lint.Stdio, Level: lint.Probe, Needs: "tools",
		Rests: []lint.Clause{
			{Revisions: lint.A | lint.D, Page: "basic#messages", Demand: "Do it."},
			{Page: "RFC 9110 15.6", Demand: "And that."},
			{Page: "W3C Baggage", Demand: "Or so."},
		},
		What: "Sends <x>.", Why: "Because.", Bad: "a ``` b", Good: "{}", Fix: "Write | it.",
	}))
	for _, want := range []string{
		"# RPC-001: rpc/some-name\n\nWhat must hold: a\\_b holds.\n", "| severity | error |\n| strength | MUST |\n| revisions | 2024-11-05, 2025-11-25 |\n",
		"| transports | stdio |\n| level | probe |\n| capability | tools |\n| also known as | rs:PROTO-001 |\n",
		"Sends \\<x\\>.", "- Do it. ([2024-11-05](https://modelcontextprotocol.io/specification/2024-11-05/basic#messages), [2025-11-25](",
		"- And that. ([RFC 9110 15.6](https://www.rfc-editor.org/rfc/rfc9110#section-15.6))\n- Or so. (W3C Baggage)\n",
		"\n````text\na ``` b\n````\n", "Write \\| it.", "`mcplint validate --skip RPC-001 TARGET`",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}
