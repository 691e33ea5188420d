package build

import (
	"crypto/rand"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"mcpworks/packs/contextengine/internal/cache"
)

// makeDocuments makes the folder of documents in dir.
//
// On ext4, files are made in the part of the disk that their folder is in, and
// inodes that were freed there in the last minutes are passed over one by one,
// for each new file again: after thousands of files were deleted, as by a build
// that replaced a cache, making as many takes ten times as long. So the new
// folder is made like one at the top of the disk, which are spread over all of
// it by their names. Where there is no such thing, it is made as any other.
func makeDocuments(dir string) error {
	parent, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer parent.Close()
	fd := int(parent.Fd())
	if flags, err := unix.IoctlGetUint32(fd, unix.FS_IOC_GETFLAGS); err == nil {
		if unix.IoctlSetPointerInt(fd, unix.FS_IOC_SETFLAGS, int(flags|topOfDisk)) == nil {
			defer unix.IoctlSetPointerInt(fd, unix.FS_IOC_SETFLAGS, int(flags))
		}
	}
	anywhere := filepath.Join(dir, rand.Text())
	if err := os.Mkdir(anywhere, 0o777); err != nil {
		return err
	}
	return os.Rename(anywhere, filepath.Join(dir, cache.DocumentsName))
}

// topOfDisk is FS_TOPDIR_FL of linux/fs.h.
const topOfDisk = 0x00020000
