package gate

import (
	"context"
	"html"
	"regexp"
	"strings"
	"unicode"
)

// The codes of xss.
const (
	CodeScriptTag    = "GATE_XSS_SCRIPT_TAG"
	CodeUnsafeTag    = "GATE_XSS_UNSAFE_TAG"
	CodeEventHandler = "GATE_XSS_EVENT_HANDLER"
	CodeScriptURL    = "GATE_XSS_JAVASCRIPT_URL"
	CodeDataURL      = "GATE_XSS_DATA_URL"
)

var (
	dangerous = regexp.MustCompile(`(?i)<\s*/?\s*(script|iframe|object|embed|meta|base|link)(?:[\s/>]|$)`)
	// active is the inside of a tag, or of the attributes that some generators
	// read after a heading.
	active    = regexp.MustCompile(`(?s)<[a-zA-Z/][^>]*>?|\{[^{}]*\}`)
	handler   = regexp.MustCompile(`(?i)(?:^|[\s"'/{;])on[a-z]{2,}\s*=`)
	scriptURL = regexp.MustCompile(`(?i)(?:java|vb)script:`)
	dataURL   = regexp.MustCompile(`(?i)data:(?:text/html|image/svg\+xml|application/xhtml\+xml)`)
)

// xss looks for what a browser would run, outside of code.
func xss(ctx context.Context, v *View, r *report) {
	for p := range v.changedPages {
		if ctx.Err() != nil {
			return
		}
		for _, line := range p.Lines {
			if line.New && !line.InCode() {
				for _, tag := range dangerous.FindAllStringSubmatch(line.Bare, -1) {
					code := CodeUnsafeTag
					if strings.EqualFold(tag[1], "script") {
						code = CodeScriptTag
					}
					r.add(line.Number, code, p.Path, strings.ToLower(tag[1]), "the page has a tag <%s>", strings.ToLower(tag[1]))
				}
			}
		}
		bare := p.Bare()
		for _, span := range active.FindAllStringIndex(bare, -1) {
			first := strings.Count(bare[:span[0]], "\n") + 1
			if last := first + strings.Count(bare[span[0]:span[1]], "\n"); p.anyNew(first, last) {
				judgeActive(p, first, bare[span[0]:span[1]], r)
			}
		}
		for _, link := range p.Links {
			if p.New(link.Line) {
				judgeAddress(p, link.Line, link.Target, r)
			}
		}
	}
}

func (p sitePage) anyNew(first, last int) bool {
	for line := first; line <= last; line++ {
		if p.New(line) {
			return true
		}
	}
	return false
}

func judgeActive(p sitePage, line int, text string, r *report) {
	text = html.UnescapeString(text)
	if handler.MatchString(text) {
		r.add(line, CodeEventHandler, p.Path, text, "the page has an event handler")
	}
	judgeAddress(p, line, text, r)
}

// judgeAddress looks for addresses that run something. Browsers do not see spaces
// and control characters in them.
func judgeAddress(p sitePage, line int, text string, r *report) {
	text = strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || unicode.IsControl(c) {
			return -1
		}
		return c
	}, html.UnescapeString(text))
	if scriptURL.MatchString(text) {
		r.add(line, CodeScriptURL, p.Path, text, "the page has an address that runs a script")
	}
	if dataURL.MatchString(text) {
		r.add(line, CodeDataURL, p.Path, text, "the page has an address with a document in it")
	}
}
