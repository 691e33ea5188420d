package gate

import (
	"context"
	"regexp"
	"slices"
)

var (
	// Token is what a template has in place of text.
	Token     = regexp.MustCompile(`__[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*__|\{\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\}`)
	shortcode = regexp.MustCompile(`^\{\{[<%]\s*/?\s*([A-Za-z0-9_./-]+)`)
)

// templateTokens looks for tokens that nobody has filled in, outside of code and
// in the front matter.
func templateTokens(ctx context.Context, v *View, r *report) {
	for p := range v.changedPages {
		if ctx.Err() != nil {
			return
		}
		for _, line := range p.Lines {
			if !line.New || line.InCode() {
				continue
			}
			for _, token := range Token.FindAllString(line.Bare, -1) {
				if !v.allowedShortcode(token) {
					r.add(line.Number, CodeToken, p.Path, token, "the token %s was not filled in", quoted(token))
				}
			}
		}
	}
}

func (v *View) allowedShortcode(token string) bool {
	found := shortcode.FindStringSubmatch(token)
	return found != nil && v.Rules != nil && slices.Contains(v.Rules.Hugo.AllowShortcodes, found[1])
}
