package sourcecode

import (
	"errors"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

var foreign = regexp.MustCompile(`(?:^|/)(?:node_modules|vendor|third_party|bower_components|site-packages|\.git|\.venv|venv|dist|__pycache__)/`)

// IsForeign says that a path is in a folder of other people's work, or of machines.
func IsForeign(name string) bool { return foreign.MatchString(name) }

// Below says that a path is in one of some folders. The root of a repository is
// none of them.
func Below(name string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		return root != "." && strings.HasPrefix(name, strings.TrimSuffix(root, "/")+"/")
	})
}

// ReadFile reads a regular file that has at most so many bytes.
func ReadFile(repo fs.FS, name string, limit int) ([]byte, error) {
	file, err := repo.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	raw, err := io.ReadAll(io.LimitReader(file, int64(limit)+1))
	if err == nil && len(raw) > limit {
		err = errors.New("too large")
	}
	return raw, err
}
