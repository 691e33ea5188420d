package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// A Chunk is a piece of a served file. What is held in memory is the chunk and
// never the file.
type Chunk struct {
	Name        string
	Data        []byte
	Text        bool // Data is UTF-8 and begins and ends between characters
	ContentType string
	SHA256      string // of the whole file
	Size        int64  // of the whole file
	Offset      int64
	Complete    bool // the chunk reaches the end
}

// Next is the offset of the following chunk.
func (c Chunk) Next() int64 { return c.Offset + int64(len(c.Data)) }

// A MissingError says that a run has no such artifact.
type MissingError struct {
	Expired   bool // it was there once
	Available []string
}

func (e *MissingError) Error() string { return "the run has no such artifact" }

// Read reads a piece of a served file (5.5).
func (s *Store) Read(ctx context.Context, runID, name string, offset int64, size int) (Chunk, error) {
	if err := CheckName(name); err != nil {
		return Chunk{}, err
	}
	current, err := s.Status(ctx, runID)
	if err != nil {
		return Chunk{}, err
	}
	if name == snapshot.FileName { // the file may be older than the log, or gone
		text, err := current.Encode()
		if err != nil {
			return Chunk{}, fmt.Errorf("read a snapshot: %w", err)
		}
		chunk, err := readChunk(bytes.NewReader(text), int64(len(text)), name, offset, size)
		chunk.SHA256 = sum(string(text))
		return chunk, err
	}
	root, err := s.folder(runID)
	if err != nil {
		return Chunk{}, err
	}
	defer root.Close()
	file, err := openServed(root, current, name)
	if err != nil {
		return Chunk{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return Chunk{}, fmt.Errorf("read an artifact: %w", err)
	}
	chunk, err := readChunk(file, info.Size(), name, offset, size)
	if err != nil {
		return Chunk{}, err
	}
	chunk.SHA256, err = s.sums.of(file, info, runID+"/"+name)
	return chunk, err
}

// servedPath is the table of what may be read: documents of the index by their
// name, three files of the run itself, and all in the served folders. Work,
// cache and evidence are in no row.
func servedPath(current *snapshot.Snapshot, name string) (string, bool) {
	if entry, ok := current.Artifacts[name]; ok {
		return entry.Path, true
	}
	if slices.Contains([]string{snapshot.FileName, eventlog.FileName, ConfigName}, name) {
		return name, true
	}
	folder, _, nested := strings.Cut(name, "/")
	return name, nested && slices.Contains(served, folder)
}

func openServed(root *os.Root, current *snapshot.Snapshot, name string) (*os.File, error) {
	file, ok := servedPath(current, name)
	if !ok {
		return nil, missing(current, false)
	}
	for at := file; at != "."; at = path.Dir(at) { // a link could lead to what is not served
		info, err := root.Lstat(at)
		if errors.Is(err, os.ErrNotExist) {
			_, known := current.Artifacts[name]
			return nil, missing(current, known && (current.State.Terminal() || current.State == state.Failed))
		}
		if err != nil {
			return nil, fmt.Errorf("open an artifact: %w", err)
		}
		if regular := info.Mode().IsRegular(); at == file && !regular || at != file && !info.IsDir() {
			return nil, missing(current, false)
		}
	}
	opened, err := root.Open(file)
	if err != nil {
		return nil, fmt.Errorf("open an artifact: %w", err)
	}
	return opened, nil
}

func missing(current *snapshot.Snapshot, expired bool) error {
	names := []string{snapshot.FileName, eventlog.FileName, ConfigName}
	for name := range current.Artifacts {
		names = append(names, name)
	}
	slices.Sort(names)
	return &MissingError{Expired: expired, Available: names}
}

func readChunk(file io.ReaderAt, whole int64, name string, offset int64, size int) (Chunk, error) {
	chunk := Chunk{Name: name, Size: whole, Offset: min(max(offset, 0), whole)}
	chunk.Data = make([]byte, min(int64(max(size, utf8.UTFMax)), chunk.Size-chunk.Offset))
	if _, err := file.ReadAt(chunk.Data, chunk.Offset); err != nil && err != io.EOF {
		return Chunk{}, fmt.Errorf("read an artifact: %w", err)
	}
	if chunk.Next() < chunk.Size {
		chunk.Data = wholeRunes(chunk.Data)
	}
	chunk.Text = utf8.Valid(chunk.Data)
	chunk.Complete = chunk.Next() >= chunk.Size
	chunk.ContentType = contentType(name, chunk.Text)
	return chunk, nil
}

// wholeRunes cuts off a character that is not whole at the end of a text.
func wholeRunes(data []byte) []byte {
	for cut := 1; cut < utf8.UTFMax && cut <= len(data); cut++ {
		if tail := data[len(data)-cut:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) && cut < len(data) {
				return data[:len(data)-cut]
			}
			return data
		}
	}
	return data
}

// contentType goes by the ending of the name (3.5).
func contentType(name string, text bool) string {
	switch path.Ext(name) {
	case ".json":
		return "application/json"
	case ".ndjson":
		return "application/x-ndjson"
	case ".md":
		return "text/markdown"
	case ".yaml", ".yml":
		return "application/yaml"
	case ".patch", ".diff":
		return "text/x-diff"
	}
	if text {
		return "text/plain"
	}
	return "application/octet-stream"
}
