package patch

import (
	"errors"
	"fmt"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/patch/frontmatter"
)

// apply changes the scratch as one patch says. If it is as the patch wants it
// already, changed is false; if the patch does not fit, the error is a clash.
func (s *scratch) apply(p artifact.Patch, rules Rules) (changed bool, err error) {
	if err := wellFormed(p); err != nil {
		return false, err
	}
	before, exists, err := s.read(p.Path)
	if err != nil {
		return false, err
	}
	if err := checkText(before, MaxFile); err != nil {
		return false, err
	}
	if p.Type == DeleteFile {
		return s.delete(p, before, exists, rules)
	}
	after, err := edited(p, before, exists)
	if err != nil {
		return false, err
	}
	if exists && after == before {
		return false, nil
	}
	if err := asExpected(p, before, exists); err != nil {
		return false, err
	}
	if p.Type != CreateFile && p.Origin != OriginManual && Stamped(before) {
		after = Stamp(after)
	}
	if err := checkText(after, MaxFile); err != nil {
		return false, err
	}
	s.set(p.Path, after)
	return true, nil
}

// wellFormed refuses patches that were not made by this package, or not as they
// claim.
func wellFormed(p artifact.Patch) error {
	invalid := func(expected, actual string) error { return &clash{InvalidPatch, expected, actual} }
	hash, err := contentHash(p)
	if err != nil {
		return err
	}
	hasContent := p.NewContent != nil
	switch p.Type {
	case CreateFile, UpdateByAnchor, UpdateFileRange:
		if !hasContent {
			return invalid("new_content", "none")
		}
	case UpdateKeys:
		if len(p.FrontmatterUpdates) == 0 {
			return invalid("frontmatter_updates", "none")
		}
	case DeleteFile:
	default:
		return invalid("a known type", fmt.Sprintf("%q", p.Type))
	}
	if hash != p.ContentHash {
		return invalid("content_hash "+hash, p.ContentHash)
	}
	if hasContent {
		return checkText(*p.NewContent, MaxPatch)
	}
	return nil
}

// asExpected compares the file with expected_before_hash. That of a range is
// compared with the range.
func asExpected(p artifact.Patch, before string, exists bool) error {
	if p.ExpectedBeforeHash == "" || p.Type == UpdateFileRange {
		return nil
	}
	if actual := Hash(before); !exists || actual != p.ExpectedBeforeHash {
		return &clash{HashMismatch, p.ExpectedBeforeHash, stateOf(before, exists)}
	}
	return nil
}

func stateOf(text string, exists bool) string {
	if !exists {
		return "absent"
	}
	return Hash(text)
}

// edited returns the file as a patch wants it. Where nothing has to change, that
// is the file as it is, to the byte.
func edited(p artifact.Patch, before string, exists bool) (string, error) {
	if p.Type == CreateFile {
		return create(p, before, exists)
	}
	if !exists {
		return "", &clash{FileMissing, "a file", "absent"}
	}
	text := normal(before)
	after, err := text, error(nil)
	switch p.Type {
	case UpdateByAnchor:
		after, err = insertAt(text, p.Anchor, *p.NewContent)
	case UpdateKeys:
		after, err = setKeys(text, p.FrontmatterUpdates)
	case UpdateFileRange:
		after, err = replaceRange(text, p)
	}
	if err != nil {
		return "", err
	}
	if after == text {
		return before, nil
	}
	return withEndsOf(before, after), nil
}

// create makes a file. One that is there already must be equal, or ours and
// untouched since an earlier launch.
func create(p artifact.Patch, before string, exists bool) (string, error) {
	content := normal(*p.NewContent)
	if !exists || before == content || Stamped(before) {
		return content, nil
	}
	return "", &clash{FileExists, "absent or " + Hash(content), Hash(before)}
}

func setKeys(text string, updates map[string]any) (string, error) {
	after, err := frontmatter.Edit(text, updates)
	if errors.Is(err, frontmatter.ErrTooLarge) {
		return "", &clash{TooLarge, fmt.Sprintf("at most %d bytes of front matter", frontmatter.MaxSize), "more"}
	}
	if err != nil {
		return "", &clash{FrontmatterBad, "front matter whose keys can be set", err.Error()}
	}
	return after, nil
}

// replaceRange replaces lines start to end, counted from 1, both included. An end
// before the start is a place between two lines.
func replaceRange(text string, p artifact.Patch) (string, error) {
	lines, content := linesOf(text), linesOf(normal(*p.NewContent))
	start, end := p.StartLine-1, p.EndLine
	if start < 0 || end < start || start > len(lines) {
		return "", &clash{RangeOutside, fmt.Sprintf("lines %d to %d", p.StartLine, p.EndLine), fmt.Sprintf("%d lines", len(lines))}
	}
	stands := len(content) > 0 && start+len(content) <= len(lines) && slices.Equal(lines[start:start+len(content)], content)
	if stands && start == end {
		return text, nil
	}
	if end > len(lines) || Hash(textOf(lines[start:end])) != p.ExpectedBeforeHash {
		if stands {
			return text, nil
		}
		return "", &clash{HashMismatch, fmt.Sprintf("lines %d to %d with hash %s", p.StartLine, p.EndLine, p.ExpectedBeforeHash), rangeState(lines, start, end)}
	}
	return textOf(slices.Concat(lines[:start], content, lines[end:])), nil
}

func rangeState(lines []string, start, end int) string {
	if end > len(lines) {
		return fmt.Sprintf("%d lines", len(lines))
	}
	return Hash(textOf(lines[start:end]))
}

func (s *scratch) delete(p artifact.Patch, before string, exists bool, rules Rules) (bool, error) {
	if !exists {
		return false, nil
	}
	if !rules.AllowDelete {
		return false, &clash{DeleteRefused, "a ruleset that lets files be deleted", "one that does not"}
	}
	if err := asExpected(p, before, exists); err != nil {
		return false, err
	}
	s.remove(p.Path)
	return true, nil
}
