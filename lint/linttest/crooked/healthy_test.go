package crooked_test

import (
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/linttest/crooked"
	"mcpworks/lint/rules"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// readers are the tools to call where nothing says that they only read: in
// 2024-11-05 there are no annotations.
var readers = []string{"add", "ask_name", "ask_model", crooked.Slow, "fail", "show", "weather"}

// A checkup is a visit to a healthy server, with the rules that are not verified
// there and the reasons for it.
type checkup struct {
	visit
	gaps map[string]string // reasons to ids, separated by blanks
}

// newer is why rules are not verified in an old revision.
const newer = "it holds in newer revisions, which the server has as well and which are not spoken"

// checkups are in every transport, era and revision that the server has.
var checkups = map[string]checkup{
	"stdio":                   {visit: visit{on: lint.Stdio, level: lint.Call}},
	"streamable":              {visit: visit{on: lint.Streamable, level: lint.Call}},
	"sse":                     {visit: visit{on: lint.SSE, level: lint.Call}},
	"tools only":              {visit: visit{on: lint.Streamable, level: lint.Call, fault: crooked.ToolsOnly}},
	"legacy only":             {visit: visit{on: lint.Streamable, level: lint.Call, fault: crooked.LegacyOnly}},
	"modern only":             {visit: visit{on: lint.Streamable, level: lint.Call, fault: crooked.ModernOnly}},
	"only asked to be modern": {visit: visit{on: lint.Streamable, level: lint.Call, era: client.Modern}},
	"unlocked":                {visit: visit{on: lint.Streamable, level: lint.Call, fault: crooked.Unlocked}},

	"streamable 2025-06-18": {
		visit: visit{on: lint.Streamable, level: lint.Call, version: mcp.V20250618.Version},
		gaps:  map[string]string{newer: "RPC-009 TOOL-021 TOOL-022"},
	},
	"streamable 2025-03-26": {
		visit: visit{on: lint.Streamable, level: lint.Call, version: mcp.V20250326.Version},
		gaps:  map[string]string{newer: "RPC-009 HTTP-013 HTTP-014 TOOL-014 TOOL-021 TOOL-022 UTIL-014"},
	},
	"stdio 2024-11-05": {
		visit: visit{on: lint.Stdio, level: lint.Call, version: mcp.V20241105.Version, tools: readers},
		gaps:  map[string]string{newer: "RPC-009 RPC-017 TOOL-014 TOOL-016 TOOL-017 TOOL-018 TOOL-021 TOOL-022 UTIL-014"},
	},
	"sse 2024-11-05": {
		visit: visit{on: lint.SSE, level: lint.Call, version: mcp.V20241105.Version, tools: readers},
		gaps:  map[string]string{newer: "RPC-009 RPC-017 SSE-008 TOOL-014 TOOL-016 TOOL-017 TOOL-018 TOOL-021 TOOL-022 UTIL-014"},
	},
	"locked": {
		visit: visit{on: lint.Streamable, level: lint.Call, fault: crooked.Locked},
	},
	"remote": {
		visit: visit{on: lint.Streamable, level: lint.Call, fault: crooked.Far},
		gaps: map[string]string{
			"no file can be put on another machine": "RES-012",
			"credentials were given":                "HTTP-023",
		},
	},
}

// known are the findings about the healthy server in the modern era: what it
// uses is deprecated there, and rules are to see it used.
const known = "MOD-030"

// unseen are rules that no checkup verifies, with the reasons.
var unseen = map[string]string{
	"HTTP-023": "it looks for tools that are listed without credentials, and a server that refuses that has no list to look at",
	"HTTP-034": "the core closes the stream of an answer early only for tools that ask for it, and the prober does not come back for the answer",
	"MOD-032":  "the core declares no extensions",
	"SCH-022":  "it is off",
	"TOOL-022": "the core has no tasks",
	"UTIL-016": "the core has no tasks",
}

// lonely is the rule that cannot be verified on a machine with no other address
// than the loopback ones.
const lonely = "HTTP-021"

func isLonely() bool {
	addresses, err := net.InterfaceAddrs()
	return err != nil || !slices.ContainsFunc(addresses, func(a net.Addr) bool {
		network, ok := a.(*net.IPNet)
		return ok && network.IP.IsGlobalUnicast()
	})
}

// brief are the checkups that are made with -short.
var brief = []string{"stdio", "streamable"}

// D2.56, D2.62: the healthy server breaks no rule, and all that apply are
// verified, but for what is said above.
func TestHealthy(t *testing.T) {
	var mu sync.Mutex
	passed := map[string]bool{}
	t.Run("checkup", func(t *testing.T) {
		for name, c := range checkups {
			if testing.Short() && !slices.Contains(brief, name) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				report := c.report(t)
				for _, f := range report.Findings {
					if f.RuleID != known || !c.speaksModern() {
						t.Errorf("%s %v %v: %s (%s, %s)", f.RuleID, f.Severity, f.Subject, f.Message, f.Evidence.Talk, f.Evidence.Step)
					}
				}
				c.checkGaps(t, report)
				mu.Lock()
				defer mu.Unlock()
				for _, r := range report.Results {
					passed[r.Rule.ID] = passed[r.Rule.ID] || r.Status == lint.Pass
				}
			})
		}
	})
	if testing.Short() {
		return
	}
	for _, rule := range rules.All() {
		_, excused := unseen[rule.ID]
		if excused = excused || rule.ID == lonely && isLonely(); passed[rule.ID] == excused {
			t.Errorf("%s is verified by some checkup: %t, excused: %t", rule.ID, passed[rule.ID], excused)
		}
	}
}

// checkGaps wants the rules that are not verified to be those that are known.
func (c checkup) checkGaps(t *testing.T, report *lint.Report) {
	t.Helper()
	expected := map[string]bool{}
	for _, ids := range c.gaps {
		for id := range strings.FieldsSeq(ids) {
			expected[id] = true
		}
	}
	for _, r := range report.Results {
		if r.Rule.ID == lonely && isLonely() {
			continue
		}
		if r.Status == lint.NotVerified && !expected[r.Rule.ID] {
			t.Errorf("%s is not verified: %s", r.Rule.ID, r.Reason)
		}
		if r.Status == lint.NotVerified {
			delete(expected, r.Rule.ID)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(expected)) {
		t.Errorf("%s is verified, or does not apply", id)
	}
}
