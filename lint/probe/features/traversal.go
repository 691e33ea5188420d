package features

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// mostTemplates is how many templates are climbed out of.
const mostTemplates = 2

// climb reads a file that the server does not offer, by paths that lead out of
// what it does (RES-012). That needs a file on the server's machine.
func (p *script) climb() {
	if p.s.URL() != "" && !p.s.IsLoopback() {
		return
	}
	base, templates := p.fileFolder(), p.templates()
	if base == "" && len(templates) == 0 {
		return
	}
	file, remove := putOutside(p.offered())
	if file == "" {
		return
	}
	defer remove()
	for _, form := range climbs {
		way := form.write(file)
		if base != "" {
			p.Ask(step.ReadTraversal, form.name, mcp.MethodReadResource, object("uri", base+way))
		}
		for _, template := range templates {
			p.Ask(step.ReadTraversal, "template "+form.name, mcp.MethodReadResource, object("uri", expand(template, way)))
		}
	}
}

// climbs are the forms of a path that goes up to the root, from wherever, and
// down to a file.
var climbs = []struct {
	name  string
	write func(file string) string
}{
	{"dots", func(file string) string { return strings.Repeat("../", height) + file }},
	{"encoded dots", func(file string) string { return strings.Repeat("%2e%2e/", height) + file }},
	{"encoded slashes", func(file string) string {
		return strings.ReplaceAll(strings.Repeat("../", height)+file, "/", "%2f")
	}},
}

// height is more than folders are usually deep; to climb above the root does no
// harm.
const height = 16

// fileFolder is the URI of the folder of the first listed file; empty if none is
// listed.
func (p *script) fileFolder() string {
	for _, item := range p.items(mcp.MethodListResources) {
		if strings.HasPrefix(item.Name, "file://") {
			return item.Name[:strings.LastIndex(item.Name, "/")+1]
		}
	}
	return ""
}

// offered are the folders of all listed files, as far as they can be read from
// their URIs.
func (p *script) offered() []string {
	var folders []string
	for _, item := range p.items(mcp.MethodListResources) {
		if u, err := url.Parse(item.Name); err == nil && u.Scheme == "file" {
			folders = append(folders, path.Dir(path.Clean("/"+u.Path)))
		}
	}
	return folders
}

// putOutside makes a file that holds step.OutsideText, in a folder of its own
// outside of those given. It returns the path without the leading slash, which
// is empty if there is no place for the file.
func putOutside(offered []string) (file string, remove func()) {
	here, _ := os.Getwd() // where servers are started
	offered = append(slices.Clone(offered), here, os.TempDir())
	cache, _ := os.UserCacheDir()
	for _, place := range []string{"/var/tmp", cache} {
		place, err := filepath.EvalSymlinks(place)
		if err != nil || !strings.HasPrefix(place, "/") || slices.ContainsFunc(offered, func(folder string) bool { return isWithin(place, folder) }) {
			continue
		}
		folder, err := os.MkdirTemp(place, "mcplint-")
		if err != nil {
			continue
		}
		remove = func() { _ = os.RemoveAll(folder) } // nothing can be done about it
		file = filepath.Join(folder, "outside.txt")
		if os.WriteFile(file, []byte(step.OutsideText+"\n"), 0o600) == nil {
			return file[1:], remove
		}
		remove()
	}
	return "", nil
}

// isWithin says whether a place lies in a folder, or is that folder.
func isWithin(place, folder string) bool {
	if resolved, err := filepath.EvalSymlinks(folder); err == nil {
		folder = resolved
	}
	way, err := filepath.Rel(folder, place)
	return folder != "" && err == nil && way != ".." && !strings.HasPrefix(way, "../")
}

// expression is an expression of RFC 6570: its operator and its first variable.
var expression = regexp.MustCompile(`\{([+#./;?&]?)([A-Za-z0-9_.%]+)[^{}]*\}`)

// templates are the first listed templates that have a variable.
func (p *script) templates() []string {
	var templates []string
	for _, item := range p.items(mcp.MethodListResourceTemplates) {
		if len(templates) < mostTemplates && expression.MatchString(item.Name) {
			templates = append(templates, item.Name)
		}
	}
	return templates
}

// expand fills the first variable of a template with a value, as it is, and all
// others with x.
func expand(template, value string) string {
	return expression.ReplaceAllStringFunc(template, func(text string) string {
		parts := expression.FindStringSubmatch(text)
		operator, name, filled := parts[1], parts[2], value
		value = "x"
		switch operator {
		case "?", "&", ";":
			return operator + name + "=" + filled
		case "+":
			return filled
		}
		return operator + filled
	})
}
