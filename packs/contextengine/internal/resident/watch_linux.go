package resident

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"syscall"
)

// A watcher is told by the kernel when anything in a directory changes: a file's
// content, its permissions, its name.
type watcher struct {
	mu      sync.Mutex
	fd      int               // -1 before anything was watched, and after the end
	watched map[int32][]*kept // by the kernel's number for a directory
	events  [16 << 10]byte    // room for what the kernel says
}

func newWatcher() *watcher { return &watcher{fd: -1, watched: map[int32][]*kept{}} }

// changes are what makes a reader see another file or another content.
const changes = syscall.IN_MODIFY | syscall.IN_ATTRIB | syscall.IN_CLOSE_WRITE | syscall.IN_CREATE | syscall.IN_DELETE |
	syscall.IN_MOVED_FROM | syscall.IN_MOVED_TO | syscall.IN_DELETE_SELF

// add watches a directory of a cache, and that very directory: its path may lead
// to another by now. A file system that others change too is not fit for it.
func (w *watcher) add(k *kept, directory *os.Root) error {
	if directory == nil {
		return errUnfit
	}
	file, err := directory.Open(".")
	if err != nil {
		return err
	}
	defer file.Close()
	fd := int(file.Fd())
	var system syscall.Statfs_t
	if err := syscall.Fstatfs(fd, &system); err != nil || !local[uint32(system.Type)] {
		return errUnfit
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fd < 0 {
		if w.fd, err = syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK); err != nil {
			w.fd = -1
			return fmt.Errorf("watch a cache: %w", err)
		}
	}
	w.listen() // what happened before is not about k
	number, err := syscall.InotifyAddWatch(w.fd, "/proc/self/fd/"+strconv.Itoa(fd), changes)
	if err != nil {
		return fmt.Errorf("watch a cache: %w", err)
	}
	w.watched[int32(number)] = append(w.watched[int32(number)], k)
	return nil
}

// isUnchanged says whether the kernel told of nothing about k since it was
// added.
func (w *watcher) isUnchanged(k *kept) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listen()
	return !k.stale && w.fd >= 0
}

// listen takes note of all that the kernel has to say; the caller holds mu.
func (w *watcher) listen() {
	for w.fd >= 0 {
		n, err := syscall.Read(w.fd, w.events[:])
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil || n <= 0 {
			return // nothing, just now
		}
		for events := w.events[:n]; len(events) >= syscall.SizeofInotifyEvent; {
			w.note(int32(binary.NativeEndian.Uint32(events)))
			name := binary.NativeEndian.Uint32(events[12:])
			events = events[min(syscall.SizeofInotifyEvent+int(name), len(events)):]
		}
	}
}

// note marks those that an event is about; all, if the kernel lost count.
func (w *watcher) note(number int32) {
	for of, all := range w.watched {
		if of == number || number < 0 {
			for _, k := range all {
				k.stale = true
			}
		}
	}
}

// remove ends the watch for k.
func (w *watcher) remove(k *kept) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for number, all := range w.watched {
		all = slices.DeleteFunc(all, func(other *kept) bool { return other == k })
		if w.watched[number] = all; len(all) == 0 {
			delete(w.watched, number)
			if w.fd >= 0 {
				_, _ = syscall.InotifyRmWatch(w.fd, uint32(number)) // it may be gone with its directory
			}
		}
	}
}

// close ends all watches: from now on, everything may have changed.
func (w *watcher) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fd >= 0 {
		_ = syscall.Close(w.fd)
		w.fd = -1
	}
}

// local are the file systems that only this kernel changes, by the number that
// statfs gives.
var local = map[uint32]bool{
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
