package build_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/build"
)

// BenchmarkBuild makes caches of 2,000 documents of 2 KB, flushed to disk. None
// is removed meanwhile: making files is slow for a while after that.
func BenchmarkBuild(b *testing.B) {
	files := tree{}
	for i := range 2000 {
		files[fmt.Sprintf("%02d/%d.md", i%50, i)] = strings.Repeat(fmt.Sprintf("word%d ", i), 2048/len(fmt.Sprintf("word%d ", i)))
	}
	o := build.Options{Sources: files.dir(b), CreatedAt: createdAt}
	base, _ := built(b, build.Options{Sources: o.Sources})
	out := b.TempDir()
	for name, base := range map[string]string{"full": "", "incremental": base} {
		b.Run(name, func(b *testing.B) {
			o.Base = base
			for i := 0; b.Loop(); i++ {
				o.Output = filepath.Join(out, fmt.Sprint(name, b.N, "-", i))
				if _, err := build.Build(b.Context(), o); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/2000, "µs/document")
		})
	}
}
