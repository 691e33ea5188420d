package siteprofile

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// The codes of input that a run cannot be started from.
const (
	InvalidURL      = "INVALID_URL"
	UnsupportedSite = "UNSUPPORTED_SITE"
	InvalidInput    = "INVALID_INPUT"
)

// An InputError is a URL or a repository that does not say enough, with what
// would help.
type InputError struct {
	Code      string
	Message   string
	Missing   []string            // missing_fields
	Suggested map[string][]string // suggested_values
}

func (e *InputError) Error() string { return e.Message }

// A URLPattern is the form of the URLs of a section, such as
// /{product}/{locale}/{platform}/{page?}/. Words with a question mark may be
// left out.
type URLPattern struct {
	Section string `yaml:"section" json:"section"`
	Path    string `yaml:"path" json:"path"`
}

// usualPath is the form that URLs of a section have if the profile does not say.
func usualPath(s Section) string {
	switch {
	case s.Localization == "none":
		return "/{product}/{platform}/{page?}/"
	case s.Localization == "filename" || s.ID == "blog":
		return "/{locale?}/{product}/{platform}/{page?}/"
	case s.ID == "products" || s.ID == "reference":
		return "/{product}/{locale}/{platform}/"
	}
	return "/{product}/{locale}/{platform}/{page?}/"
}

var urlWord = regexp.MustCompile(`^\{(product|locale|platform|page)\??\}$`)

func (p *Profile) urlFaults() (faults []error) {
	for _, u := range p.URLPatterns {
		if _, known := p.Section(u.Section); !known {
			faults = append(faults, fmt.Errorf("url_patterns: section %q is not known", u.Section))
			continue
		}
		for _, word := range u.words() {
			if !urlWord.MatchString(word) {
				faults = append(faults, fmt.Errorf("url_patterns: %q in %q is not understood", word, u.Path))
			}
		}
		if !slices.Contains(u.words(), "{product}") {
			faults = append(faults, fmt.Errorf("url_patterns: %q does not name the product", u.Path))
		}
	}
	return faults
}

func (u URLPattern) words() []string { return strings.Split(strings.Trim(u.Path, "/"), "/") }

// A ProductURL is what the URL of a page says about a product (8.5).
type ProductURL struct {
	Profile  *Profile
	Site     string // the host
	Section  string
	Product  string // as the URL spells it; the family's name
	Family   string
	Platform string
	Locale   string
	Page     string
}

// ProductSlug is the slug of the product in a run: family and platform.
func (u ProductURL) ProductSlug() string { return Slug(u.Family + "-" + u.Platform) }

// ProductURL reads the URL of a page of any profile's site. The error is an
// *InputError.
func (s *Set) ProductURL(raw string) (ProductURL, error) {
	u, err := url.Parse(raw)
	if err != nil || len(raw) > maxURL || u.Scheme != "https" || u.Host == "" || u.User != nil || strings.Contains(u.EscapedPath(), "%") {
		return ProductURL{}, &InputError{Code: InvalidURL, Message: "url must be the https address of a product page"}
	}
	host := strings.TrimSuffix(strings.ToLower(u.Host), ":443")
	known := false
	var fault error
	for _, p := range s.all {
		found, ours, err := p.productURL(host, u.Path)
		if known = known || ours; !ours {
			continue
		}
		if err == nil {
			return found, nil
		}
		// What is nearly right says more than what is not right at all.
		if input := (*InputError)(nil); fault == nil || errors.As(err, &input) && input.Code == InvalidInput {
			fault = err
		}
	}
	if !known {
		return ProductURL{}, &InputError{Code: UnsupportedSite, Message: fmt.Sprintf("no site profile has the host %q", host), Suggested: map[string][]string{"host": s.hosts()}}
	}
	return ProductURL{}, fault
}

func (s *Set) hosts() []string {
	var hosts []string
	for _, p := range s.all {
		for _, section := range p.Sections {
			if host := p.Host(section); !slices.Contains(hosts, host) {
				hosts = append(hosts, host)
			}
		}
	}
	return hosts
}

// productURL reads a URL of this site; ours says that the host is one of it.
func (p *Profile) productURL(host, urlPath string) (found ProductURL, ours bool, err error) {
	err = &InputError{Code: InvalidURL, Message: "url is not the address of a product page: it has none of the forms " + strings.Join(p.urlForms(host), ", ")}
	for _, pattern := range p.URLPatterns {
		section, _ := p.Section(pattern.Section)
		if p.Host(section) != host {
			continue
		}
		ours = true
		rest, below := strings.CutPrefix(strings.TrimSuffix(urlPath, "/")+"/", section.URLPrefix)
		if !below {
			continue
		}
		words, fits := p.fitWords(pattern.words(), strings.Split(strings.TrimSuffix(rest, "/"), "/"))
		if fits {
			found, err = p.known(ProductURL{Profile: p, Site: host, Section: section.ID}, words)
			return found, true, err
		}
	}
	return found, ours, err
}

func (p *Profile) urlForms(host string) []string {
	var forms []string
	for _, pattern := range p.URLPatterns {
		if section, _ := p.Section(pattern.Section); p.Host(section) == host {
			forms = append(forms, strings.TrimSuffix(section.URLPrefix, "/")+pattern.Path)
		}
	}
	return forms
}

// fitWords gives each word of a pattern its segment. An optional locale is there
// if the first segment is a locale of the site, an optional page if a segment is
// left.
func (p *Profile) fitWords(words, segments []string) (map[string]string, bool) {
	values := map[string]string{}
	for _, word := range words {
		name := strings.Trim(word, "{?}")
		optional := strings.Contains(word, "?")
		switch {
		case optional && (len(segments) == 0 || name == "locale" && !slices.Contains(p.Locales, segments[0])):
			continue
		case len(segments) == 0 || segments[0] == "":
			return nil, false
		}
		values[name], segments = segments[0], segments[1:]
	}
	return values, len(segments) == 0
}

// known looks up the names in a URL.
func (p *Profile) known(u ProductURL, words map[string]string) (ProductURL, error) {
	unknown := func(field, value string, all []string) (ProductURL, error) {
		return ProductURL{}, &InputError{
			Code: InvalidInput, Message: fmt.Sprintf("%s %q is not known to the site profile %s", field, value, p.Name),
			Suggested: map[string][]string{field: all},
		}
	}
	family, known := p.Family(words["product"])
	if !known || family.Name != words["product"] && !slices.Contains(family.Aliases, words["product"]) {
		return unknown("family", words["product"], p.FamilyNames())
	}
	u.Product, u.Family, u.Page = family.Name, family.Name, words["page"]
	if u.Locale = words["locale"]; u.Locale == "" {
		u.Locale = p.DefaultLocale
	}
	if !slices.Contains(p.Locales, u.Locale) {
		return unknown("locale", u.Locale, p.Locales)
	}
	if word, has := words["platform"]; has {
		platform, known := p.Platform(word)
		if !known {
			return unknown("platform", word, p.PlatformNames())
		}
		u.Platform = platform.Name
	}
	return u, nil
}
