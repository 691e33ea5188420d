package run

import (
	"io"
	"os"
	"sync"

	"mcpworks/packs/launch/internal/run/durable"
)

// sums are the hashes of large files that were read in pieces: each is worked out
// once for as long as the file stays what it is (S-7, S-43).
type sums struct {
	mu    sync.Mutex
	known map[string]knownSum // by run and name
}

type knownSum struct {
	info   os.FileInfo
	sha256 string
}

const (
	largeFile = 1 << 20 // below it a hash costs no more than to remember it
	mostSums  = 1000
)

// of is the hash of a file that is open, and has this info.
func (s *sums) of(file io.ReaderAt, info os.FileInfo, name string) (string, error) {
	if info.Size() > largeFile {
		s.mu.Lock()
		known, ok := s.known[name]
		s.mu.Unlock()
		if ok && os.SameFile(known.info, info) && known.info.Size() == info.Size() && known.info.ModTime().Equal(info.ModTime()) {
			return known.sha256, nil
		}
	}
	written, err := durable.SumOf(io.NewSectionReader(file, 0, info.Size()))
	if err == nil && info.Size() > largeFile {
		s.keep(name, knownSum{info, written.SHA256})
	}
	return written.SHA256, err
}

func (s *sums) keep(name string, known knownSum) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil || len(s.known) >= mostSums {
		s.known = map[string]knownSum{}
	}
	s.known[name] = known
}
