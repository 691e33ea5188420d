package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// An artifactRef names a file of a run.
type artifactRef struct {
	Name string
	Size int64 `json:"size_bytes"`
}

// drafts is the folder of the pages. In it each section has a folder, and in
// that the pages are where they will be in the site.
const drafts = "drafts/"

// section is that of a page, and empty for all that is no page.
func (a artifactRef) section() string {
	rest, isPage := strings.CutPrefix(a.Name, drafts)
	section, _, nested := strings.Cut(rest, "/")
	if !isPage || !nested {
		return ""
	}
	return section
}

// shortNames are what pages can be called: the section, and as much of the end
// of the name as no other page of the section has. Other files have no others.
func shortNames(files []artifactRef) map[string]string {
	short := map[string]string{}
	for _, file := range files {
		section := file.section()
		if short[file.Name] = file.Name; section == "" {
			continue
		}
		segments := strings.Split(file.Name, "/")
		for n := 1; n < len(segments)-1; n++ {
			end := strings.Join(segments[len(segments)-n:], "/")
			if name := section + "/" + end; end != "index.md" && slices.Equal(named(files, name), []string{file.Name}) {
				short[file.Name] = name
				break
			}
		}
	}
	return short
}

// named are the files that a name can mean: that one, or those whose names end
// with it, in a section if it begins with one.
func named(files []artifactRef, name string) (meant []string) {
	section, end, _ := strings.Cut(name, "/")
	for _, file := range files {
		switch {
		case file.Name == name:
			return []string{name}
		case strings.HasSuffix(file.Name, "/"+name), end != "" && file.section() == section && strings.HasSuffix(file.Name, "/"+end):
			meant = append(meant, file.Name)
		}
	}
	return meant
}

// filesText tells of the files of a run in few lines.
func filesText(p *page, files []artifactRef) {
	short, pages, documents := shortNames(files), map[string][]string{}, []string{}
	var order []string
	var sizes [2]int64
	for _, file := range files {
		section := file.section()
		if section == "" {
			sizes[1] += file.Size
			documents = append(documents, entry(file.Name, file.Size))
			continue
		}
		if pages[section] == nil {
			order = append(order, section)
		}
		sizes[0] += file.Size
		pages[section] = append(pages[section], entry(strings.TrimPrefix(short[file.Name], section+"/"), file.Size))
	}
	if count := len(files) - len(documents); count > 0 {
		p.heading("%s, %s", several(count, "page"), size(sizes[0]))
		for _, section := range order {
			p.list("  "+section, labelWidth+2, pages[section])
		}
	}
	if len(documents) > 0 {
		p.heading("%s, %s", several(len(documents), "document"), size(sizes[1]))
		p.list("", 2, documents)
	}
}

func entry(name string, bytes int64) string { return fmt.Sprintf("%s (%s)", name, size(bytes)) }

// unlisted are files that every run has and no status lists.
var unlisted = []string{"events.ndjson", "run_config.yaml", "snapshot.json"}

// filesList lists the files of a run by the names that artifact takes.
func filesList(p *page, s status) {
	short := shortNames(s.Artifacts)
	var pages, documents [][]string
	example := ""
	for _, file := range s.Artifacts {
		row := []string{fmt.Sprintf("%10s", size(file.Size)), short[file.Name]}
		if file.section() == "" {
			documents = append(documents, row)
			continue
		}
		pages = append(pages, row)
		if path.Base(file.Name) == "overview.md" || example == "" {
			example = short[file.Name]
		}
	}
	for _, name := range unlisted {
		if !slices.ContainsFunc(s.Artifacts, func(a artifactRef) bool { return a.Name == name }) {
			documents = append(documents, []string{fmt.Sprintf("%10s", ""), name})
		}
	}
	if len(pages) > 0 {
		p.heading("Pages")
		p.table(pages)
	}
	p.heading("Documents")
	p.table(documents)
	if example != "" {
		p.next("read one", "artifact", s.RunID, example)
	}
}
