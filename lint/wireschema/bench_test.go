package wireschema

import (
	"fmt"
	"strings"
	"testing"

	"mcpworks/mcp"
)

// toolList writes the answer to tools/list with at least that many bytes, of
// tools with ten arguments each.
func toolList(size int, tool string) []byte {
	var b strings.Builder
	b.WriteString(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[`)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, tool, i)
	}
	b.WriteString(`]}}`)
	return []byte(b.String())
}

var goodTool = `{"name":"tool_%d","description":"` + strings.Repeat("words ", 40) + `","inputSchema":{"type":"object","properties":{` +
	strings.TrimSuffix(strings.Repeat(`"argument_K":{"type":"string","description":"what the argument is for","minLength":1},`, 10), ",") + `}}}`

func init() {
	for i := range 10 {
		goodTool = strings.Replace(goodTool, "argument_K", fmt.Sprint("argument_", i), 1)
	}
}

func BenchmarkValidate(b *testing.B) {
	for _, bb := range []struct {
		name string
		raw  []byte
	}{
		{"1MB tool list", toolList(1<<20, goodTool)},
		{"1MB tool list, all wrong", toolList(1<<20, `{"name":%d,"inputSchema":{"type":"string"}}`)},
		{"largest tool list", toolList(maxBytes-4096, goodTool)},
		{"most values", toolList(3<<20, `{"name":%d,"inputSchema":{"type":[1]}}`)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Validate("2025-11-25", Server, "tools/list", bb.raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, r := range mcp.Revisions() {
		b.Run(r.Version, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := compile(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
