package pipeline

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"mcpworks/packs/launch/internal/gitrepo"
)

// An UnfetchedError says which repository could not be had, and why.
type UnfetchedError struct {
	Of       string // product, site or workflows
	URL, Ref string
	Err      error
}

// unfetched adds to an error of git what was to be fetched; others stay as they
// are.
func unfetched(of, address, ref string, err error) error {
	if kind := gitrepo.KindOf(err); kind == "" || kind == gitrepo.Cancelled || kind == gitrepo.Missing {
		return err
	}
	return &UnfetchedError{of, address, ref, err}
}

// Unfetched is unfetched for those who look at the product's repository.
func Unfetched(address, ref string, err error) error { return unfetched("product", address, ref, err) }

func (e *UnfetchedError) Unwrap() error { return e.Err }

func (e *UnfetchedError) Error() string {
	return "the repository of the " + e.Of + ", " + e.URL + ", " + e.why()
}

// why is the cause in words that say what to do about it.
func (e *UnfetchedError) why() string {
	failed, _ := errors.AsType[*gitrepo.Error](e.Err)
	switch failed.Kind {
	case gitrepo.Empty:
		return "has no commit"
	case gitrepo.UnknownRef:
		return "has no branch, tag or commit " + e.Ref
	case gitrepo.Network:
		return "could not be reached"
	case gitrepo.TimedOut:
		return "took too long to answer"
	case gitrepo.TooLarge:
		return "is too large"
	case gitrepo.Refused:
		return "must not be read: " + cause(failed)
	}
	if isLocal(e.URL) {
		return e.whyHere(failed)
	}
	if failed.Kind == gitrepo.NotFound {
		return "does not exist, or cannot be read without a password"
	}
	return "could not be fetched: " + cause(failed)
}

// whyHere looks at a folder of this machine.
func (e *UnfetchedError) whyHere(failed *gitrepo.Error) string {
	folder := strings.TrimPrefix(e.URL, "file://")
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist"
	case errors.Is(err, fs.ErrPermission), err == nil && info.IsDir() && !readable(folder):
		return "must not be read by this user"
	case err == nil && !info.IsDir():
		return "is no folder"
	case strings.Contains(failed.Stderr, "dubious ownership"):
		return "belongs to another user, and git reads only what belongs to its own: run the launcher as that user, or copy the folder"
	case failed.Kind == gitrepo.NotFound:
		return "is no git repository"
	}
	return "could not be fetched: " + cause(failed)
}

func readable(folder string) bool {
	opened, err := os.Open(filepath.Clean(folder))
	if err != nil {
		return false
	}
	defer opened.Close()
	_, err = opened.Readdirnames(1)
	return !errors.Is(err, fs.ErrPermission)
}

// cause is what the error says without what git has said, which has paths of this
// machine.
func cause(failed *gitrepo.Error) string {
	if failed.Stderr == "" && failed.Err != nil {
		return failed.Err.Error()
	}
	return failed.Op + " failed"
}
