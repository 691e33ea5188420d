//go:build !linux

package build

import (
	"os"
	"path/filepath"
)

// makeDocuments makes the folder of documents in dir.
func makeDocuments(dir string) error { return os.Mkdir(filepath.Join(dir, documentsName), 0o777) }
