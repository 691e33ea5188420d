package scout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"mcpworks/internal/bounded"
	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
)

// headBytes is how much of a file says whether it is text.
const headBytes = 8 << 10

// A file is one file of the product repository.
type file struct {
	artifact.RepoFile
	mark string // sha256 of path and content, for the fingerprint
}

// walk lists the files of a tree below a folder, sorted by the bytes of their
// paths. Folders named .git, and what is neither file nor folder, are left out.
func (s *scout) walk(ctx context.Context, files fs.FS, root string) ([]string, error) {
	var paths []string
	err := fs.WalkDir(files, root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && name == root:
			return nil // there is no such folder
		case err != nil:
			return errors.New("a folder of the repository cannot be read")
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case !entry.Type().IsRegular() || !utf8.ValidString(name):
			return nil
		case len(paths) == s.limits.Files:
			return ErrTooLarge
		}
		paths = append(paths, name)
		return nil
	})
	slices.Sort(paths)
	return paths, err
}

// read hashes a file of the product repository and looks at its beginning.
func (s *scout) read(name string) (file, error) {
	opened, err := s.in.Repo.Files.Open(name)
	if err != nil {
		return file{}, errors.New("a file of the repository cannot be read")
	}
	defer opened.Close()
	content, marked, head := sha256.New(), sha256.New(), &headWriter{}
	io.WriteString(marked, name+"|")
	size, err := io.Copy(io.MultiWriter(content, marked, head), opened)
	if err != nil {
		return file{}, errors.New("a file of the repository cannot be read")
	}
	return file{
		RepoFile: artifact.RepoFile{
			Path: name, Size: size, SHA256: hex.EncodeToString(content.Sum(nil)), Binary: isBinary(name, head.kept), Language: languageOf(name),
		},
		mark: hex.EncodeToString(marked.Sum(nil)),
	}, nil
}

// A headWriter keeps the beginning of what is written to it.
type headWriter struct{ kept []byte }

func (w *headWriter) Write(p []byte) (int, error) {
	w.kept = append(w.kept, p[:min(len(p), headBytes-len(w.kept))]...)
	return len(p), nil
}

var binaryExtensions = strings.Fields(`.7z .a .bin .bmp .bz2 .class .dll .dylib .eot .exe .flac .gif .gz .ico .jar .jpeg .jpg .mov .mp3 .mp4
	.o .obj .ogg .otf .pdf .png .pyc .rar .so .tar .tgz .tif .tiff .ttf .wasm .wav .webm .webp .whl .woff .woff2 .xz .zip .zst
	.doc .docx .ppt .pptx .xls .xlsx .odt .ods .psd .sqlite .db .nupkg`)

func isBinary(name string, head []byte) bool {
	return slices.Contains(head, 0) || slices.Contains(binaryExtensions, strings.ToLower(path.Ext(name)))
}

// fingerprint is one hash for all files, whatever their order (6.1).
func fingerprint(files []file) string {
	marks := make([]string, 0, len(files))
	for _, f := range files {
		marks = append(marks, f.mark)
	}
	slices.Sort(marks)
	sum := sha256.Sum256([]byte(strings.Join(marks, "")))
	return hex.EncodeToString(sum[:])
}

// content returns the bytes of a file that may be parsed; ok is false for one
// that is too large or cannot be read.
func (s *scout) content(files fs.FS, name string) (data []byte, ok bool) {
	opened, err := files.Open(name)
	if err != nil {
		return nil, false
	}
	defer opened.Close()
	data, cut, err := bounded.Read(opened, s.limits.ReadBytes)
	return data, !cut && err == nil
}

// text returns the content of a file as valid UTF-8; a file that may not be
// parsed has none.
func (s *scout) text(files fs.FS, name string) string {
	data, ok := s.content(files, name)
	if !ok {
		return ""
	}
	return strings.ToValidUTF8(strings.TrimPrefix(string(data), "\ufeff"), "\ufffd")
}

// unreadable tells of a file that should have been parsed.
func (s *scout) unreadable(name, what string) {
	s.report(issue.Warn, CodeUnreadable, name, "%s cannot be read", what)
}
