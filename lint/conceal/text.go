package conceal

import (
	"net/url"
	"regexp"
	"strings"

	"mcpworks/internal/secret"
)

// A form is how secrets stand in a text: the last group is the secret, and if
// there is another one, that is the name which has to say so.
type form struct {
	pattern *regexp.Regexp
	named   bool
	// fits says whether a match is a secret; nil means that it is.
	fits func(value string) bool
}

// forms are looked for in this order, each in what the ones before have left.
var forms = []form{
	{pattern: regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s:@/?#]*:([^\s@]+)@`), fits: isNoPort},
	{pattern: regexp.MustCompile(`^[^\s:@/=]+:([^\s@/]+)@[A-Za-z0-9.-]+[(:/]`)}, // user:password@tcp(host)/db
	{pattern: regexp.MustCompile(`^-*([A-Za-z0-9_.-]+)=(.+)$`), named: true},
	{pattern: regexp.MustCompile(`(?:^|=)([A-Za-z0-9_-]+):\s*(?:(?i:bearer|basic|token|digest|apikey)\s+)?([^\s/].*)$`), named: true}, // a header
	{pattern: regexp.MustCompile(`([A-Za-z0-9_.-]+)\s?=\s?([^\s;&,"']+)`), named: true},
	{pattern: regexp.MustCompile(`["']([^"'\s]+)["']\s*:\s*["']([^"']+)["']`), named: true},
	{pattern: regexp.MustCompile(`(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{8,})`)},

	{pattern: regexp.MustCompile(`\b(gh[pousr]_[A-Za-z0-9]{8,})`)},
	{pattern: regexp.MustCompile(`\b(github_pat_[A-Za-z0-9_]{8,})`)},
	{pattern: regexp.MustCompile(`\b(glpat-[A-Za-z0-9_-]{8,})`)},
	{pattern: regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{12,})`), fits: hasDigit},
	{pattern: regexp.MustCompile(`\b(xox[a-z]-[A-Za-z0-9-]{8,})`)},
	{pattern: regexp.MustCompile(`\b((?:AKIA|ASIA)[A-Z0-9]{12,})\b`)},
	{pattern: regexp.MustCompile(`\b(AIza[A-Za-z0-9_-]{30,})`)},
	{pattern: regexp.MustCompile(`\b(eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*)`)}, // a JSON Web Token
}

// isNoPort is for what stands between a colon and an @: http://host:80/x@y has
// no password.
func isNoPort(value string) bool { return !ports.MatchString(value) }

var ports = regexp.MustCompile(`^[0-9]{1,5}/`)

func hasDigit(value string) bool { return strings.ContainsAny(value, "0123456789") }

var parameters = regexp.MustCompile(`([?&][^=&\s#]+=)([^&\s#]+)`)

// text returns a text as it can be shown, and what is secret in it.
func text(given string) (shown string, secrets []secret.String) {
	shown = given
	hide := func(value string) string {
		secrets = append(secrets, keep(value)...)
		if decoded, err := url.PathUnescape(value); err == nil && decoded != value {
			secrets = append(secrets, keep(decoded)...)
		}
		return secret.Redacted
	}
	for _, f := range forms {
		shown = f.replace(shown, hide)
	}
	if strings.Contains(shown, "://") {
		shown = parameters.ReplaceAllStringFunc(shown, func(parameter string) string {
			parts := parameters.FindStringSubmatch(parameter)
			return parts[1] + hide(parts[2])
		})
	}
	return shown, secrets
}

// replace has the secrets of a form replaced.
func (f form) replace(text string, hide func(string) string) string {
	var b strings.Builder
	end := 0
	for _, at := range f.pattern.FindAllStringSubmatchIndex(text, -1) {
		begin, until := at[len(at)-2], at[len(at)-1]
		value := text[begin:until]
		if f.named && !isSecretName(text[at[2]:at[3]]) || f.fits != nil && !f.fits(value) || strings.Contains(value, secret.Redacted) {
			continue
		}
		b.WriteString(text[end:begin] + hide(value))
		end = until
	}
	return b.String() + text[end:]
}
