package schemas

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An expression is a regular expression of ECMA-262, as much of it as is needed
// to see whether it is one and what it repeats.
type expression struct {
	op       operation
	set      charset // of a character; of anything else, what it can begin with
	parts    []*expression
	nullable bool // it matches the empty text
	endless  bool // of a repetition
}

type operation int

const (
	nothing operation = iota // assertions, and the empty text
	character
	sequence
	choice
	repetition
)

// A charset is a set of characters. Those beyond Latin-1 count as one.
type charset struct {
	bits  [4]uint64
	other bool
}

func (c *charset) add(low, high rune) {
	for r := low; r <= min(high, 0xff); r++ {
		c.bits[r/64] |= 1 << (r % 64)
	}
	c.other = c.other || high > 0xff
}

func (c *charset) join(d charset) {
	for i := range c.bits {
		c.bits[i] |= d.bits[i]
	}
	c.other = c.other || d.other
}

func (c charset) inverted() charset {
	for i := range c.bits {
		c.bits[i] = ^c.bits[i]
	}
	c.other = true // there is more beyond Latin-1 than a set names
	return c
}

func (c charset) meets(d charset) bool {
	for i := range c.bits {
		if c.bits[i]&d.bits[i] != 0 {
			return true
		}
	}
	return c.other && d.other
}

// explodes says whether there is a repetition in a repetition that a text can go
// through in a number of ways that doubles with each character.
func (e *expression) explodes() bool {
	for _, part := range e.parts {
		if part.explodes() {
			return true
		}
	}
	return e.op == repetition && e.endless && e.parts[0].endsInLoop(e.parts[0].set)
}

// endsInLoop says whether the text can end in an endless repetition that could
// go on with what begins the next round.
func (e *expression) endsInLoop(next charset) bool {
	switch e.op {
	case repetition:
		if e.endless && e.parts[0].set.meets(next) {
			return true
		}
		return e.parts[0].endsInLoop(next)
	case choice:
		for _, part := range e.parts {
			if part.endsInLoop(next) {
				return true
			}
		}
	case sequence:
		for i := len(e.parts) - 1; i >= 0; i-- {
			if e.parts[i].endsInLoop(next) {
				return true
			}
			if !e.parts[i].nullable {
				return false
			}
		}
	}
	return false
}

// Bounds of a pattern.
const (
	maxPatternBytes = 8 << 10
	maxPatternDepth = 100
)

var errPatternTooLarge = errors.New("too large")

// parsePattern parses a pattern, also the forms that only browsers are asked to
// accept (annex B of ECMA-262).
func parsePattern(text string) (*expression, error) {
	if len(text) > maxPatternBytes {
		return nil, errPatternTooLarge
	}
	p := &patternParser{rest: text}
	e, err := p.choice()
	if err == nil && p.rest != "" {
		return nil, errors.New("a ) without its (")
	}
	return e, err
}

type patternParser struct {
	rest  string
	depth int
}

func (p *patternParser) take(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	p.rest = rest
	return ok
}

func (p *patternParser) next() rune {
	r, size := utf8.DecodeRuneInString(p.rest)
	p.rest = p.rest[size:]
	return r
}

// choice parses up to the end or a closing bracket.
func (p *patternParser) choice() (*expression, error) {
	if p.depth++; p.depth > maxPatternDepth {
		return nil, errPatternTooLarge
	}
	defer func() { p.depth-- }()
	e := &expression{op: choice}
	for {
		part, err := p.sequence()
		if err != nil {
			return nil, err
		}
		e.parts = append(e.parts, part)
		e.nullable = e.nullable || part.nullable
		e.set.join(part.set)
		if !p.take("|") {
			return e, nil
		}
	}
}

func (p *patternParser) sequence() (*expression, error) {
	e := &expression{op: sequence, nullable: true}
	for p.rest != "" && p.rest[0] != '|' && p.rest[0] != ')' {
		part, repeatable, err := p.term()
		if err != nil {
			return nil, err
		}
		if part, err = p.repeated(part, repeatable); err != nil {
			return nil, err
		}
		if e.nullable {
			e.set.join(part.set)
		}
		e.nullable = e.nullable && part.nullable
		e.parts = append(e.parts, part)
	}
	return e, nil
}

var empty = &expression{op: nothing, nullable: true}

