// Package document is one document of a cache: what it is called, which version
// it is, the words it is made of and the file it is kept in.
package document

import (
	"slices"

	"mcpworks/internal/rawjson"
)

// Document is one source file. It is never split and never changed.
type Document struct {
	ID      string // see [ID]
	Version Version
	Source  string // the path the id comes from, in its own letter case, with slashes
	Content string // the bytes of the file, valid UTF-8
	// Metadata is the text of a JSON object whose values are strings and 64-bit
	// integers, each name once. Nil means {}.
	Metadata []byte
}

// Tokens estimates the size of a content in tokens: one for each four bytes,
// begun ones included.
func Tokens(content string) int64 { return (int64(len(content)) + 3) / 4 }

// AppendJSON appends the document as its file has it: compact, and metadata in
// byte order of the names whatever order they came in.
func (d *Document) AppendJSON(dst []byte) []byte {
	dst = slices.Grow(dst, d.sizeGuess())
	dst = append(dst, `{"id":`...)
	dst = rawjson.AppendString(dst, d.ID)
	dst = append(dst, `,"version":"`...)
	dst = d.Version.Append(dst)
	dst = append(dst, `","source":`...)
	dst = rawjson.AppendString(dst, d.Source)
	dst = append(dst, `,"content":`...)
	dst = rawjson.AppendString(dst, d.Content)
	dst = append(dst, `,"metadata":`...)
	dst = appendMetadata(dst, d.Metadata)
	return append(dst, '}')
}

// sizeGuess leaves room for the names and for an escape in each 16 bytes of
// content; text with more of them grows once more.
func (d *Document) sizeGuess() int {
	return 160 + len(d.ID) + len(d.Source) + len(d.Content) + len(d.Content)/16 + len(d.Metadata)
}
