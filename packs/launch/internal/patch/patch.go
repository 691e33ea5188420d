// Package patch changes a site: it makes patches of drafts and edits, and
// applies a bundle of them as a whole or not at all (9).
//
// Build and Edit make patches, Seal makes a bundle of them, Plan says what a
// bundle does to a tree, and Apply does it. Everything goes through a Tree, and
// a tree asks the fence.
package patch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// The types of patches (9.2).
const (
	CreateFile      = "create_file"
	UpdateByAnchor  = "update_by_anchor"
	UpdateKeys      = "update_frontmatter_keys"
	UpdateFileRange = "update_file_range"
	DeleteFile      = "delete_file"
)

// Where patches come from.
const (
	OriginDraft      = "draft"
	OriginNavigation = "navigation"
	OriginFix        = "fix"
	OriginManual     = "manual"
)

// Sizes beyond which nothing is patched, in bytes (9.3).
const (
	MaxFile  = 1 << 20
	MaxPatch = 512 << 10
)

// A Tree is a site that can be read behind its fence, such as a *fence.Site.
type Tree interface {
	// Decide is the fence's decision about a file.
	Decide(path string) error
	// Read returns a file, cut after limit+1 bytes. The error of a file that
	// does not exist is an fs.ErrNotExist.
	Read(path string, limit int64) ([]byte, error)
	// Names lists the files of a directory, sorted; none if it does not exist.
	Names(dir string) ([]string, error)
}

// A Target is a tree that can be written to.
type Target interface {
	Tree
	Write(path string, content []byte) error
	Remove(path string) error
}

// Hash is the hash of a content, as patches name it.
func Hash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// contentHash is the hash of what a patch brings.
func contentHash(p artifact.Patch) (string, error) {
	if p.Type == UpdateKeys {
		text, err := artifact.Canonical(p.FrontmatterUpdates)
		return Hash(string(text)), err
	}
	if p.NewContent == nil {
		return Hash(""), nil
	}
	return Hash(*p.NewContent), nil
}

// Number gives patches their content hashes and ids. Patches that are equal in
// type, path and content are told apart by how many of them came before, so that
// ids stay when others are added behind them.
func Number(patches []artifact.Patch) error {
	seen := map[string]int{}
	for i := range patches {
		p := &patches[i]
		var err error
		if p.ContentHash, err = contentHash(*p); err != nil {
			return fmt.Errorf("patch of %s: %w", p.Path, err)
		}
		key := strings.Join([]string{p.Type, p.Path, p.ContentHash}, "|")
		p.ID = "p_" + Hash(fmt.Sprintf("%s|%d", key, seen[key]))[:12]
		seen[key]++
	}
	return nil
}

// Seal numbers patches and makes a bundle of them, with the hash of the tree
// that they lead to. The result is what the bundle does to the tree.
func Seal(tree Tree, baseSHA string, patches []artifact.Patch, rules Rules) (artifact.PatchBundle, *Result, error) {
	bundle := artifact.PatchBundle{SchemaVersion: artifact.Version, BaseSHA: baseSHA, Patches: patches}
	if err := Number(patches); err != nil {
		return bundle, nil, err
	}
	result, err := Plan(tree, bundle, rules)
	if err != nil {
		return bundle, result, err
	}
	bundle.TreeHashAfter = result.TreeHash
	return bundle, result, nil
}
