package siteprofile

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	fullSHA = regexp.MustCompile(`^[0-9a-f]{40}$`)
	refForm = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./+@-]{0,199}$`)
)

// CheckRef says whether a branch, a tag or a commit can be asked for (C-26). With
// pinned, as in prod, only a whole commit id will do. The id of no commit never
// does.
func CheckRef(ref string, pinned bool) error {
	switch {
	case ref == strings.Repeat("0", 40):
		return fmt.Errorf("ref %q is the id of no commit", ref)
	case fullSHA.MatchString(ref):
		return nil
	case pinned:
		return fmt.Errorf("ref %q must be a commit id of 40 hexadecimal digits", ref)
	case !refForm.MatchString(ref) || strings.Contains(ref, "..") || strings.Contains(ref, "//") || strings.Contains(ref, "@{") ||
		strings.Contains(ref, "/.") || strings.HasSuffix(ref, "/") || strings.HasSuffix(ref, ".") || strings.HasSuffix(ref, ".lock"):
		return fmt.Errorf("ref %q cannot be the name of a branch, a tag or a commit", ref)
	}
	return nil
}
