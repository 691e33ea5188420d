package gitrepo

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
)

// versionTag reads v1.2.3, release-1.2 and the like; group 4 is there for
// versions before a release.
var versionTag = regexp.MustCompile(`^(?:v|release[-/]|[A-Za-z]+[-/]v?)?([0-9]{1,9})\.([0-9]{1,9})(?:\.([0-9]{1,9}))?(-.+)?$`)

// LatestTag is the tag of the highest released version, or empty.
func (r Refs) LatestTag() string {
	best, bestVersion := "", []int(nil)
	for tag := range r.tags {
		version := parseVersion(tag)
		if version == nil {
			continue
		}
		if order := cmp.Or(slices.Compare(version, bestVersion), cmp.Compare(best, tag)); best == "" || order > 0 {
			best, bestVersion = tag, version
		}
	}
	return best
}

func parseVersion(tag string) []int {
	match := versionTag.FindStringSubmatch(tag)
	if match == nil || match[4] != "" {
		return nil
	}
	var version []int
	for _, digits := range match[1:4] {
		n, _ := strconv.Atoi(cmp.Or(digits, "0"))
		version = append(version, n)
	}
	return version
}
