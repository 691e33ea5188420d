package gate

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/redact"
)

// sensitiveData looks for secrets in changed files, documents and logs; in code,
// too. Its messages do not show them.
func sensitiveData(ctx context.Context, v *View, r *report) {
	for _, file := range v.Changed {
		if ctx.Err() != nil {
			return
		}
		if content, err := read(v.Site, file); err == nil && isText(content) {
			before, _ := read(v.Base, file)
			find(file, string(content), string(before), r)
		}
	}
	for _, texts := range []map[string][]byte{v.Documents, v.Logs} {
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if ctx.Err() != nil {
				return
			}
			find(name, string(texts[name]), "", r)
		}
	}
}

func find(path, text, before string, r *report) {
	for _, found := range redact.Find(text) {
		secret := text[found.Start:found.End]
		if vague(found.Kind) && !looksRandom(secret) || before != "" && strings.Contains(before, secret) {
			continue
		}
		line := strings.Count(text[:found.Start], "\n") + 1
		r.add(line, "GATE_SENSITIVE_DATA_"+found.Kind, path, patch.Hash(secret)[:12], "the line has what looks like a secret")
	}
}

// vague kinds are known by the word before the secret alone.
func vague(kind string) bool {
	return kind == "BEARER_TOKEN" || kind == "BASIC_CREDENTIALS" || kind == "PASSWORD"
}

var (
	value       = regexp.MustCompile(`[^\s:=]+$`)
	random      = regexp.MustCompile(`^[A-Za-z0-9+/=_.~!@#%^&*-]{8,}$`)
	placeholder = regexp.MustCompile(`(?i)your|example|change|replace|placeholder|secret|password|token|xxx|\*\*\*|environ|getenv|env\.|redacted|test|dummy|sample`)
)

// looksRandom says whether the value in a match is one that nobody would write
// as an example.
func looksRandom(match string) bool {
	text := strings.Trim(value.FindString(strings.TrimRight(match, `"'\,;`)), `"'\`)
	return random.MatchString(text) && strings.ContainsAny(text, "0123456789") && strings.ContainsFunc(text, isLetter) && !placeholder.MatchString(text)
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }
