package issue_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/issue"
)

// 10.3: the name stays when only lines move, and differs with the subject.
func TestIDIsStable(t *testing.T) {
	a := issue.New("links", issue.Error, "GATE_LINK_BROKEN_INTERNAL", "content/a.md", "/b/", "no page %s", "/b/").At(3)
	b := issue.New("links", issue.Error, "GATE_LINK_BROKEN_INTERNAL", "content/a.md", "/b/", "other words").At(30)
	if a.ID != b.ID || !strings.HasPrefix(a.ID, "iss_") || len(a.ID) != len("iss_")+12 {
		t.Errorf("%s and %s", a.ID, b.ID)
	}
	if c := issue.New("links", issue.Error, "GATE_LINK_BROKEN_INTERNAL", "content/a.md", "/c/", ""); c.ID == a.ID {
		t.Error("another subject has the same name")
	}
}

// 10.4: blockers first, then in the order of the gates, then by place.
func TestSort(t *testing.T) {
	issues := []issue.Issue{
		issue.New("b", issue.Warn, "X", "p", "1", ""),
		issue.New("b", issue.Blocker, "X", "p", "2", "").At(9),
		issue.New("z", issue.Blocker, "X", "a", "3", ""),
		issue.New("a", issue.Blocker, "X", "q", "4", ""),
		issue.New("b", issue.Blocker, "X", "p", "5", "").At(2),
		issue.New("b", issue.Blocker, "X", "", "6", ""),
	}
	issue.Sort(issues, []string{"a", "b"})
	var got []string
	for _, i := range issues {
		where := ""
		if i.Location != nil {
			where = i.Location.Path
		}
		got = append(got, string(i.Severity)+" "+i.Gate+" "+where)
	}
	want := []string{"blocker a q", "blocker b ", "blocker b p", "blocker b p", "blocker z a", "warn b p"}
	if diff := cmp.Diff(want, got); diff != "" || issues[2].Location.Line != 2 {
		t.Error(diff)
	}
}
