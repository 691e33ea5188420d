package doctor

import "bytes"

// strictJSON returns JSON with comments and trailing commas as JSON without: all
// that is too much becomes blanks, so that places stay what they are.
func strictJSON(text []byte) []byte {
	plain := bytes.Clone(text)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if plain[i] != '\n' {
				plain[i] = ' '
			}
		}
	}
	if bytes.HasPrefix(plain, []byte("\xef\xbb\xbf")) {
		blank(0, 3)
	}
	comma, before := -1, byte(0) // the last one that nothing has followed yet; the last byte that counts
	for i := 0; i < len(plain); i++ {
		c := plain[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		case c == '/' && i+1 < len(plain) && (plain[i+1] == '/' || plain[i+1] == '*'):
			end := commentEnd(plain, i)
			if end < 0 {
				return plain // it has no end
			}
			blank(i, end)
			i = end - 1
			continue
		case (c == '}' || c == ']') && comma >= 0:
			blank(comma, comma+1)
		case c == '"':
			i = stringEnd(plain, i)
		}
		comma = -1
		if c == ',' && !bytes.ContainsRune([]byte("[{,:\x00"), rune(before)) {
			comma = i
		}
		before = c
	}
	return plain
}

// stringEnd is where the closing quote is, or the end of the text.
func stringEnd(text []byte, begin int) int {
	for i := begin + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text)
}

// commentEnd is the place behind a comment, -1 if it has no end.
func commentEnd(text []byte, begin int) int {
	rest := text[begin+2:]
	end, length := bytes.Index(rest, []byte("*/")), 2
	if text[begin+1] == '/' {
		if end, length = bytes.IndexByte(rest, '\n'), 0; end < 0 {
			return len(text)
		}
	}
	if end < 0 {
		return -1
	}
	return begin + 2 + end + length
}
