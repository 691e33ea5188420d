package operate

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"unicode/utf8"

	"mcpworks/internal/bounded"
	"mcpworks/packs/launch/internal/run"
)

// DefaultChunk is how much of a file is read at once (3.5).
const DefaultChunk = 1 << 20

// ArtifactChunk is a file of a run, or a piece of it.
type ArtifactChunk struct {
	OK          bool        `json:"ok"`
	RunID       string      `json:"run_id"`
	Content     string      `json:"content"`
	ContentType string      `json:"content_type"`
	SHA256      string      `json:"sha256"` // of the whole file
	Encoding    string      `json:"encoding"`
	Size        int64       `json:"size_bytes"` // of the whole file
	Offset      int64       `json:"offset"`
	Length      int         `json:"length"` // in bytes of the file
	Complete    bool        `json:"complete"`
	NextOffset  *int64      `json:"next_offset,omitempty"`
	Artifact    ArtifactRef `json:"artifact"`
	Resource    string      `json:"resource"`
}

// Artifact reads a piece of a file of a run; size 0 means DefaultChunk.
func (l *Launcher) Artifact(ctx context.Context, runID, name string, offset int64, size int) (ArtifactChunk, error) {
	if size == 0 {
		size = DefaultChunk
	}
	chunk, err := l.read(ctx, runID, name, offset, size)
	if err != nil {
		return ArtifactChunk{}, err
	}
	answer := ArtifactChunk{
		OK: true, RunID: runID, Content: string(chunk.Data), ContentType: chunk.ContentType, SHA256: chunk.SHA256, Encoding: "utf-8",
		Size: chunk.Size, Offset: chunk.Offset, Length: len(chunk.Data), Complete: chunk.Complete,
		Artifact: ArtifactRef{Name: name, SHA256: chunk.SHA256, Size: chunk.Size, ContentType: chunk.ContentType},
		Resource: resourceOf(runID, name),
	}
	if !chunk.Text {
		answer.Encoding, answer.Content = "base64", base64.StdEncoding.EncodeToString(chunk.Data)
	}
	if !chunk.Complete {
		next := chunk.Next()
		answer.NextOffset = &next
	}
	return answer, nil
}

// Chunk is Artifact without its dress.
func (l *Launcher) Chunk(ctx context.Context, runID, name string, offset int64, size int) (run.Chunk, error) {
	return l.read(ctx, runID, name, offset, size)
}

// read reads a piece, from memory if it was read whole a moment ago.
func (l *Launcher) read(ctx context.Context, runID, name string, offset int64, size int) (run.Chunk, error) {
	if err := run.CheckName(name); err != nil {
		return run.Chunk{}, err
	}
	version, err := l.versionOf(runID)
	if err != nil {
		return run.Chunk{}, err
	}
	if name == run.ConfigName {
		return l.readConfig(ctx, runID, offset, size)
	}
	whole := offset == 0
	if whole {
		if chunk, ok := l.kept.get(runID, name, version, size); ok {
			return chunk, nil
		}
	}
	chunk, err := l.store.Read(ctx, runID, name, offset, size)
	if err == nil && whole && chunk.Complete {
		l.kept.put(runID, name, version, chunk)
	}
	return chunk, err
}

// readConfig reads a piece of a config as it is shown, with the hash of what is
// shown.
func (l *Launcher) readConfig(ctx context.Context, runID string, offset int64, size int) (run.Chunk, error) {
	chunk, err := l.store.Read(ctx, runID, run.ConfigName, 0, maxConfig)
	if err != nil {
		return run.Chunk{}, err
	}
	shown := l.secrets.served(chunk.Data)
	sum := sha256.Sum256(shown)
	chunk.SHA256, chunk.Size = hex.EncodeToString(sum[:]), int64(len(shown))
	chunk.Offset = min(max(offset, 0), chunk.Size)
	chunk.Data = []byte(bounded.Bytes(string(shown[chunk.Offset:]), max(size, utf8.UTFMax), ""))
	chunk.Complete = chunk.Next() == chunk.Size
	return chunk, nil
}
