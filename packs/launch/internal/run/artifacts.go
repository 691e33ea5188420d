package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"mcpworks/packs/launch/internal/run/durable"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// ErrName: the name of an artifact is not one (3.3).
var ErrName = errors.New("an artifact name has up to 12 plain segments and 200 characters")

var segmentPattern = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)

// CheckName says whether a name can be that of an artifact. No name that passes
// can leave its folder or mean a dot file.
func CheckName(name string) error {
	segments := strings.Split(name, "/")
	if len(name) > 200 || len(segments) > 12 {
		return ErrName
	}
	for _, segment := range segments {
		if !segmentPattern.MatchString(segment) {
			return ErrName
		}
	}
	return nil
}

// served are the folders whose files have their path as their name. A name
// without a folder is a document in artifacts.
var served = []string{"reports", "logs", "drafts"}

// pathOf is where the artifact of a name is kept.
func pathOf(name string) (string, error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	folder, _, nested := strings.Cut(name, "/")
	for _, allowed := range served {
		if nested && folder == allowed {
			return name, nil
		}
	}
	if nested {
		return "", fmt.Errorf("%w: it is in no folder for artifacts", ErrName)
	}
	return "artifacts/" + name, nil
}

// WriteArtifact replaces an artifact. The file is whole and on the disk before
// the event that tells of it; a crash between the two shows as a file that
// differs from the index, and its stage is done again.
func (r *Run) WriteArtifact(ctx context.Context, name, schemaID, worker string, text []byte) (snapshot.Artifact, error) {
	return r.WriteArtifactFrom(ctx, name, schemaID, worker, bytes.NewReader(text))
}

// WriteArtifactFrom is WriteArtifact for what is too large to hold.
func (r *Run) WriteArtifactFrom(ctx context.Context, name, schemaID, worker string, content io.Reader) (snapshot.Artifact, error) {
	file, err := pathOf(name)
	if err != nil {
		return snapshot.Artifact{}, err
	}
	if err := r.writable(ctx); err != nil {
		return snapshot.Artifact{}, err
	}
	written, err := durable.WriteFrom(r.root, file, contextReader{ctx, content})
	if err != nil {
		return snapshot.Artifact{}, fmt.Errorf("write the artifact %s: %w", name, err)
	}
	payload := snapshot.Writing{Name: name, Path: file, SHA256: written.SHA256, Size: written.Size, SchemaID: schemaID, Writer: worker}
	err = r.append(ctx, r.fence, func(*snapshot.Snapshot) ([]eventlog.Draft, error) {
		return []eventlog.Draft{{Type: snapshot.ArtifactWritten, Payload: payload}}, nil
	})
	if err != nil {
		return snapshot.Artifact{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.snapshot.Artifacts[name], nil
}

// writable keeps those from touching files who could not tell of it: the lease
// is gone, or the run has ended.
func (r *Run) writable(ctx context.Context) error {
	return r.append(ctx, r.fence, func(s *snapshot.Snapshot) ([]eventlog.Draft, error) {
		return nil, admit(s, []eventlog.Draft{{Type: snapshot.ArtifactWritten}})
	})
}

type contextReader struct {
	ctx  context.Context
	from io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := context.Cause(r.ctx); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// intact says whether a file is what the index says.
func (r *Run) intact(entry snapshot.Artifact) bool {
	written, err := durable.Sum(r.root, entry.Path)
	return err == nil && written.SHA256 == entry.SHA256
}

// workFolder is where the repositories of a run are. A folder in it with a dot in
// its name is one that is being made.
const workFolder = "work"

// removeUnfinishedWork removes the folders that a killed holder was making.
func (h *Held) removeUnfinishedWork() error {
	unfinished, err := fs.Glob(h.root.FS(), workFolder+"/*.*")
	for _, folder := range unfinished {
		err = errors.Join(err, removeAll(h.root, folder))
	}
	return err
}

// removeTemporary removes what an interrupted writer has left. Nobody writes an
// artifact meanwhile, since the run is held, nor a snapshot, since the log is
// locked.
func (r *Run) removeTemporary(ctx context.Context) error {
	return r.append(ctx, eventlog.CurrentFence, func(*snapshot.Snapshot) ([]eventlog.Draft, error) {
		var errs []error
		for _, folder := range append([]string{".", "artifacts"}, served...) {
			errs = append(errs, fs.WalkDir(r.root.FS(), folder, func(name string, entry fs.DirEntry, err error) error {
				switch {
				case errors.Is(err, fs.ErrNotExist):
					return nil
				case err != nil:
					return err
				case folder == "." && entry.IsDir() && name != ".":
					return fs.SkipDir // the others have their turn
				case strings.HasPrefix(path.Base(name), durable.TempPrefix):
					return r.root.Remove(name)
				}
				return nil
			}))
		}
		return nil, errors.Join(errs...)
	})
}
