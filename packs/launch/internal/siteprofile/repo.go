package siteprofile

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Why the policy refuses the URL of a repository (8.3).
const (
	RepoMalformed       = "REPO_URL_MALFORMED"
	RepoInvalidProtocol = "REPO_URL_INVALID_PROTOCOL"
	RepoInvalidHost     = "REPO_URL_INVALID_HOST"
	RepoInvalidFamily   = "REPO_URL_INVALID_FAMILY"
	RepoInvalidPlatform = "REPO_URL_INVALID_PLATFORM"
	RepoPolicyViolation = "REPO_URL_POLICY_VIOLATION"
)

// A PolicyError is a URL that a run must not read.
type PolicyError struct {
	Code   string
	Reason string
}

func (e *PolicyError) Error() string { return e.Code + ": repository URL " + e.Reason }

// A Repo is a repository that the policy allows.
type Repo struct {
	URL         string // in its normal form, without .git
	Owner, Name string // Owner is empty for a local repository
	Local       bool
	Family      string // as far as the name says it
	Platform    string
	ByName      bool // a pattern matched that says more than {org}/{repo}
}

// maxURL bounds a URL, in bytes.
const maxURL = 2048

// Repo says whether a run may read a repository. It is asked when a run is
// configured and again before a clone. The error is a *PolicyError.
func (p *Profile) Repo(raw string) (Repo, error) {
	local := strings.HasPrefix(raw, "/") || strings.HasPrefix(strings.ToLower(raw), "file:")
	strange := func(r rune) bool { return r < ' ' || r == 0x7f || !local && (r == ' ' || r > '~') } // folders may be called anything
	if raw == "" || len(raw) > maxURL || !utf8.ValidString(raw) || strings.ContainsFunc(raw, strange) {
		return Repo{}, &PolicyError{RepoMalformed, "must be a plain URL"}
	}
	if local {
		return p.localRepo(raw)
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme == "" && !strings.Contains(raw, ":") {
		return Repo{}, &PolicyError{RepoMalformed, "must be a plain URL"}
	}
	if u.Scheme != "https" {
		return Repo{}, &PolicyError{RepoInvalidProtocol, "must begin with https://"}
	}
	if u.User != nil || u.Opaque != "" || strings.ContainsAny(raw, `?#%\`) || strings.Contains(u.Path, "..") || strings.Contains(u.Path, "//") {
		return Repo{}, &PolicyError{RepoMalformed, "must have no user, query, fragment, .. or encoded characters"}
	}
	host := strings.ToLower(u.Host)
	if !slices.Contains(p.RepoPolicy.Hosts, host) {
		return Repo{}, &PolicyError{RepoInvalidHost, fmt.Sprintf("must have one of the hosts %s", strings.Join(p.RepoPolicy.Hosts, ", "))}
	}
	owner, name, found := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	name = strings.TrimSuffix(name, ".git")
	if !found || !ownerForm.MatchString(owner) || !nameForm.MatchString(name) || strings.Trim(name, ".") == "" || strings.HasSuffix(strings.ToLower(name), ".git") {
		return Repo{}, &PolicyError{RepoMalformed, "must have a path of owner and name"}
	}
	return p.named(Repo{URL: "https://" + host + "/" + owner + "/" + name, Owner: owner, Name: name})
}

// Names on code hosts. None begins with a dash, so that none is an option of git.
var (
	ownerForm = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$`)
	nameForm  = regexp.MustCompile(`^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,99}$`)
)

// localRepo judges a file URL or an absolute path; patterns do not apply.
func (p *Profile) localRepo(raw string) (Repo, error) {
	if !p.LocalRepos() {
		return Repo{}, &PolicyError{RepoInvalidProtocol, "must begin with https://, since repositories of this machine are taken only with allow_local_repos"}
	}
	place := raw
	if rest, isURL := strings.CutPrefix(raw, "file://"); isURL {
		place = strings.TrimPrefix(rest, "localhost")
	}
	if !strings.HasPrefix(place, "/") || path.Clean(place) != strings.TrimSuffix(place, "/") || strings.ContainsAny(place, `?#%\`) {
		return Repo{}, &PolicyError{RepoMalformed, "must be file:// and an absolute path as it is, without .. and none of the characters ? # % and \\"}
	}
	place = path.Clean(place)
	repo := Repo{URL: "file://" + place, Name: strings.TrimSuffix(path.Base(place), ".git"), Local: true}
	if repo.Name == "" || repo.Name == "/" {
		return Repo{}, &PolicyError{RepoMalformed, "must name a folder"}
	}
	if p.Families.Any {
		repo.Family = Slug(repo.Name)
	}
	return repo, nil
}

// named compares the name with the patterns. The first that matches with a known
// family and platform counts; else the first that matches says what is wrong.
func (p *Profile) named(repo Repo) (Repo, error) {
	var fault error
	for _, pattern := range p.patterns {
		words, matches := pattern.match(repo.Owner + "/" + repo.Name)
		if !matches {
			continue
		}
		known, err := p.knownWords(repo, words)
		if err == nil {
			known.ByName = pattern.byName
			return known, nil
		}
		if fault == nil {
			fault = err
		}
	}
	if fault == nil {
		fault = &PolicyError{RepoPolicyViolation, fmt.Sprintf("does not match the patterns of the profile %s", p.Name)}
	}
	return Repo{}, fault
}

func (p *Profile) knownWords(repo Repo, words map[string]string) (Repo, error) {
	if word, has := words["family"]; has {
		if family, known := p.Family(word); known {
			repo.Family = family.Name
		} else if family, known := p.Family(Slug(word)); known {
			repo.Family = family.Name
		} else {
			return repo, &PolicyError{RepoInvalidFamily, fmt.Sprintf("names the unknown family %q", word)}
		}
	} else if p.Families.Any {
		repo.Family = Slug(repo.Name)
	}
	if word, has := words["platform"]; has {
		platform, known := p.Platform(word)
		if !known {
			return repo, &PolicyError{RepoInvalidPlatform, fmt.Sprintf("names the unknown platform %q", word)}
		}
		repo.Platform = platform.Name
	}
	return repo, nil
}

// A repoPattern is a pattern of the policy, such as {org}/lib-{family}(-go)?.
type repoPattern struct {
	form   *regexp.Regexp
	byName bool // it says more than {org}/{repo}
}

var patternParts = regexp.MustCompile(`\{[a-z]+\}|\([^(){}|]*\)\?|[^{}()]+|.`)

func compilePattern(text string) (repoPattern, error) {
	form := "(?i)^"
	for _, part := range patternParts.FindAllString(text, -1) {
		switch {
		case part == "{org}" || part == "{repo}":
			form += `(?P<` + part[1:len(part)-1] + `>[A-Za-z0-9_.-]+)`
		case part == "{family}" || part == "{platform}":
			form += `(?P<` + part[1:len(part)-1] + `>[A-Za-z0-9_.+-]+?)`
		case strings.HasSuffix(part, ")?"):
			form += "(?:" + regexp.QuoteMeta(part[1:len(part)-2]) + ")?"
		case strings.ContainsAny(part, "{}()"):
			return repoPattern{}, fmt.Errorf("repo pattern %q: %q is not understood", text, part)
		default:
			form += regexp.QuoteMeta(part)
		}
	}
	compiled, err := regexp.Compile(form + "$")
	if err != nil || strings.Count(text, "/") != 1 {
		return repoPattern{}, fmt.Errorf("repo pattern %q must be an owner and a name", text)
	}
	return repoPattern{compiled, !strings.Contains(text, "{repo}")}, nil
}

func (r repoPattern) match(name string) (map[string]string, bool) {
	found := r.form.FindStringSubmatch(name)
	if found == nil {
		return nil, false
	}
	words := map[string]string{}
	for i, group := range r.form.SubexpNames() {
		if group != "" {
			words[group] = found[i]
		}
	}
	return words, true
}

// repoFaults compiles the patterns and checks all that is said of repositories.
func (p *Profile) repoFaults() (faults []error) {
	p.patterns = nil
	for _, text := range p.RepoPolicy.Patterns {
		pattern, err := compilePattern(text)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		p.patterns = append(p.patterns, pattern)
	}
	if len(p.RepoPolicy.Patterns) == 0 {
		faults = append(faults, errors.New("repo_policy.patterns must not be empty"))
	}
	for _, host := range slices.Concat(p.RepoPolicy.Hosts, p.RepoPolicy.PrivateHosts) {
		if !hostName.MatchString(host) {
			faults = append(faults, fmt.Errorf("repo_policy: host %q is not valid", host))
		}
	}
	for _, known := range p.ProductRepos {
		if _, err := p.Repo(known.Repo); err != nil {
			faults = append(faults, fmt.Errorf("product_repos: %s: %w", known.Repo, err))
		}
	}
	for _, template := range p.RepoCandidates {
		if !strings.HasPrefix(template, "https://") {
			faults = append(faults, fmt.Errorf("repo_candidates: %s must begin with https://", template))
		}
	}
	return faults
}

// Slug makes a name of a URL out of any text: lower case letters and digits with
// single dashes between them, at most 63; "x" if nothing is left.
func Slug(text string) string {
	var slug strings.Builder
	dash := false
	for _, r := range strings.ToLower(text) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if dash && slug.Len() > 0 {
				slug.WriteByte('-')
			}
			dash = false
			slug.WriteRune(r)
		} else {
			dash = true
		}
	}
	made := strings.TrimRight(slug.String()[:min(slug.Len(), 63)], "-")
	if made == "" {
		return "x"
	}
	return made
}
