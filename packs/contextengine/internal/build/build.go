// Package build makes a cache from a directory of Markdown files, all of it or
// nothing: a reader finds the old cache or the new one at the output path, never
// a part of either, and what a failed build has made it takes away again.
//
// Rule numbers refer to the context engine's contract.
package build

import (
	"context"
	"fmt"
	"strings"

	"mcpworks/packs/contextengine/internal/cache"
)

// Options is what is built, from what, and how.
type Options struct {
	// Sources is the directory whose .md files become documents.
	Sources string
	// Output is the path of the cache. Missing parents are created.
	Output string
	// Force replaces a cache that is at the output path; without it, anything
	// there makes the build fail. What is not a cache is never replaced.
	Force bool
	// Base is an older cache, which may be the one that is replaced. Documents
	// that it has are taken from there instead of being written again. Empty
	// means that all are written; the result is the same.
	Base string
	// CreatedAt is the time of the build, in UTC by RFC 3339, ending in Z.
	CreatedAt string
	// Progress is told after each document how many are done. Calls come one at
	// a time, from any goroutine, and hold the build up. Nil tells nobody.
	Progress func(done, total int)
}

// A Report says what was built.
type Report struct {
	Documents    int
	Reused       int // of them, those that were taken from the base
	CacheVersion string
	// Leftover is the path of the replaced cache if it could not be removed:
	// the new one is in place all the same. The next build tries again.
	Leftover string
}

// Build makes the cache. Errors are cache.ErrInvalid for two sources of one id,
// cache.ErrIO for what cannot be read, written or replaced, those of cache.Open
// for the base, or the error of ctx. Any other error is for sources that no
// cache can hold: text or names that are not UTF-8, or contents that would need
// the same file.
//
// Of several faults always the same one is reported, whatever the machine.
func Build(ctx context.Context, o Options) (Report, error) {
	if err := checkCreatedAt(o.CreatedAt); err != nil {
		return Report{}, err
	}
	root, err := findSources(o.Sources)
	if err != nil {
		return Report{}, err
	}
	out, err := findTarget(o.Output, o.Force, root)
	if err != nil {
		return Report{}, err
	}
	older, err := openBase(o.Base)
	if err != nil {
		return Report{}, err
	}
	defer older.close()
	sources, err := walk(ctx, root)
	if err != nil {
		return Report{}, err
	}
	s, err := newScratch(out)
	if err != nil {
		return Report{}, err
	}
	report, err := fill(ctx, s, root, sources, older, o)
	if err == nil {
		err = s.publish(o.Force)
	}
	if err != nil {
		return Report{}, s.discard(err)
	}
	report.Leftover = s.removeOld()
	return report, nil
}

// fill puts a complete cache into s, on disk.
func fill(ctx context.Context, s *scratch, root string, sources []source, older *base, o Options) (Report, error) {
	from, err := openFolder(root)
	if err != nil {
		return Report{}, ioError("open the sources: %w", err)
	}
	defer from.close()
	work := ingestion{from: from, sources: sources, base: older, to: s.documents, progress: o.Progress}
	if err := work.run(ctx); err != nil {
		return Report{}, err
	}
	manifest := cache.Manifest{CreatedAt: o.CreatedAt, Entries: make([]cache.Entry, len(sources))}
	for i := range sources {
		manifest.Entries[i] = sources[i].Entry
	}
	manifest.CacheVersion = cache.VersionOf(manifest.Entries)
	if err := s.complete(ctx, &manifest); err != nil {
		return Report{}, err
	}
	return Report{Documents: len(sources), Reused: int(work.reused.Load()), CacheVersion: manifest.CacheVersion}, nil
}

// checkCreatedAt keeps a caller's mistake from making a cache that no reader
// takes (CACHE-6).
func checkCreatedAt(text string) error {
	if !cache.IsTimestamp(text) || !strings.HasSuffix(text, "Z") {
		return fmt.Errorf("the time of the build, %q, is not one in UTC by RFC 3339", text)
	}
	return nil
}
