package cache

import (
	"context"
	"errors"
	"strconv"

	"mcpworks/internal/rawjson"
)

// An Inspection is what a cache looks like from outside.
type Inspection struct {
	CacheVersion  string
	DocumentCount uint64
	TotalBytes    int64
	Valid         bool
}

// AppendJSON appends the inspection, compact (INS-2).
func (i Inspection) AppendJSON(dst []byte) []byte {
	o := rawjson.Begin(dst)
	o.String("cache_version", i.CacheVersion)
	o.Set(strconv.AppendUint(o.Name("document_count"), i.DocumentCount, 10))
	o.Int("total_bytes", i.TotalBytes)
	o.Bool("valid", i.Valid)
	return o.End()
}

// Inspect looks at a cache as the command does: TotalBytes are those of the
// document files, and Valid is the outcome of full verification (CLI-5 to
// CLI-7).
func Inspect(ctx context.Context, path string) (Inspection, error) {
	_, inspection, err := Verify(ctx, path)
	return inspection, err
}

// InspectBelow looks at a cache as the server does: TotalBytes are those of the
// files directly inside, and no hash is checked (INS-1 to INS-9).
func InspectBelow(root, name string) (i Inspection, err error) {
	err = lookAt(func() (*folder, error) { return openFolderBelow(root, name) }, func(f *folder) (bool, error) {
		i, err = f.inspect()
		return i.Valid, err
	})
	return i, err
}

func (f *folder) inspect() (i Inspection, err error) {
	text, err := f.read(ManifestName, MaxManifest)
	if errors.Is(err, ErrInvalid) {
		return Inspection{}, nil
	}
	if err != nil {
		return Inspection{}, err
	}
	if rawjson.Check(text, rawjson.Limits{Depth: maxDepth}) != nil {
		return Inspection{}, nil
	}
	var hasVersion, hasCount bool
	for name, value := range rawjson.Members(text) {
		switch string(name) {
		case "cache_version":
			i.CacheVersion, hasVersion = rawjson.String(value)
		case "document_count":
			i.DocumentCount, hasCount = parseCount(value)
		}
	}
	total, err := f.regularBytes()
	if hasVersion && hasCount && err == nil {
		i.TotalBytes, i.Valid = total, true
	}
	return i, nil
}
