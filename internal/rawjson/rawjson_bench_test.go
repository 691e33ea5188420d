package rawjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"mcpworks/internal/rawjson"
)

var (
	smallCall = `{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"},"_meta":{"progressToken":"abc123"}}}`
	ascii     = strings.Repeat("The quick brown fox jumps over the lazy dog. ", 2300)
	source    = strings.Repeat("\tif err != nil {\n\t\treturn fmt.Errorf(\"read: %w\", err)\n\t}\n", 1800)
	japanese  = strings.Repeat("日本語のテキスト", 4300)
	pretty    = indented()
)

func callWith(text string) []byte {
	b := []byte(`{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"name":"echo","arguments":{"text":`)
	return append(rawjson.AppendString(b, text), "}}}"...)
}

func indented() []byte {
	var list []any
	for range 500 {
		list = append(list, map[string]any{"name": "item", "size": 12345, "tags": []any{"a", "b"}, "ok": true})
	}
	b, _ := json.MarshalIndent(list, "", "  ")
	return b
}

var texts = []struct {
	name string
	text []byte
}{
	{"small", []byte(smallCall)},
	{"ascii", callWith(ascii)},
	{"source", callWith(source)},
	{"japanese", callWith(japanese)},
	{"pretty", pretty},
}

func BenchmarkCheck(b *testing.B) {
	for _, tt := range texts {
		b.Run(tt.name, func(b *testing.B) {
			b.SetBytes(int64(len(tt.text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := rawjson.Check(tt.text, rawjson.Limits{Depth: 64}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkValidEncodingJSON(b *testing.B) {
	for _, tt := range texts {
		b.Run(tt.name, func(b *testing.B) {
			b.SetBytes(int64(len(tt.text)))
			for b.Loop() {
				json.Valid(tt.text)
			}
		})
	}
}

func BenchmarkMembers(b *testing.B) {
	for _, tt := range texts[:4] {
		b.Run(tt.name, func(b *testing.B) {
			b.SetBytes(int64(len(tt.text)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				for key, value := range rawjson.Members(tt.text) {
					if string(key) == "params" {
						for key := range rawjson.Members(value) {
							n += len(key)
						}
					}
				}
				if n == 0 {
					b.Fatal("no params")
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, tt := range append(texts, struct {
		name string
		text []byte
	}{"hello", []byte(`{"text":"hello"}`)}) {
		b.Run(tt.name, func(b *testing.B) {
			b.SetBytes(int64(len(tt.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rawjson.Decode(tt.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppend(b *testing.B) {
	v, err := rawjson.Decode([]byte(smallCall))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var dst []byte
	for b.Loop() {
		if dst, err = rawjson.Append(dst[:0], v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendString(b *testing.B) {
	for _, tt := range []struct{ name, s string }{
		{"small", "hello, world"}, {"ascii", ascii}, {"source", source}, {"japanese", japanese},
	} {
		b.Run(tt.name, func(b *testing.B) {
			b.SetBytes(int64(len(tt.s)))
			b.ReportAllocs()
			var dst []byte
			for b.Loop() {
				dst = rawjson.AppendString(dst[:0], tt.s)
			}
		})
	}
}

func BenchmarkCompact(b *testing.B) {
	for _, tt := range texts {
		b.Run(tt.name, func(b *testing.B) {
			b.SetBytes(int64(len(tt.text)))
			b.ReportAllocs()
			var dst []byte
			for b.Loop() {
				dst = rawjson.Compact(dst[:0], tt.text)
			}
		})
	}
}