// term parses one thing that may be repeated, or one that may not.
func (p *patternParser) term() (e *expression, repeatable bool, err error) {
	switch {
	case p.take("^"), p.take("$"), p.take(`\b`), p.take(`\B`):
		return empty, false, nil
	case p.take("("):
		return p.group()
	case p.take("["):
		e, err = p.class()
		return e, true, err
	case p.take(`\`):
		e, err = p.escape()
		return e, true, err
	case strings.ContainsRune("*+?", rune(p.rest[0])):
		return nil, false, errors.New("nothing before " + p.rest[:1] + " to repeat")
	case p.take("."):
		var lineEnds charset
		lineEnds.add('\n', '\n')
		lineEnds.add('\r', '\r')
		return &expression{op: character, set: lineEnds.inverted()}, true, nil
	}
	if _, _, size := quantifier(p.rest); size > 0 {
		return nil, false, errors.New("nothing before { to repeat")
	}
	return literal(p.next()), true, nil
}

func literal(r rune) *expression {
	e := &expression{op: character}
	e.set.add(r, r)
	return e
}

// group parses what comes after an opening bracket.
func (p *patternParser) group() (e *expression, repeatable bool, err error) {
	look, repeatable := false, true
	switch {
	case p.take("?:"):
	case p.take("?="), p.take("?!"):
		look = true
	case p.take("?<="), p.take("?<!"):
		look, repeatable = true, false
	case p.take("?<"):
		name, rest, ok := strings.Cut(p.rest, ">")
		if p.rest = rest; !ok || !isGroupName(name) {
			return nil, false, errors.New("a group has a bad name")
		}
	case p.take("?"):
		if !p.takeModifiers() {
			return nil, false, errors.New("(?" + firstRune(p.rest) + " begins no kind of group")
		}
	}
	if e, err = p.choice(); err != nil {
		return nil, false, err
	}
	if !p.take(")") {
		return nil, false, errors.New("a ( without its )")
	}
	if look {
		return &expression{op: sequence, nullable: true}, repeatable, nil
	}
	return e, repeatable, nil
}

// takeModifiers parses flags that hold for one group, as in (?i-m:…).
func (p *patternParser) takeModifiers() bool {
	flags, rest, ok := strings.Cut(p.rest, ":")
	if !ok || flags == "-" || flags == "" || strings.Trim(flags, "ims-") != "" || strings.Count(flags, "-") > 1 {
		return false
	}
	p.rest = rest
	return true
}

func firstRune(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 || r < ' ' {
		return ""
	}
	return string(r)
}

func isGroupName(name string) bool {
	for i, r := range name {
		letter := r == '_' || r == '$' || r == '\\' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// repeated parses a quantifier after a term, if there is one.
func (p *patternParser) repeated(term *expression, repeatable bool) (*expression, error) {
	low, high, size := quantifier(p.rest)
	if size == 0 {
		return term, nil
	}
	if !repeatable {
		return nil, errors.New("an assertion is repeated")
	}
	if high >= 0 && low > high {
		return nil, errors.New("the bounds of a repetition are in the wrong order")
	}
	p.rest = p.rest[size:]
	p.take("?")
	return &expression{
		op: repetition, parts: []*expression{term}, set: term.set, nullable: term.nullable || low == 0, endless: high < 0,
	}, nil
}

// quantifier reads *, +, ? and {2,3}. High is -1 if there is no end; size is 0
// if there is no quantifier.
func quantifier(text string) (low, high, size int) {
	switch {
	case strings.HasPrefix(text, "*"):
		return 0, -1, 1
	case strings.HasPrefix(text, "+"):
		return 1, -1, 1
	case strings.HasPrefix(text, "?"):
		return 0, 1, 1
	case !strings.HasPrefix(text, "{"):
		return 0, 0, 0
	}
	inner, _, ok := strings.Cut(text[1:], "}")
	first, second, comma := strings.Cut(inner, ",")
	if !ok || !isDigits(first) || comma && second != "" && !isDigits(second) {
		return 0, 0, 0 // a { that stands for itself
	}
	low, high = count(first), -1
	if !comma {
		high = low
	} else if second != "" {
		high = count(second)
	}
	return low, high, len(inner) + 2
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

func count(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		const many = 1 << 30
		return many
	}
	return n
}

// escape parses what comes after a backslash.
func (p *patternParser) escape() (*expression, error) {
	if p.rest == "" {
		return nil, errors.New(`a \ at the end`)
	}
	if r := p.rest[0]; r >= '1' && r <= '9' { // a group that was before, which may be empty
		p.rest = strings.TrimLeft(p.rest, "0123456789")
		return empty, nil
	}
	if p.take("k<") {
		_, rest, ok := strings.Cut(p.rest, ">")
		if p.rest = rest; !ok {
			return nil, errors.New("the name of a group has no end")
		}
		return empty, nil
	}
	return &expression{op: character, set: p.escaped()}, nil
}

// escaped is what a backslash and the next character stand for.
func (p *patternParser) escaped() (set charset) {
	switch r := p.next(); r {
	case 'd', 'D', 'w', 'W', 's', 'S':
		return shorthand(r)
	case 'p', 'P':
		if strings.HasPrefix(p.rest, "{") {
			_, p.rest, _ = strings.Cut(p.rest, "}")
			return set.inverted()
		}
		set.add(r, r)
	case 'x':
		r = p.hexadecimal(2, 'x')
		set.add(r, r)
	case 'u':
		r := p.unicode()
		set.add(r, r)
	case 'n', 'r', 't', 'v', 'f', '0':
		r = []rune("\n\r\t\v\f\x00")[strings.IndexRune("nrtvf0", r)]
		set.add(r, r)
	case 'c':
		r = p.next() % 32
		set.add(r, r)
	default:
		set.add(r, r)
	}
	return set
}

func shorthand(r rune) (set charset) {
	switch r | 0x20 {
	case 'd':
		set.add('0', '9')
	case 'w':
		set.add('0', '9')
		set.add('A', 'Z')
		set.add('a', 'z')
		set.add('_', '_')
	case 's':
		set.add('\t', '\r')
		set.add(' ', ' ')
		set.add(0xa0, 0xa0)
		set.other = true
	}
	if r < 'a' {
		return set.inverted()
	}
	return set
}

// hexadecimal reads a number of digits; without them the letter stands for
// itself.
func (p *patternParser) hexadecimal(digits int, letter rune) rune {
	if len(p.rest) >= digits {
		if n, err := strconv.ParseUint(p.rest[:digits], 16, 32); err == nil {
			p.rest = p.rest[digits:]
			return rune(n)
		}
	}
	return letter
}

// unicode reads what comes after \u.
func (p *patternParser) unicode() rune {
	if inner, rest, ok := strings.Cut(p.rest, "}"); ok && strings.HasPrefix(inner, "{") {
		if n, err := strconv.ParseUint(inner[1:], 16, 21); err == nil {
			p.rest = rest
			return rune(n)
		}
	}
	return p.hexadecimal(4, 'u')
}

// class parses what comes after [.
func (p *patternParser) class() (*expression, error) {
	e := &expression{op: character}
	inverted := p.take("^")
	for !p.take("]") {
		if p.rest == "" {
			return nil, errors.New("a [ without its ]")
		}
		low, single, err := p.classAtom()
		if err != nil {
			return nil, err
		}
		if !single || !strings.HasPrefix(p.rest, "-") || strings.HasPrefix(p.rest, "-]") || len(p.rest) < 2 {
			e.set.join(low.set)
			continue
		}
		p.take("-")
		high, single, err := p.classAtom()
		switch {
		case err != nil:
			return nil, err
		case !single: // as in [a-\d], where the - is one
			e.set.join(low.set)
			e.set.join(high.set)
			e.set.add('-', '-')
		case low.char > high.char:
			return nil, errors.New("the ends of a range are in the wrong order")
		default:
			e.set.add(low.char, high.char)
		}
	}
	if inverted {
		e.set = e.set.inverted()
	}
	return e, nil
}

type classAtom struct {
	set  charset
	char rune
}

// classAtom parses one member of a class. Single says that it is one character.
func (p *patternParser) classAtom() (atom classAtom, single bool, err error) {
	if !p.take(`\`) {
		atom.char = p.next()
		atom.set.add(atom.char, atom.char)
		return atom, true, nil
	}
	if p.rest == "" {
		return atom, false, errors.New("a [ without its ]")
	}
	kind, following := p.rest[0], p.rest
	if kind == 'b' {
		p.rest = p.rest[1:]
		atom.char = '\b'
		atom.set.add('\b', '\b')
		return atom, true, nil
	}
	atom.set = p.escaped()
	if strings.IndexByte("dDwWsS", kind) >= 0 || (kind == 'p' || kind == 'P') && len(following) > 1 && following[1] == '{' {
		return atom, false, nil
	}
	atom.char = atom.set.only(following[:len(following)-len(p.rest)])
	return atom, true, nil
}

// only is the one character of a set; of what is beyond Latin-1 it is read again
// from how it was written.
func (c charset) only(written string) rune {
	for r := rune(0); r <= 0xff; r++ {
		if c.bits[r/64]&(1<<(r%64)) != 0 {
			return r
		}
	}
	if written[0] == 'u' {
		p := patternParser{rest: written[1:]}
		return p.unicode()
	}
	r, _ := utf8.DecodeRuneInString(written)
	return r
}
