package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"mcpworks/packs/launch/internal/artifact"
)

// read returns an artifact. One that is missing, or is not what the log says, is
// a fault: resuming finds out who has to make it again.
func (j *job) read(name string) ([]byte, error) {
	entry, known := j.held.Snapshot().Artifacts[name]
	fault := &Fault{Code: "ORCHESTRATOR_ARTIFACT_NOT_FOUND", Message: name + " is missing", Resumable: true}
	if !known {
		return nil, fault
	}
	text, err := j.held.Root().ReadFile(entry.Path)
	if err != nil {
		fault.Err = err
		return nil, fault
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != entry.SHA256 {
		fault.Message = name + " is not what was written"
		return nil, fault
	}
	return text, nil
}

// load decodes documents, given by their names.
func (j *job) load(documents map[string]any) error {
	for _, name := range sortedKeys(documents) {
		text, err := j.read(name)
		if err != nil {
			return err
		}
		if err := artifact.Decode(text, documents[name]); err != nil {
			return &Fault{Code: "SCHEMA_VALIDATION_FAILED", Message: name + " cannot be read", Resumable: true, Err: err}
		}
	}
	return nil
}

// keep writes documents that fit their schemas, and returns their names.
func (j *job) keep(ctx context.Context, worker string, documents map[string]any) ([]string, error) {
	names := sortedKeys(documents)
	texts := map[string][]byte{}
	for _, name := range names {
		text, err := artifact.Encode(documents[name])
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", name, err)
		}
		violations, err := artifact.Validate(name, text)
		if err == nil && len(violations) > 0 {
			err = fmt.Errorf("at %q: %s", violations[0].Path, violations[0].Message)
		}
		if err != nil {
			return nil, &Fault{Code: "SCHEMA_VALIDATION_FAILED", Stage: worker, Message: name + " does not fit its schema", Err: err}
		}
		texts[name] = text
	}
	for _, name := range names {
		if _, err := j.held.WriteArtifact(ctx, name, artifact.SchemaID(name), worker, texts[name]); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// keepTexts writes reports and drafts, and returns their names.
func (j *job) keepTexts(ctx context.Context, worker string, texts map[string][]byte) ([]string, error) {
	names := sortedKeys(texts)
	for _, name := range names {
		if _, err := j.held.WriteArtifact(ctx, name, "", worker, texts[name]); err != nil {
			return nil, err
		}
	}
	return names, nil
}
