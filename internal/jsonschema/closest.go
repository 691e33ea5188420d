package jsonschema

import (
	"slices"
	"strings"
)

// What is wrong with a value in the light of an alternative tells how far the
// value is from it. Another type is furthest, then another tag.
const (
	farType    = 1_000_000
	farTag     = 10_000
	farMissing = 100
	farOther   = 1
)

// alternatives are the shapes of an anyOf.
type alternatives []*shape

// closest notes what is wrong with v, which fits none of the alternatives, in
// the light of the one that it was meant to be. If several are as close, it notes
// what they agree on, or failing that, that v fits none of them.
func (w *walker) closest(all alternatives, v any) {
	at := w.pointer()
	var nearest [][]Violation
	best := 0
	for _, f := range all {
		list := w.alternative(f, v)
		switch d := all.distance(at, list); {
		case nearest == nil || d < best:
			nearest, best = [][]Violation{list}, d
		case d == best:
			nearest = append(nearest, list)
		}
	}
	if i := slices.IndexFunc(nearest[0], func(v Violation) bool { return all.tags(at, v) != nil }); i >= 0 {
		v := nearest[0][i]
		w.list = append(w.list, Violation{v.Path, "enum", "must be " + oneOf(all.tags(at, v))})
		return
	}
	shared := slices.DeleteFunc(slices.Clone(nearest[0]), func(v Violation) bool {
		return slices.ContainsFunc(nearest, func(list []Violation) bool { return !slices.Contains(list, v) })
	})
	if len(shared) == 0 {
		w.note("anyOf", noneOf(at, len(nearest), func(i int) []Violation { return inOrder(nearest[i]) }))
		return
	}
	for _, v := range shared {
		if !w.done() {
			w.list = append(w.list, v)
		}
	}
}

// distance says how far the value at a path is from an alternative that finds
// those violations.
func (all alternatives) distance(at string, list []Violation) int {
	d := 0
	for _, v := range list {
		switch depth := strings.Count(v.Path[len(at):], "/"); {
		case depth == 0 && v.Keyword == "type":
			d += farType
		case depth == 1 && v.Keyword == "required":
			d += farMissing
		case all.tags(at, v) != nil:
			d += farTag
		default:
			d += farOther
		}
	}
	return d
}

// tags returns nil unless v is about a tag of the value at a path: a member such
// as "type", of which several alternatives have constants to tell them apart. It
// lists these constants.
func (all alternatives) tags(at string, v Violation) []any {
	token := v.Path[len(at):]
	if v.Keyword != "const" && v.Keyword != "enum" || strings.Count(token, "/") != 1 {
		return nil
	}
	name := pointerUnescapes.Replace(token[1:])
	var list []any
	tagged := 0
	for _, f := range all {
		constants := f.constantsOf(name)
		if constants != nil {
			tagged++
		}
		for _, constant := range constants {
			if !slices.Contains(list, constant) {
				list = append(list, constant)
			}
		}
	}
	if tagged < 2 {
		return nil
	}
	return list
}

var pointerUnescapes = strings.NewReplacer("~1", "/", "~0", "~")

// constantsOf returns the constants that f has for a member.
func (f *shape) constantsOf(name string) []any {
	if member := f.properties[name]; member != nil {
		return member.constants
	}
	for _, part := range f.allOf {
		if list := part.constantsOf(name); list != nil {
			return list
		}
	}
	return nil
}
