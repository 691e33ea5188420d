package canonical

import "bytes"

// Pretty lays out checked JSON text, two spaces for each level, one member or
// element on each line, and no newline at the end. Strings and numbers stay as
// they are spelled; white space that was between tokens goes. Text that was
// never checked gives nonsense, but no panic.
func Pretty(compact []byte) []byte {
	p := printer{dst: make([]byte, 0, len(compact)+len(compact)/4)}
	for i := 0; i < len(compact); {
		i = p.token(compact, i)
	}
	return p.dst
}

type printer struct {
	dst   []byte
	depth int
}

// token writes what begins at b[i] and returns the index after it.
func (p *printer) token(b []byte, i int) int {
	switch c := b[i]; c {
	case ' ', '\t', '\n', '\r':
	case '"':
		end := stringEnd(b, i)
		p.dst = append(p.dst, b[i:end]...)
		return end
	case '{', '[':
		p.dst = append(p.dst, c)
		next := skipSpace(b, i+1)
		if next < len(b) && b[next] == c+2 { // '}' is '{'+2, and ']' is '['+2
			p.dst = append(p.dst, c+2)
			return next + 1
		}
		p.depth++
		p.line()
	case '}', ']':
		p.depth = max(0, p.depth-1)
		p.line()
		p.dst = append(p.dst, c)
	case ',':
		p.dst = append(p.dst, c)
		p.line()
	case ':':
		p.dst = append(p.dst, ": "...)
	default:
		p.dst = append(p.dst, c)
	}
	return i + 1
}

// line begins a new line.
func (p *printer) line() {
	p.dst = append(p.dst, '\n')
	for range p.depth {
		p.dst = append(p.dst, "  "...)
	}
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// stringEnd returns the index after the string that opens at b[i].
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			break
		}
		i += n
		// The quote closes the string unless an odd number of backslashes
		// stands before it. The opening quote ends the count at the latest.
		k := i
		for b[k-1] == '\\' {
			k--
		}
		if (i-k)%2 == 0 {
			return i + 1
		}
	}
	return len(b)
}
