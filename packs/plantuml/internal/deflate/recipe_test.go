package deflate

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// A recipe describes an input in a line. It is a list of steps, separated by
// spaces; each appends to what the steps before it made:
//
//	"text" or "text"*N   a quoted string as in Go, N times
//	bytes(seed,n)        n random bytes
//	letters(seed,n,k)    n random letters out of k
//	skew(seed,n,k)       the same, each letter half as frequent as the one before
//	diagram(seed,n)      n bytes of a PlantUML diagram, not all of it ASCII
//	copies(seed,n,k)     n bytes: letters out of k, and copies of what was before
//	copy(distance,n)     n bytes, each the one distance before it
//	ladder(seed,d,l)     copies whose distances have the last d codes, and their lengths l codes, a little more often
//	                     than the two before together: this makes the deepest trees; needs 32 KB of random bytes before it
//
// The generators are written out here, random numbers included, because the
// recorded vectors depend on each byte they make.
type recipe string

// make follows the recipe.
func (r recipe) make() (text []byte, err error) {
	rest := strings.TrimSpace(string(r))
	for rest != "" {
		if rest[0] == '"' {
			text, rest, err = appendQuoted(text, rest)
		} else {
			step, after, _ := strings.Cut(rest, " ")
			rest = after
			text, err = appendStep(text, step)
		}
		if err != nil {
			return nil, fmt.Errorf("recipe %s: %w", r, err)
		}
		rest = strings.TrimLeft(rest, " ")
	}
	return text, nil
}

func appendQuoted(text []byte, rest string) ([]byte, string, error) {
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return nil, "", err
	}
	part, _ := strconv.Unquote(quoted)
	times, rest, _ := strings.Cut(rest[len(quoted):], " ")
	n := 1
	if times != "" {
		if n, err = strconv.Atoi(strings.TrimPrefix(times, "*")); err != nil {
			return nil, "", err
		}
	}
	for range n {
		text = append(text, part...)
	}
	return text, rest, nil
}

func appendStep(text []byte, step string) ([]byte, error) {
	name, list, _ := strings.Cut(strings.TrimSuffix(step, ")"), "(")
	var arguments [3]int
	for i, field := range strings.Split(list, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || i >= len(arguments) {
			return nil, fmt.Errorf("step %s: bad argument %q", step, field)
		}
		arguments[i] = n
	}
	a, b, c := arguments[0], arguments[1], arguments[2]
	random := source(a)
	end := len(text) + b
	switch name {
	case "bytes":
		for len(text) < end {
			text = append(text, byte(random.next()))
		}
	case "letters":
		for len(text) < end {
			text = append(text, letter(random.below(c)))
		}
	case "skew":
		for len(text) < end {
			text = append(text, letter(min(bits.TrailingZeros64(random.next()), c-1)))
		}
	case "diagram":
		text = appendDiagram(text, end, &random)
	case "copies":
		text = appendCopies(text, end, c, &random)
	case "copy":
		if a < 1 || a > len(text) {
			return nil, fmt.Errorf("step %s: only %d bytes before it", step, len(text))
		}
		text = appendCopy(text, a, b)
	case "ladder":
		text = appendLadder(text, b, c, &random)
	default:
		return nil, fmt.Errorf("unknown step %s", step)
	}
	return text, nil
}

func letter(n int) byte { return byte('a' + n) }

func appendCopy(text []byte, distance, n int) []byte {
	for range n {
		text = append(text, text[len(text)-distance])
	}
	return text
}

func appendDiagram(text []byte, end int, random *source) []byte {
	names := strings.Fields("Alice Bob Server Client Database Queue Kunde Größe 缓存 Отчёт 🌍")
	arrows := strings.Fields("-> --> ->> <-- ..> -[#red]->")
	words := strings.Fields("request response query insert update close open login token result error retry the of to [*]")
	pick := func(list []string) string { return list[random.below(len(list))] }
	ends, numbers := pick([]string{"\n", "\r\n"}), 1+random.below(200)
	text = append(text, "@startuml"+ends...)
	for len(text) < end {
		from, to := pick(names), pick(names)
		if random.below(3) == 0 {
			to = fmt.Sprint("node", random.below(numbers))
		}
		text = append(text, from+" "+pick(arrows)+" "+to...)
		for i := range random.below(6) {
			text = append(text, [...]string{" : ", " "}[min(i, 1)]+pick(words)...)
		}
		text = append(text, ends...)
	}
	return text[:end]
}

