package nearest

import (
	"testing"

	"pgregory.net/rapid"
)

func TestName(t *testing.T) {
	names := []string{"build", "resolve", "inspect", "--cache", "--cache-root", "--query", "--v0"}
	for given, want := range map[string]string{
		"biuld": "build", "buidl": "build", "Build": "build", "buil": "build", "builds": "build", "--build": "build",
		"reslove": "resolve", "inspct": "inspect", "-cache": "--cache", "--cahce": "--cache", "--cach": "--cache",
		"--cacheroot": "--cache-root", "--qeury": "--query", "--vo": "--v0",
		"": "", "x": "", "serve": "", "bind": "", "--verbose": "", "--cashier": "", "日本": "",
	} {
		if got, ok := Name(given, names); got != want || ok != (want != "") {
			t.Errorf("Name(%q) = %q, %v, want %q", given, got, ok, want)
		}
	}
}

func TestDistanceIsAMetricButForSwaps(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abc")), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		d := distance(a, b)
		if d != distance(b, a) {
			t.Fatalf("distance(%q, %q) is not the same the other way", a, b)
		}
		if (d == 0) != (a == b) || d > max(len(a), len(b)) || d < max(len(a)-len(b), len(b)-len(a)) {
			t.Fatalf("distance(%q, %q) = %d", a, b, d)
		}
	})
}
