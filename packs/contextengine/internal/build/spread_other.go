//go:build !linux

package build

import (
	"os"
	"path/filepath"

	"mcpworks/packs/contextengine/internal/cache"
)

// makeDocuments makes the folder of documents in dir.
func makeDocuments(dir string) error { return os.Mkdir(filepath.Join(dir, cache.DocumentsName), 0o777) }