func appendCopies(text []byte, end, k int, random *source) []byte {
	edges := []int{3, 3, 4, 5, 31, 32, 33, 257, 258, 259, 300, 517}
	for len(text) < end {
		if random.below(2) == 0 || len(text) == 0 {
			for range 1 + random.below(20) {
				text = append(text, letter(random.below(k)))
			}
			continue
		}
		n := edges[random.below(len(edges))]
		if random.below(2) == 0 {
			n = 3 + random.below(40)
		}
		// Half of the distances are short, few are as long as possible.
		distance := 1 + random.below(min(len(text), 1<<(1+random.below(16))))
		text = appendCopy(text, distance, n)
	}
	return text[:end]
}

func appendLadder(text []byte, d, l int, random *source) []byte {
	farther, shorter := rungs(d, random), rungs(l, random)
	copied, after := make([]bool, len(text)+1<<20), 0
	for i := range max(len(farther), len(shorter)) {
		code, length := 26+i%4, 4
		if d > 0 {
			code = 30 - d + farther[i%len(farther)]
		}
		if l > 0 {
			length = firstLengths[l-1-shorter[i%len(shorter)]]
		}
		// What was copied before would be found there, at another distance,
		// and a copy must not go on where the one before it ended.
		first, width := firstDistance(code)
		for range 1000 {
			start := len(text) - min(first+random.below(width), maxDistance)
			if (d == 0 || !slices.Contains(copied[start:start+length], true)) && text[start] != text[after] {
				after = start + length
				for j := range length {
					copied[start+j] = true
					text = append(text, text[start+j])
				}
				break
			}
		}
	}
	return text
}

// firstLengths are the first lengths of the codes from 258 on.
var firstLengths = []int{4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99}

// rungs returns the numbers below k in random order: 0 and 1 once, each other
// a little more often than the two before it together.
func rungs(k int, random *source) (numbers []int) {
	for i, n, next := 0, 1, 1; i < k; i, n, next = i+1, next, n+next+next/16 {
		for range n {
			numbers = append(numbers, i)
		}
	}
	for i := range numbers {
		j := i + random.below(len(numbers)-i)
		numbers[i], numbers[j] = numbers[j], numbers[i]
	}
	return numbers
}

// firstDistance returns the first distance of a code, and how many it has.
func firstDistance(code int) (first, width int) {
	if code < 4 {
		return code + 1, 1
	}
	width = 1 << (code/2 - 1)
	return (2+code%2)*width + 1, width
}

// A source is a SplitMix64 generator at some point of its sequence.
type source uint64

func (s *source) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func (s *source) below(n int) int { return int(s.next() % uint64(n)) }

// randomRecipe returns the recipe of an input of up to about size bytes.
func randomRecipe(random *source, size int) recipe {
	var steps []string
	for range 1 + random.below(3) {
		n, seed := random.below(1+size), random.below(1<<30)
		k := 1 + random.below(1+random.below(100))
		switch random.below(12) {
		case 0:
			steps = append(steps, fmt.Sprintf("bytes(%d,%d)", seed, n))
		case 1:
			steps = append(steps, fmt.Sprintf("letters(%d,%d,%d)", seed, n, k))
		case 2:
			steps = append(steps, fmt.Sprintf("skew(%d,%d,%d)", seed, n, k))
		case 3:
			steps = append(steps, fmt.Sprintf("%q*%d", strings.Repeat(string(letter(k)), 1+k%3)+"\n"[k%2:], n/3))
		case 4, 5, 6, 7:
			steps = append(steps, fmt.Sprintf("copies(%d,%d,%d)", seed, n, k))
		default:
			steps = append(steps, fmt.Sprintf("diagram(%d,%d)", seed, n))
		}
		size /= 2
	}
	return recipe(strings.Join(steps, " "))
}
