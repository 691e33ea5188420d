//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package build

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// A folder is an open directory. Making a file in it is what a build spends its
// time on, so it is done with as few system calls as can be.
type folder struct {
	fd    int
	path  string
	perm  uint32 // of the files that are made in it
	owner uint32
}

func openFolder(path string) (*folder, error) {
	fd, err := again(func() (int, error) {
		return unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		unix.Close(fd)
		return nil, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return &folder{fd, path, uint32(stat.Mode) & 0o666, uint32(os.Geteuid())}, nil
}

func (f *folder) close() { unix.Close(f.fd) }

// create makes a file that is not there yet.
func (f *folder) create(name string, text []byte) error {
	fd, err := again(func() (int, error) {
		return unix.Openat(f.fd, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o666)
	})
	if err != nil {
		return f.failed("create", name, err)
	}
	err = writeAll(fd, text)
	if syncsFiles && err == nil {
		err = unix.Fsync(fd)
	}
	if closing := unix.Close(fd); err == nil && closing != unix.EINTR {
		err = closing
	}
	if err != nil {
		return f.failed("write", name, err)
	}
	return nil
}

func writeAll(fd int, text []byte) error {
	for len(text) > 0 {
		n, err := again(func() (int, error) { return unix.Write(fd, text) })
		if err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}

// link gives a file of another folder the same name in this one too.
func (f *folder) link(from *folder, name string) error {
	return unix.Linkat(from.fd, name, f.fd, name, 0)
}

func (f *folder) remove(name string) error { return unix.Unlinkat(f.fd, name, 0) }

func (f *folder) failed(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: f.path + "/" + name, Err: err}
}

// A file is a regular file that is open for reading.
type file struct {
	fd          int
	size        int64
	perm, owner uint32
}

// open opens a regular file below the folder. O_NONBLOCK keeps a pipe that has
// taken its place from holding up the build.
func (f *folder) open(name string, follow bool) (file, error) {
	flags := unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC
	if !follow {
		flags |= unix.O_NOFOLLOW
	}
	fd, err := again(func() (int, error) { return unix.Openat(f.fd, name, flags, 0) })
	if err != nil {
		return file{}, f.failed("open", name, err)
	}
	var stat unix.Stat_t
	if err = unix.Fstat(fd, &stat); err == nil && stat.Mode&unix.S_IFMT != unix.S_IFREG {
		err = errNotFile
	}
	if err != nil {
		unix.Close(fd)
		return file{}, f.failed("open", name, err)
	}
	return file{fd, stat.Size, uint32(stat.Mode) & 0o7777, stat.Uid}, nil
}

func (f *file) close() { unix.Close(f.fd) }

// read returns the whole content, in the memory of buffer if it fits.
func (f *file) read(buffer []byte, limit int64) ([]byte, error) {
	return readAll(buffer, f.size, limit, func(p []byte) (int, error) {
		return again(func() (int, error) { return unix.Read(f.fd, p) })
	})
}

// isOurs says whether the file belongs to whom, and may be used by whom, a file
// does that is made in dir now.
func (f *file) isOurs(dir *folder) bool { return f.perm == dir.perm && f.owner == dir.owner }

// again repeats a system call that a signal interrupted.
func again(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return max(n, 0), err
		}
	}
}
