package body

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// code are claims from source files, under the packages that users import.
func (l *Library) code(page artifact.Page) string {
	var packages []string
	claims := map[string][]Claim{}
	for _, claim := range l.Of(page, Code, Method) {
		name := l.packageOf(claim.Path)
		if claims[name] == nil {
			packages = append(packages, name)
		}
		claims[name] = append(claims[name], claim)
	}
	var text strings.Builder
	for _, name := range packages {
		fmt.Fprintf(&text, "### %s\n\n", inCode("`"+strings.ReplaceAll(name, "`", "")+"`"))
		isAbout := func(c Claim) bool { return strings.HasPrefix(c.Text, "Package ") }
		about := slices.DeleteFunc(slices.Clone(claims[name]), func(c Claim) bool { return !isAbout(c) })
		names := slices.DeleteFunc(claims[name], isAbout)
		slices.SortStableFunc(names, func(a, c Claim) int { return l.standing(a) - l.standing(c) })
		text.WriteString(joined(lines(about), byType(names)) + "\n\n")
	}
	return text.String()
}

// standing puts constants and variables, which are neither types nor functions,
// after all other names.
func (l *Library) standing(claim Claim) int {
	name, surface := nameOf(claim), l.Facts.APISurface
	_, isType := slices.BinarySearch(surface.Classes, name)
	_, isFunction := slices.BinarySearch(surface.Functions, name)
	if isType || isFunction || Owner(claim.Text) != "" {
		return 0
	}
	return 1
}

// byType is a list of names, with the methods of a type below it.
func byType(claims []Claim) string {
	types := map[string]bool{}
	for _, claim := range claims {
		types[nameOf(claim)] = true
	}
	var list strings.Builder
	for _, claim := range claims {
		if types[Owner(claim.Text)] {
			continue
		}
		list.WriteString(bullets([]Claim{claim}))
		for _, method := range claims {
			if owner := Owner(method.Text); owner != "" && owner == nameOf(claim) {
				list.WriteString("  " + bullets([]Claim{method}))
			}
		}
	}
	return list.String()
}

// nameOf is the first name in backticks that a claim has, or empty.
func nameOf(claim Claim) string {
	_, name, _ := strings.Cut(claim.Text, "`")
	name, _, _ = strings.Cut(name, "`")
	return name
}

// packageOf is what users import to get what a source file has, or the path of
// the file.
func (l *Library) packageOf(file string) string {
	if name := l.npm(); name != "" && slices.Contains(scripts, path.Ext(file)) {
		return name
	}
	place := strings.TrimSuffix(file, path.Ext(file))
	if path.Ext(file) == ".go" {
		place = path.Dir(file)
	}
	place = strings.TrimSuffix(place, "/__init__")
	best := ""
	for _, module := range l.Facts.APISurface.Modules {
		folder := module
		if path.Ext(file) != ".go" {
			folder = strings.ReplaceAll(module, ".", "/")
		}
		isRoot := place == "." && (best == "" || len(module) < len(best))
		if isRoot || place != "." && (folder == place || strings.HasSuffix(folder, "/"+place) || strings.HasSuffix(place, "/"+folder)) {
			best = module
		}
	}
	if best == "" {
		return file
	}
	return best
}

// scripts are the endings of files of packages for Node.
var scripts = []string{".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx"}

// npm is the name of the only package for Node, or empty.
func (l *Library) npm() string {
	name := ""
	for _, way := range l.Facts.Distribution {
		switch {
		case way.Method != "npm":
		case name != "":
			return ""
		default:
			name = way.Identifier
		}
	}
	return name
}

// fewSymbols is how many names a page of the tier minimal has at most.
const fewSymbols = 10

// symbols lists the public names that the page says nothing about. In the tier
// minimal there are only some of them, and no modules.
func (l *Library) symbols(page artifact.Page) string {
	surface, few, told := l.Facts.APISurface, page.TemplateVariant == "minimal", l.Of(page, API, Code)
	modules := surface.Modules
	if len(told) > 0 || few && len(modules) > 0 {
		modules = nil // they are headings
	}
	known := map[string]bool{}
	for _, claim := range told {
		if claim.Category == Code {
			known[nameOf(claim)] = true
		}
	}
	half := few && len(surface.Modules) == 0 && len(told) == 0 // a list of all names is none of a few
	var text strings.Builder
	for _, kind := range []struct {
		title string
		names []string
	}{{"Types", surface.Classes}, {"Functions", surface.Functions}, {"Modules", modules}} {
		names := slices.DeleteFunc(slices.Clone(kind.names), func(name string) bool { return known[name] })
		if half {
			names = names[:(len(names)+1)/2]
		}
		if few {
			names = names[:min(len(names), fewSymbols)]
		}
		if list := codeList(names); list != "" {
			fmt.Fprintf(&text, "### %s\n\n%s\n", kind.title, list)
		}
	}
	return text.String()
}
