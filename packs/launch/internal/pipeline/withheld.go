package pipeline

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
)

// withheld is a repository whose files cannot be read if they hold a secret of the
// operator: whoever has committed one must not have it published (12.4).
type withheld struct {
	fs.FS
	secret func(text string) bool
}

var errWithheld = errors.New("the file holds a secret of this server")

// withheldBytes is how much of a file is looked at; the stages read no larger ones.
const withheldBytes = 5 << 20

func (w withheld) Open(name string) (fs.File, error) {
	file, err := w.FS.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return file, err
	}
	content, err := io.ReadAll(io.LimitReader(file, withheldBytes+1))
	switch {
	case err != nil || w.secret(string(content)):
		return nil, errors.Join(err, errWithheld, file.Close())
	case len(content) > withheldBytes:
		return nil, errors.Join(errors.New("the file is too large to be read"), file.Close())
	}
	return looked{file, bytes.NewReader(content)}, nil
}

// looked is a file that was read before.
type looked struct {
	fs.File
	content *bytes.Reader
}

func (l looked) Read(p []byte) (int, error) { return l.content.Read(p) }
