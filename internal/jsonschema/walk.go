package jsonschema

import (
	"encoding/json"
	"slices"
	"strconv"

	lib "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// walker goes through a value and notes what is wrong with it. It is done, and
// should go no further, as soon as it has noted as many as its limit. Paths are
// put together only for what it notes.
type walker struct {
	limit int
	guess bool // which alternative a value was meant to be
	path  []step
	list  []Violation
}

// step leads to a member, or to an element if name is nil.
type step struct {
	name  *string
	index int
}

func (w *walker) done() bool { return len(w.list) >= w.limit }

func (w *walker) enter(s step) { w.path = append(w.path, s) }
func (w *walker) leave()       { w.path = w.path[:len(w.path)-1] }

func (w *walker) pointer() string {
	tokens := make([]string, len(w.path))
	for i, s := range w.path {
		if s.name != nil {
			tokens[i] = *s.name
		} else {
			tokens[i] = strconv.Itoa(s.index)
		}
	}
	return pointer(tokens)
}

// note adds a violation by the value at the path. What is noted twice counts
// twice, or a value that keeps on breaking one rule would be walked to its end.
func (w *walker) note(keyword, message string) {
	if !w.done() {
		w.list = append(w.list, Violation{w.pointer(), keyword, message})
	}
}

// noteKind is note in the words for a failure found by the library.
func (w *walker) noteKind(k lib.ErrorKind) { w.note(describe(k)) }

// hugeNumbers lists the numbers in v that are out of range.
func hugeNumbers(v any) []Violation {
	w := walker{limit: maxViolations}
	w.hugeNumbers(v)
	return tidy(w.list)
}

func (w *walker) hugeNumbers(v any) {
	switch v := v.(type) {
	case json.Number:
		if isHuge(string(v)) {
			w.note("type", "is a number out of range")
		}
	case []any:
		for i, element := range v {
			if w.done() {
				return
			}
			w.enter(step{index: i})
			w.hugeNumbers(element)
			w.leave()
		}
	case map[string]any:
		for _, name := range sortedNames(v) {
			if w.done() {
				return
			}
			w.enter(step{name: &name})
			w.hugeNumbers(v[name])
			w.leave()
		}
	}
}

func sortedNames(object map[string]any) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// violations says what is wrong with a value that does not fit.
func (f *shape) violations(v any) []Violation {
	w := walker{limit: maxViolations}
	w.value(f, v)
	return tidy(w.list)
}

// value looks at things in the order of the library, which goes no further into
// a value of the wrong type.
func (w *walker) value(f *shape, v any) {
	got := typeName(v)
	switch {
	case f.never != "":
		w.note(f.never, notAllowed)
		return
	case got == "":
		w.noteKind(&kind.InvalidJsonValue{})
		return
	case !f.allows(v):
		w.noteKind(&kind.Type{Got: got, Want: f.types})
		return
	case !f.fitsConstant(v):
		w.noteKind(f.constant)
		return
	}
	switch v := v.(type) {
	case string:
		w.string(f, v)
	case json.Number:
		w.number(f, v)
	case []any:
		w.array(f, v)
	case map[string]any:
		w.object(f, v)
	}
	for _, part := range f.allOf {
		if !w.done() {
			w.value(part, v)
		}
	}
	if w.done() || f.fitsAny(v) {
		return
	}
	if w.guess {
		w.closest(f.anyOf, v)
		return
	}
	w.note("anyOf", noneOf(w.pointer(), len(f.anyOf), func(i int) []Violation {
		return tidy(w.alternative(f.anyOf[i], v))
	}))
}

// alternative lists what is wrong with v in the light of f alone.
func (w *walker) alternative(f *shape, v any) []Violation {
	alone := walker{limit: maxViolations, guess: w.guess, path: w.path}
	alone.value(f, v)
	return alone.list
}

func (w *walker) string(f *shape, s string) {
	if n, ok := f.fitsLength(s); !ok {
		if f.minLength != nil && n < *f.minLength {
			w.noteKind(&kind.MinLength{Got: n, Want: *f.minLength})
		}
		if f.maxLength != nil && n > *f.maxLength {
			w.noteKind(&kind.MaxLength{Got: n, Want: *f.maxLength})
		}
	}
	if f.pattern != nil && !f.pattern.MatchString(s) {
		w.noteKind(&kind.Pattern{Want: f.pattern.String()})
	}
}

func (w *walker) number(f *shape, number json.Number) {
	d := parseDecimal(string(number), nil)
	if f.minimum != nil && d.compare(f.minimum.decimal) < 0 {
		w.noteKind(&kind.Minimum{Want: f.minimum.rat})
	}
	if f.maximum != nil && d.compare(f.maximum.decimal) > 0 {
		w.noteKind(&kind.Maximum{Want: f.maximum.rat})
	}
}

func (w *walker) array(f *shape, list []any) {
	if f.minItems != nil && len(list) < *f.minItems {
		w.noteKind(&kind.MinItems{Got: len(list), Want: *f.minItems})
	}
	if f.maxItems != nil && len(list) > *f.maxItems {
		w.noteKind(&kind.MaxItems{Got: len(list), Want: *f.maxItems})
	}
	if f.items == nil {
		return
	}
	for i, v := range list {
		if w.done() {
			return
		}
		w.enter(step{index: i})
		w.value(f.items, v)
		w.leave()
	}
}

func (w *walker) object(f *shape, object map[string]any) {
	for _, name := range f.required {
		if _, ok := object[name]; !ok && !w.done() {
			w.enter(step{name: &name})
			w.note("required", isRequired)
			w.leave()
		}
	}
	if f.properties == nil && f.additional == nil {
		return
	}
	for _, name := range sortedNames(object) {
		if w.done() {
			return
		}
		if part := f.member(name); part != nil {
			w.enter(step{name: &name})
			w.value(part, object[name])
			w.leave()
		}
	}
}
