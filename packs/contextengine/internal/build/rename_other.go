//go:build !linux

package build

// renameNew renames a directory to a path where nothing is. If something is
// there, that stays, and the error is fs.ErrExist.
func renameNew(from, to string) error { return renameChecked(from, to) }

// exchange gives each of two directories the path of the other.
func exchange(from, to string) error { return exchangeStepwise(from, to) }
