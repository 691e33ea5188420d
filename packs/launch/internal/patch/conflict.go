package patch

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"mcpworks/packs/launch/internal/artifact"
)

// Why a patch cannot be applied (9.3).
const (
	FileExists     = "FILE_EXISTS"
	FileMissing    = "FILE_MISSING"
	AnchorMissing  = "ANCHOR_MISSING"
	RangeOutside   = "RANGE_OUT_OF_BOUNDS"
	HashMismatch   = "EXPECTED_BEFORE_HASH_MISMATCH"
	FrontmatterBad = "FRONTMATTER_UNUSABLE"
	DeleteRefused  = "DELETE_NOT_ALLOWED"
	InvalidPatch   = "PATCH_INVALID"
	PathCollision  = "PATH_COLLISION"
	BinaryTarget   = "PATCH_ENGINE_BINARY_TARGET"
	EncodingError  = "PATCH_ENGINE_ENCODING_ERROR"
	TooLarge       = "PATCH_ENGINE_TOO_LARGE"
)

// ConflictCode is the code of the blocker that conflicts lead to.
const ConflictCode = "LINKER_PATCHER_CONFLICT_UNRESOLVABLE"

// A ConflictError lists all patches of a bundle that do not fit the tree. Nothing
// of the bundle was applied.
type ConflictError struct{ Conflicts []artifact.PatchConflict }

func (e *ConflictError) Error() string {
	first := e.Conflicts[0]
	return fmt.Sprintf("%d patches conflict with the site, the first in %s: %s", len(e.Conflicts), first.Path, first.Reason)
}

// Document is the artifact patch_conflicts.json.
func (e *ConflictError) Document() artifact.PatchConflicts {
	return artifact.PatchConflicts{SchemaVersion: artifact.Version, Conflicts: e.Conflicts}
}

// A clash is a conflict of the patch at hand.
type clash struct{ reason, expected, actual string }

func (c *clash) Error() string { return c.reason + ": expected " + c.expected + ", found " + c.actual }

// conflictOf returns the conflict that an error stands for, if it is one.
func conflictOf(p artifact.Patch, err error) (artifact.PatchConflict, bool) {
	var c *clash
	if !errors.As(err, &c) {
		return artifact.PatchConflict{}, false
	}
	return artifact.PatchConflict{PatchID: p.ID, Path: p.Path, Reason: c.reason, Expected: c.expected, Actual: c.actual}, true
}

// checkText refuses what is not a text of reasonable size.
func checkText(text string, limit int) error {
	switch {
	case len(text) > limit:
		return &clash{TooLarge, fmt.Sprintf("at most %d bytes", limit), "more"}
	case binary(text):
		return &clash{BinaryTarget, "text", "a NUL byte"}
	case !utf8.ValidString(text):
		return &clash{EncodingError, "UTF-8", "other bytes"}
	}
	return nil
}

func binary(text string) bool {
	for i := range min(len(text), 8<<10) {
		if text[i] == 0 {
			return true
		}
	}
	return false
}
