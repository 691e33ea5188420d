package patch

import (
	"errors"
	"strings"

	"mcpworks/packs/launch/internal/patch/frontmatter"
)

// StampKey is the key in the front matter of pages that a launch has made. Its
// value is the hash of the page without the key: a page whose stamp holds was
// not touched since, and a later launch may replace it (9.3).
const StampKey = "launch_sha256"

// Stamp sets or renews the stamp of a page. A page whose front matter cannot be
// edited stays as it is.
func Stamp(text string) string {
	hash, err := stampOf(text)
	if err != nil {
		return text
	}
	stamped, err := frontmatter.Edit(text, map[string]any{StampKey: hash})
	if err != nil {
		return text
	}
	return stamped
}

// Stamped says whether a page has a stamp that holds.
func Stamped(text string) bool {
	if !strings.Contains(text, StampKey) {
		return false
	}
	values, err := frontmatter.Values(text)
	if err != nil {
		return false
	}
	hash, err := stampOf(text)
	return err == nil && values[StampKey] == hash
}

// stampOf hashes a page whose stamp, if it has one, is blank.
func stampOf(text string) (string, error) {
	blank, err := frontmatter.Edit(text, map[string]any{StampKey: strings.Repeat("0", 64)})
	if err != nil {
		return "", err
	}
	if strings.Count(blank, StampKey) != 1 {
		return "", errors.New("page names the key of stamps")
	}
	return Hash(blank), nil
}
