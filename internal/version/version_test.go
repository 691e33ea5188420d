package version

import (
	"regexp"
	"testing"
)

func TestNumberIsSemanticWithoutV(t *testing.T) {
	if !regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`).MatchString(Number) {
		t.Errorf("Number = %q, want a semantic version without a leading v", Number)
	}
}
