package cache

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"mcpworks/internal/rawjson"
	"mcpworks/packs/contextengine/internal/document"
)

// Verify checks a cache in full (VERIFY-1 to VERIFY-3) and returns every problem
// as one line, in an order that does not change. It fails only where there is
// nothing that could be verified: LOAD-1 to LOAD-4.
func Verify(ctx context.Context, path string) (problems []string, seen Inspection, err error) {
	err = lookAt(func() (*folder, error) { return openFolder(path) }, func(f *folder) (bool, error) {
		c := &Cache{folder: f}
		problems, seen, err = c.verify(ctx)
		if c.documents != nil {
			_ = c.documents.Close()
		}
		seen.Valid = err == nil && len(problems) == 0
		return seen.Valid, err
	})
	if err != nil {
		return nil, Inspection{}, err
	}
	return problems, seen, nil
}

// lookAt shows a folder to look, and if that was not well but the folder has
// been replaced by another meanwhile, the other.
func lookAt(find func() (*folder, error), look func(*folder) (well bool, err error)) error {
	for attempt := 1; ; attempt++ {
		f, err := find()
		if err != nil {
			return err
		}
		well, err := look(f)
		again := !well && attempt < attempts && f.isReplaced()
		f.close()
		if !again {
			return err
		}
	}
}

func (c *Cache) verify(ctx context.Context) (problems []string, seen Inspection, err error) {
	text, err := c.folder.read(ManifestName, MaxManifest)
	if err != nil {
		return nil, seen, err
	}
	raw, err := readManifest(text)
	if err != nil {
		return nil, seen, fmt.Errorf("%w: %s: %w", ErrInvalid, ManifestName, err)
	}
	c.manifest = &raw.Manifest
	for _, problem := range raw.problems() {
		problems = append(problems, ManifestName+": "+problem)
	}
	inDocuments, total, err := c.verifyDocuments(ctx)
	if err != nil {
		return nil, seen, err
	}
	seen = Inspection{CacheVersion: raw.CacheVersion, DocumentCount: raw.count, TotalBytes: total}
	problems = append(problems, inDocuments...)
	return append(problems, c.verifyIndex()...), seen, nil
}

// verifyDocuments checks every document, finds files that nobody named, and
// sums the sizes of those that are named and exist.
func (c *Cache) verifyDocuments(ctx context.Context) (problems []string, total int64, err error) {
	c.documents, err = c.folder.sub(DocumentsName)
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
		if total, err = addSize(total, size); err != nil {
			problems = append(problems, err.Error())
			break
		}
	}
	for _, name := range stray {
		problems = append(problems, DocumentsName+"/"+name+" is not named by the manifest")
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
		if info, err := c.folder.stat(DocumentsName + "/" + name); err == nil && info.Mode().IsRegular() {
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
				if err := c.show(&r, worker, i, func(int, int, *document.Document) {}); err != nil {
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
	text, err := c.folder.read(IndexName, MaxManifest)
	if err == nil {
		err = rawjson.Check(text, rawjson.Limits{Depth: maxDepth})
	}
	if err == nil && rawjson.KindOf(text) != rawjson.Object {
		err = errors.New("is not an object")
	}
	if err != nil {
		return []string{IndexName + ": " + strings.TrimPrefix(err.Error(), ErrInvalid.Error()+": ")}
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
			problems = append(problems, fmt.Sprintf("%s: %q is not a string", IndexName, name))
		case !isNamed:
			problems = append(problems, fmt.Sprintf("%s: the manifest does not name %q, or once only", IndexName, name))
		case file != want:
			problems = append(problems, fmt.Sprintf("%s: the file of %q is not the manifest's", IndexName, name))
		}
		delete(files, string(name))
	}
	absent := make([]string, 0, len(files))
	for id := range files {
		absent = append(absent, fmt.Sprintf("%s: %q is missing", IndexName, id))
	}
	slices.Sort(absent)
	return append(problems, absent...)
}
