package resident

import (
	"errors"
	"os"
	"strconv"
	"syscall"
)

// A watch is told by the kernel when anything in a directory changes: a file's
// content, its permissions, its name.
type watch struct{ fd int }

func newWatch() (watch, error) {
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	return watch{fd}, err
}

// changes are what makes a reader see another file or another content.
const changes = syscall.IN_MODIFY | syscall.IN_ATTRIB | syscall.IN_CLOSE_WRITE | syscall.IN_CREATE | syscall.IN_DELETE |
	syscall.IN_MOVED_FROM | syscall.IN_MOVED_TO | syscall.IN_DELETE_SELF

// add watches a directory, and that very directory: its path may lead to
// another by now. A file system that others change too is not fit for it.
func (w watch) add(directory *os.Root) error {
	if directory == nil {
		return errUnfit
	}
	file, err := directory.Open(".")
	if err != nil {
		return errUnfit
	}
	defer file.Close()
	fd := int(file.Fd())
	var system syscall.Statfs_t
	if err := syscall.Fstatfs(fd, &system); err != nil || !local[int64(system.Type)] {
		return errUnfit
	}
	if _, err := syscall.InotifyAddWatch(w.fd, "/proc/self/fd/"+strconv.Itoa(fd), changes); err != nil {
		return errUnfit
	}
	return nil
}

// changed says whether the kernel told of anything since the watch began.
func (w watch) changed() bool {
	var event [4096]byte
	_, err := syscall.Read(w.fd, event[:])
	return !errors.Is(err, syscall.EAGAIN)
}

func (w watch) close() { _ = syscall.Close(w.fd) }

// local are the file systems that only this kernel changes, by the number that
// statfs gives.
var local = map[int64]bool{
	0xEF53:     true, // ext2, ext3, ext4
	0x58465342: true, // XFS
	0x9123683E: true, // Btrfs
	0x01021994: true, // tmpfs
	0x858458F6: true, // ramfs
	0x794C7630: true, // overlayfs
	0x2FC12FC1: true, // ZFS
	0xF2F52010: true, // F2FS
	0xCA451A4E: true, // bcachefs
}
