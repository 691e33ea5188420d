package redact

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Place is a folder of this machine and the name it goes by, such as "data",
// which is written as <data>.
type Place struct {
	Path, Name string
}

// sorted returns the usable places, inner ones before those around them, each
// also by the path that symbolic links lead to.
func sorted(places []Place) []Place {
	var all []Place
	add := func(path, name string) {
		path = strings.TrimRight(path, `/\`)
		if filepath.IsAbs(path) && !slices.ContainsFunc(all, func(p Place) bool { return p.Path == path }) {
			all = append(all, Place{path, name})
		}
	}
	for _, place := range places {
		add(place.Path, place.Name)
		if real, err := filepath.EvalSymlinks(place.Path); err == nil {
			add(real, place.Name)
		}
	}
	slices.SortStableFunc(all, func(a, b Place) int {
		return cmp.Or(cmp.Compare(len(b.Path), len(a.Path)), cmp.Compare(a.Path, b.Path))
	})
	return all
}

// hide replaces places. A place has to begin where a path can begin and to end
// where a name ends: with a home at /root, content/root and /rooted stay.
func hide(text string, places []Place) string {
	if !slices.ContainsFunc(places, func(p Place) bool { return strings.Contains(text, p.Path) }) {
		return text
	}
	var out strings.Builder
	done := 0
	for i := 0; i < len(text); {
		at := slices.IndexFunc(places, func(p Place) bool {
			return strings.HasPrefix(text[i:], p.Path) && beginsPath(text[:i]) && endsName(text[i+len(p.Path):])
		})
		if at < 0 {
			i++
			continue
		}
		out.WriteString(text[done:i] + "<" + places[at].Name + ">")
		i += len(places[at].Path)
		done = i
	}
	return out.String() + text[done:]
}

func beginsPath(before string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || !isNameRune(last)
}

func endsName(after string) bool {
	next, size := utf8.DecodeRuneInString(after)
	if next == '.' { // a full stop, or the name goes on
		following, _ := utf8.DecodeRuneInString(after[size:])
		return !isNameRune(following)
	}
	return after == "" || !isNameRune(next)
}

func isNameRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-~", r)
}
