package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"mcpworks/internal/bounded"
)

// The most that is read of a file that an option names. A record is read line by
// line, and has everything that was said.
const (
	maxFile   = 16 << 20
	maxRecord = 1 << 30
)

// openFile opens a file that an option names. What has no end of its own, like a
// device, is none.
func openFile(option, name string) (*os.File, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, badFile(option, name, err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = errors.New("it is a directory")
	case !info.Mode().IsRegular() && info.Mode()&fs.ModeNamedPipe == 0:
		err = errors.New("it is neither a file nor a pipe")
	}
	if err != nil {
		_ = file.Close()
		return nil, badFile(option, name, err)
	}
	return file, nil
}

// readFile reads a file that an option names.
func readFile(option, name string) ([]byte, error) {
	file, err := openFile(option, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readInput(option, name, file)
}

// readInput is the same for what is open already.
func readInput(option, name string, in io.Reader) ([]byte, error) {
	text, cut, err := bounded.Read(in, maxFile)
	if cut {
		err = fmt.Errorf("it is longer than %d MiB", maxFile>>20)
	}
	if err != nil {
		return nil, badFile(option, name, err)
	}
	return text, nil
}

// An endless reader fails where a file is longer than it may be.
type endless struct {
	in   io.Reader
	left int64
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, fmt.Errorf("it is longer than %d MiB", maxRecord>>20)
	}
	n, err := e.in.Read(p[:min(int64(len(p)), e.left)])
	e.left -= int64(n)
	return n, err
}

// badFile is the error of a file that cannot be used.
func badFile(option, name string, err error) *failure {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // the name is said
	}
	return &failure{exit: exitUsage, err: fmt.Errorf("%s %s: %w", option, name, err)}
}

// plainJSON says in plain words what is wrong with JSON text. The names of types
// of this program help nobody.
func plainJSON(err error) error {
	var kind *json.UnmarshalTypeError
	switch field, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); {
	case errors.Is(err, io.EOF):
		return errors.New("it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ends in the middle")
	case errors.Is(err, bufio.ErrTooLong):
		return errors.New("it has a line that is too long")
	case errors.As(err, new(*json.SyntaxError)):
		return fmt.Errorf("it is no JSON: %w", err)
	case unknown:
		return fmt.Errorf("it has a member %s, which does not belong there", field)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("it is %s, not an object", article(kind.Value))
	case errors.As(err, &kind):
		return fmt.Errorf("the member %q cannot be %s", kind.Field, article(kind.Value))
	}
	return err
}

// article puts a or an before a kind of JSON value.
func article(kind string) string {
	kind, _, _ = strings.Cut(kind, " ") // number 1.5
	switch {
	case kind == "bool":
		return "a boolean"
	case strings.ContainsRune("aeiou", rune(kind[0])):
		return "an " + kind
	}
	return "a " + kind
}
