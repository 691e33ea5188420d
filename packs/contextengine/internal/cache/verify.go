package cache

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"mcpworks/internal/rawjson"
)

// Verify checks a cache in full (VERIFY-1 to VERIFY-3) and returns every problem
// as one line, in an order that does not change. It fails only where there is
// nothing that could be verified: LOAD-1 to LOAD-4. The inspection's Valid is
// not set.
func Verify(ctx context.Context, path string) (problems []string, seen Inspection, err error) {
	dir, err := openFolder(path)
	if err != nil {
		return nil, seen, err
	}
	c := &Cache{folder: dir}
	defer c.Close()
	text, err := dir.read(manifestName, maxManifest)
	if err != nil {
		return nil, seen, err
	}
	raw, err := readManifest(text)
	if err != nil {
		return nil, seen, fmt.Errorf("%w: %s: %w", ErrInvalid, manifestName, err)
	}
	c.manifest = &raw.Manifest
	for _, problem := range raw.problems() {
		problems = append(problems, manifestName+": "+problem)
	}
	seen = Inspection{CacheVersion: raw.CacheVersion, DocumentCount: raw.count}
	inDocuments, total, err := c.verifyDocuments(ctx)
	if err != nil {
		return nil, seen, err
	}
	seen.TotalBytes = total
	problems = append(problems, inDocuments...)
	return append(problems, c.verifyIndex()...), seen, nil
}

// verifyDocuments checks every document, finds files that nobody named, and
// sums the sizes of those that are named and exist.
func (c *Cache) verifyDocuments(ctx context.Context) (problems []string, total int64, err error) {
	c.documents, err = c.folder.sub(documentsName)
	if err != nil && len(c.manifest.Entries) == 0 {
		return nil, 0, nil
	}
	if err != nil {
		return []string{err.Error()}, 0, nil
	}
	sizes, stray, err := c.compareFiles()
	if err != nil {
		problems = append(problems, err.Error())
	}
	for _, size := range sizes {
		total += size
	}
	for _, name := range stray {
		problems = append(problems, documentsName+"/"+name+" is not named by the manifest")
	}
	found := make([]string, len(c.manifest.Entries))
	if err := c.readEvery(ctx, found); err != nil {
		return nil, 0, err
	}
	for _, problem := range found {
		if problem != "" {
			problems = append(problems, problem)
		}
	}
	return problems, total, nil
}

// compareFiles returns the sizes of the files that the manifest names, and the
// names of the others.
func (c *Cache) compareFiles() (sizes map[string]int64, stray []string, err error) {
	sizes = make(map[string]int64, len(c.manifest.Entries))
	for i := range c.manifest.Entries {
		name := c.manifest.Entries[i].Version.FileName()
		if info, err := c.folder.stat(documentsName + "/" + name); err == nil && info.Mode().IsRegular() {
			sizes[name] = info.Size()
		}
	}
	entries, err := c.listDocuments()
	if err != nil {
		return sizes, nil, err
	}
	named := make(map[string]bool, len(c.manifest.Entries))
	for i := range c.manifest.Entries {
		named[c.manifest.Entries[i].Version.FileName()] = true
	}
	for _, entry := range entries {
		if !named[entry.Name()] {
			stray = append(stray, entry.Name())
		}
	}
	return sizes, stray, nil
}

// readEvery reads all documents, also after one that fails.
func (c *Cache) readEvery(ctx context.Context, problems []string) error {
	var workers sync.WaitGroup
	count := Workers()
	for worker := range count {
		workers.Go(func() {
			var r reader
			for i := worker; i < len(problems) && ctx.Err() == nil; i += count {
				if _, err := r.read(c, i); err != nil {
					problems[i] = strings.TrimPrefix(err.Error(), ErrInvalid.Error()+": ")
				}
			}
		})
	}
	workers.Wait()
	return ctx.Err()
}

// verifyIndex holds index.json against the manifest (VERIFY-2).
func (c *Cache) verifyIndex() []string {
	text, err := c.folder.read(indexName, maxManifest)
	if err == nil {
		err = rawjson.Check(text, rawjson.Limits{Depth: maxDepth})
	}
	if err == nil && rawjson.KindOf(text) != rawjson.Object {
		err = errors.New("is not an object")
	}
	if err != nil {
		return []string{indexName + ": " + strings.TrimPrefix(err.Error(), ErrInvalid.Error()+": ")}
	}
	files := make(map[string]string, len(c.manifest.Entries))
	for i := range c.manifest.Entries {
		files[c.manifest.Entries[i].ID] = c.manifest.Entries[i].File()
	}
	var problems []string
	for name, value := range rawjson.Members(text) {
		file, isString := rawjson.String(value)
		want, isNamed := files[string(name)]
		switch {
		case !isString:
			problems = append(problems, fmt.Sprintf("%s: %q is not a string", indexName, name))
		case !isNamed:
			problems = append(problems, fmt.Sprintf("%s: the manifest does not name %q, or once only", indexName, name))
		case file != want:
			problems = append(problems, fmt.Sprintf("%s: the file of %q is not the manifest's", indexName, name))
		}
		delete(files, string(name))
	}
	absent := make([]string, 0, len(files))
	for id := range files {
		absent = append(absent, fmt.Sprintf("%s: %q is missing", indexName, id))
	}
	slices.Sort(absent)
	return append(problems, absent...)
}
