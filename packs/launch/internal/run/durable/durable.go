// Package durable writes files that are either whole or not there, and that
// outlive a loss of power once the call has returned.
package durable

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
)

// TempPrefix begins the names of files that are being written. What a killed
// process left under such a name is rubbish.
const TempPrefix = ".tmp-"

// A Written file is known by its content.
type Written struct {
	SHA256 string
	Size   int64
}

// Write replaces the file with the text.
func Write(root *os.Root, name string, text []byte) (Written, error) {
	return WriteFrom(root, name, bytes.NewReader(text))
}

// WriteFrom replaces the file with all that the reader has: a temporary file in
// the same folder, fsync, rename, fsync of the folder. Folders are made as
// needed. On an error the file is as it was.
func WriteFrom(root *os.Root, name string, content io.Reader) (Written, error) {
	folder := path.Dir(name)
	if err := root.MkdirAll(folder, 0o700); err != nil {
		return Written{}, fmt.Errorf("make the folder of a file: %w", err)
	}
	temp := path.Join(folder, TempPrefix+rand.Text())
	written, err := writeSynced(root, temp, content)
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp)
		return Written{}, fmt.Errorf("write a file: %w", err)
	}
	return written, SyncFolder(root, folder)
}

func writeSynced(root *os.Root, name string, content io.Reader) (Written, error) {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Written{}, err
	}
	hash := sha256.New()
	size, err := io.Copy(io.MultiWriter(file, hash), content)
	if err == nil {
		err = file.Sync()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	return Written{hex.EncodeToString(hash.Sum(nil)), size}, err
}

// SyncFolder makes the names in a folder last.
func SyncFolder(root *os.Root, folder string) error {
	if runtime.GOOS == "windows" {
		return nil // a folder cannot be synced there, and need not be
	}
	handle, err := root.Open(folder)
	if err != nil {
		return fmt.Errorf("sync a folder: %w", err)
	}
	defer handle.Close()
	return handle.Sync()
}

// Sum reads a file once and says what it holds.
func Sum(root *os.Root, name string) (Written, error) {
	file, err := root.Open(name)
	if err != nil {
		return Written{}, err
	}
	defer file.Close()
	return SumOf(file)
}

// SumOf reads all of a reader.
func SumOf(reader io.Reader) (Written, error) {
	hash := sha256.New()
	size, err := io.Copy(hash, reader)
	return Written{hex.EncodeToString(hash.Sum(nil)), size}, err
}
