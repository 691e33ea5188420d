package build

import (
	"errors"
	"fmt"
	"slices"
)

var errNotFile = errors.New("not a regular file any more")

// readAll reads a file of which size bytes are expected into the memory of
// buffer, or more if need be, but no more than limit bytes. At the end of the
// file, read returns 0.
func readAll(buffer []byte, size, limit int64, read func([]byte) (int, error)) ([]byte, error) {
	content := buffer[:0]
	if size <= limit {
		content = slices.Grow(content, int(size)+1)
	}
	for {
		if size > limit || int64(len(content)) > limit {
			return content, fmt.Errorf("larger than %d MiB: split it, or move it away", limit>>20)
		}
		content = slices.Grow(content, 1)
		room := cap(content) - len(content)
		n, err := read(content[len(content):cap(content)])
		content = content[:len(content)+n]
		if err != nil {
			return content, err
		}
		// A file that is as long as it said, and has no more to give just now,
		// is not asked again.
		if n == 0 || n < room && int64(len(content)) == size {
			return content, nil
		}
	}
}
