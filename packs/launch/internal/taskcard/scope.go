package taskcard

import (
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/fence"
)

// maxSteps bounds the work on two entries with many ** in them. Whatever is not
// found within it is not allowed.
const maxSteps = 10_000

// Within narrows the allowed paths of a run to what the card allows too: every
// entry of the result is within an entry of both (13). The forms are those of
// allowed_paths (9.1). Of two segments with * in both, which could have more than
// one meaning together, nothing is taken. A protected file is only named in full
// if both name it so; otherwise the entry is for what is below it.
func (c Card) Within(allowed []string) []string {
	within := []string{}
	for _, ours := range allowed {
		for _, theirs := range c.AllowedPaths {
			steps := maxSteps
			for _, common := range meet(parseScope(ours), parseScope(theirs), &steps) {
				if text := common.String(); fence.Protected(text) && (text != ours || text != theirs) {
					common.below = true
				}
				if text := common.String(); !slices.Contains(within, text) {
					within = append(within, text)
				}
			}
		}
	}
	return within
}

// A scope is an entry: a path and all that is below it, or only that.
type scope struct {
	segments []string
	below    bool
}

func parseScope(text string) scope {
	body, below := strings.CutSuffix(text, "/")
	for cut := true; cut; {
		if body, cut = strings.CutSuffix(body, "/**"); cut {
			below = true
		}
	}
	return scope{strings.Split(body, "/"), below}
}

func (s scope) String() string {
	text := strings.Join(s.segments, "/")
	if s.below {
		text += "/"
	}
	return text
}

// meet is what two scopes have in common.
func meet(a, b scope, steps *int) []scope {
	if *steps--; *steps < 0 {
		return nil
	}
	rest := func(s scope) scope { return scope{s.segments[1:], s.below} }
	switch {
	case len(a.segments) == 0 && len(b.segments) == 0:
		return []scope{{nil, a.below || b.below}}
	case len(a.segments) == 0:
		return []scope{b}
	case len(b.segments) == 0:
		return []scope{a}
	case a.segments[0] == "**" && b.segments[0] == "**":
		return behind("**", append(meet(rest(a), b, steps), meet(a, rest(b), steps)...))
	case a.segments[0] == "**":
		return append(meet(rest(a), b, steps), behind(b.segments[0], meet(a, rest(b), steps))...)
	case b.segments[0] == "**":
		return meet(b, a, steps)
	}
	first, ok := meetSegments(a.segments[0], b.segments[0])
	if !ok {
		return nil
	}
	return behind(first, meet(rest(a), rest(b), steps))
}

func behind(first string, all []scope) []scope {
	for i := range all {
		all[i].segments = append([]string{first}, all[i].segments...)
	}
	return all
}

var literally = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `?`, `\?`)

func meetSegments(a, b string) (string, bool) {
	switch {
	case a == b, b == "*":
		return a, true
	case a == "*":
		return b, true
	case strings.Contains(a, "*") && strings.Contains(b, "*"):
		return "", false
	case strings.Contains(a, "*"):
		a, b = b, a
	}
	fits, err := path.Match(literally.Replace(b), a)
	return a, err == nil && fits
}
