//go:build !linux

package build

import (
	"cmp"
	"path/filepath"
)

// syncsFiles is true: each file is flushed by who makes it.
const syncsFiles = true

// flush returns when the names of all files are on disk too.
func (s *scratch) flush() error {
	return cmp.Or(syncDirectory(s.documents.path), syncDirectory(s.path), syncDirectory(filepath.Dir(s.path)))
}
