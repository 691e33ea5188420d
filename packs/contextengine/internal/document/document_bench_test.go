package document_test

import (
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/document"
)

// Two kilobytes of each kind of text.
var benchTexts = []struct{ name, text string }{
	{"ascii", sized("# Deployment Guide\n\nThe service is deployed by the Release Manager, never by hand.\n")},
	{"greek", sized("Η ΟΔΟΣ προς τα ΚΑΤΩ είναι μία και η ίδια.\n")},
	{"russian", sized("Все счастливые семьи похожи друг на друга.\n")},
	{"japanese", sized("吾輩は猫である。名前はまだ無い。どこで生れたか とんと見当がつかぬ。\n")},
	{"hostile", sized("ΑΣ.........................Σ")},
}

func sized(line string) string { return strings.Repeat(line, 2048/len(line)+1) }

func eachText(b *testing.B, measure func(b *testing.B, text string)) {
	for _, tt := range benchTexts {
		b.Run(tt.name, func(b *testing.B) {
			b.SetBytes(int64(len(tt.text)))
			b.ReportAllocs()
			measure(b, tt.text)
		})
	}
}

func BenchmarkLower(b *testing.B) {
	eachText(b, func(b *testing.B, text string) {
		for b.Loop() {
			document.Lower(text)
		}
	})
}

func BenchmarkAppendLower(b *testing.B) {
	eachText(b, func(b *testing.B, text string) {
		dst := make([]byte, 0, 2*len(text))
		for b.Loop() {
			dst = document.AppendLower(dst[:0], text)
		}
	})
}

func BenchmarkWords(b *testing.B) {
	eachText(b, func(b *testing.B, text string) {
		for b.Loop() {
			n := 0
			for range document.Words(text) {
				n++
			}
			if n == 0 {
				b.Fatal("no words")
			}
		}
	})
}

func benchDocument(text string) document.Document {
	return document.Document{ID: "docs/guide.md", Version: document.VersionOf([]byte(text)), Source: "docs/guide.md", Content: text}
}

func BenchmarkParse(b *testing.B) {
	eachText(b, func(b *testing.B, text string) {
		d := benchDocument(text)
		written := d.AppendJSON(nil)
		for b.Loop() {
			if _, err := document.Parse(written); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkAppendJSON(b *testing.B) {
	eachText(b, func(b *testing.B, text string) {
		d := benchDocument(text)
		var dst []byte
		for b.Loop() {
			dst = d.AppendJSON(dst[:0])
		}
	})
}
