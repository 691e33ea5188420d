package document

import (
	"errors"
	"strings"
	"unicode/utf8"
)

var errPathNotUTF8 = errors.New("path is not valid UTF-8 and has no document id")

// ID derives the id of a document from its path below the directory of sources:
// backslashes become slashes, leading "./" go, letters become lower-case. Equal
// ids are the same document, so two paths that differ in case only collide.
//
// A path that is not valid UTF-8 has no id. That the path does lie below the
// directory is the caller's business.
func ID(relative string) (string, error) {
	if !utf8.ValidString(relative) {
		return "", errPathNotUTF8
	}
	path := strings.ReplaceAll(relative, `\`, "/")
	for strings.HasPrefix(path, "./") {
		path = path[len("./"):]
	}
	return Lower(path), nil
}
