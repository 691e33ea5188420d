package contextengine

import (
	"context"
	"time"

	"mcpworks/packs/contextengine/internal/build"
)

// BuildOptions say what to build (section 5).
type BuildOptions struct {
	// Sources is the directory of Markdown files, Cache the one to make of it.
	Sources, Cache string
	// Force replaces a cache that is there already, once the new one is
	// complete.
	Force bool
	// Base is a cache whose unchanged documents are used again; empty means
	// none. It changes no byte of the result.
	Base string
	// CreatedAt is the time that the manifest names; zero means now.
	CreatedAt time.Time
	// Progress is told how many documents are done, from any goroutine; nil
	// means nobody.
	Progress func(done, total int)
}

// A BuildReport is what a build has made.
type BuildReport struct {
	Documents    int
	Reused       int // of them, taken from the base
	CacheVersion string
	Leftover     string // where the replaced cache still is, if it could not be removed
}

// Build makes a cache, wholly or not at all.
func Build(ctx context.Context, o BuildOptions) (BuildReport, error) {
	if o.CreatedAt.IsZero() {
		o.CreatedAt = time.Now()
	}
	report, err := build.Build(ctx, build.Options{
		Sources: o.Sources, Output: o.Cache, Force: o.Force, Base: o.Base,
		CreatedAt: o.CreatedAt.UTC().Format(time.RFC3339Nano), Progress: o.Progress,
	})
	return BuildReport(report), err
}
