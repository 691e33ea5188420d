package server

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// A uriPattern matches URIs against a template of RFC 6570, as far as levels
// one and two go backwards: {name} takes one segment, {+name} anything.
type uriPattern struct {
	text  *regexp.Regexp
	names []string
	plain []bool // the variable is taken as it stands, not percent-decoded
}

var errTemplate = errors.New("only {name} and {+name} can be matched")

func parseURIPattern(template string) (*uriPattern, error) {
	p := &uriPattern{}
	var text strings.Builder
	text.WriteString(`^`)
	for rest := template; rest != ""; {
		literal, tail, found := strings.Cut(rest, "{")
		text.WriteString(regexp.QuoteMeta(literal))
		if !found {
			break
		}
		name, after, closed := strings.Cut(tail, "}")
		name, reserved := strings.CutPrefix(name, "+")
		if !closed || !variableName.MatchString(name) {
			return nil, errTemplate
		}
		if reserved {
			text.WriteString(`(.+)`)
		} else {
			text.WriteString(`([^/?#]+)`)
		}
		p.names, p.plain = append(p.names, name), append(p.plain, reserved)
		rest = after
	}
	text.WriteString(`$`)
	var err error
	if p.text, err = regexp.Compile(text.String()); err != nil {
		return nil, fmt.Errorf("unusable template: %w", err)
	}
	return p, nil
}

var variableName = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

func (p *uriPattern) match(uri string) (variables map[string]string, ok bool) {
	found := p.text.FindStringSubmatch(uri)
	if found == nil {
		return nil, false
	}
	variables = make(map[string]string, len(p.names))
	for i, name := range p.names {
		value := found[i+1]
		if !p.plain[i] {
			var err error
			value, err = url.PathUnescape(value)
			if err != nil || strings.ContainsAny(value, "/\x00") { // one segment stays one
				return nil, false
			}
		}
		variables[name] = value
	}
	return variables, true
}
