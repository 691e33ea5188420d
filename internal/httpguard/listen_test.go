package httpguard

import (
	"errors"
	"strings"
	"testing"
)

func TestHTTP4ListenAddresses(t *testing.T) {
	for _, row := range rows(t, "listen.txt", 2) {
		addr, want := row[0], row[1]
		for _, given := range []struct{ authenticated, override bool }{{}, {true, false}, {false, true}, {true, true}} {
			err := CheckListen(addr, given.authenticated, given.override)
			got := "fine"
			switch {
			case errors.Is(err, ErrUnauthenticated):
				got = "unauthenticated"
			case err != nil:
				got = "bad"
			}
			expected := want
			if want == "unauthenticated" && (given.authenticated || given.override) {
				expected = "fine"
			}
			if got != expected {
				t.Errorf("CheckListen(%q, %v, %v) = %v, want %s", addr, given.authenticated, given.override, err, expected)
			}
		}
		if got := IsLoopback(addr); want != "bad" && got != (want == "fine") {
			t.Errorf("IsLoopback(%q) = %v", addr, got)
		}
	}
}

func TestHTTP4PortWithoutHostIsExplained(t *testing.T) {
	err := CheckListen(":8080", true, true)
	if err == nil {
		t.Fatal("an address without host was accepted")
	}
	for _, hint := range []string{`":8080"`, "127.0.0.1:8080", "0.0.0.0:8080"} {
		if !strings.Contains(err.Error(), hint) {
			t.Errorf("error %q does not mention %s", err, hint)
		}
	}
}
