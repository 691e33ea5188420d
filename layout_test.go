package mcpworks

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// leaves answer one question each and know nothing of the house.
var leaves = []string{
	"internal/bounded", "internal/cmdline", "internal/httpguard", "internal/jsonschema", "internal/logging", "internal/metrics", "internal/nearest",
	"internal/printable", "internal/ratelimit", "internal/rawjson", "internal/secret", "internal/version",
}

// arrows says which rooms each room may look into; patterns are of path.Match.
// The first row that matches a room holds.
var arrows = []struct {
	room    string
	imports []string
}{
	{"internal/bounded", nil},
	{"internal/cmdline", []string{"internal/nearest"}},
	{"internal/nearest", nil},
	{"internal/printable", nil},
	{"internal/rawjson", nil},
	{"internal/secret", nil},
	{"internal/version", nil},
	{"internal/logging", []string{"internal/secret"}},
	{"internal/jsonschema", []string{"internal/rawjson"}},
	{"internal/httpguard", []string{"internal/secret"}},
	{"internal/ratelimit", nil},
	{"internal/metrics", nil},

	{"mcp/jsonrpc", []string{"internal/rawjson"}},
	{"mcp", []string{"mcp/jsonrpc", "internal/rawjson"}},
	{"mcp/transport", []string{"mcp", "mcp/jsonrpc", "internal/rawjson"}},
	{"mcp/transport/eventstream", nil},
	{"mcp/transport/origin", []string{"mcp/transport", "internal/bounded", "internal/rawjson"}},
	{"mcp/client", append([]string{"mcp", "mcp/jsonrpc", "mcp/transport", "mcp/transport/*"}, leaves...)},
	{"mcp/client/oauth", []string{"mcp/transport/origin", "internal/bounded", "internal/rawjson", "internal/secret"}},
	{"mcp/transport/transporttest", []string{"mcp/transport"}},
	{"mcp/transport/stdio", []string{"mcp/transport", "mcp", "mcp/jsonrpc", "internal/bounded", "internal/rawjson"}},
	{"mcp/transport/*", []string{"mcp/transport", "mcp/transport/eventstream", "mcp/transport/origin", "mcp", "mcp/jsonrpc", "internal/bounded", "internal/rawjson"}},
	{"mcp/server", append([]string{"mcp", "mcp/jsonrpc", "mcp/transport"}, leaves...)},
	{"internal/serve", []string{"mcp/server", "mcp/transport/stdio"}},
	{"internal/servehttp", append([]string{"mcp", "mcp/jsonrpc", "mcp/transport"}, leaves...)},
	{"internal/telemetry", append([]string{"mcp", "mcp/jsonrpc", "mcp/server", "mcp/transport"}, leaves...)},
	{"internal/console", nil},

	{"packs/judge", append([]string{"mcp", "mcp/jsonrpc", "mcp/server", "packs/judge/internal/*"}, leaves...)},
	{"packs/judge/internal/*", append([]string{"packs/judge/internal/*"}, leaves...)},
	{"packs/judge/sample", leaves},
	{"packs/contextengine", append([]string{"mcp", "mcp/jsonrpc", "mcp/server", "packs/contextengine/internal/*"}, leaves...)},
	{"packs/contextengine/internal/cachetest", append([]string{"packs/contextengine/internal/*"}, leaves...)},
	{"packs/contextengine/internal/canonical", nil},
	{"packs/contextengine/internal/document", leaves},
	{"packs/contextengine/internal/*", append([]string{"packs/contextengine/internal/*"}, leaves...)},
	{"packs/contextengine/sample", leaves},
	{"packs/launch", append([]string{"mcp", "mcp/jsonrpc", "mcp/server", "packs/launch/internal/*", "packs/launch/internal/*/*"}, leaves...)},
	{"packs/launch/internal/issue", nil},
	{"packs/launch/internal/*", append([]string{"packs/launch/internal/*", "packs/launch/internal/*/*", "packs/launch/internal/*/*/*"}, leaves...)},
	{"packs/launch/internal/*/*", append([]string{"packs/launch/internal/*", "packs/launch/internal/*/*", "packs/launch/internal/*/*/*"}, leaves...)},
	{"packs/launch/internal/*/*/*", append([]string{"packs/launch/internal/*", "packs/launch/internal/*/*"}, leaves...)},
	{"packs/plantuml", append([]string{"mcp", "mcp/jsonrpc", "mcp/server", "packs/plantuml/internal/*"}, leaves...)},
	{"packs/plantuml/internal/*", nil},

	{"lint", append([]string{"lint/step", "mcp", "mcp/jsonrpc", "mcp/transport/eventstream"}, leaves...)},
	{"lint/step", nil},
	{"lint/conceal", append([]string{"mcp/client"}, leaves...)},
	{"lint/linttest", []string{"lint"}},
	{"lint/linttest/crooked", []string{"internal/*", "lint", "lint/*", "lint/*/*", "mcp", "mcp/*", "mcp/transport/*"}},
	{"lint/wireschema", append([]string{"mcp"}, leaves...)},
	{"lint/rules", append([]string{"lint", "lint/rules/*"}, leaves...)},
	{"lint/rules/*", append([]string{"lint", "lint/step", "lint/wireschema", "mcp", "mcp/jsonrpc", "mcp/transport/eventstream", "mcp/transport/origin"}, leaves...)},
	{"lint/probe", append([]string{"lint", "lint/step", "lint/probe/*", "mcp", "mcp/client"}, leaves...)},
	{"lint/probe/wire", append([]string{"lint", "lint/step", "mcp", "mcp/client", "mcp/transport", "mcp/transport/eventstream", "mcp/transport/origin"}, leaves...)},
	{"lint/probe/*", append([]string{"lint", "lint/step", "lint/probe/wire", "mcp", "mcp/jsonrpc"}, leaves...)},
	{"lint/report", append([]string{"lint", "lint/step", "mcp"}, leaves...)},
	{"lint/doctor", append([]string{"lint/conceal", "mcp", "mcp/client", "mcp/jsonrpc", "mcp/transport", "mcp/transport/*"}, leaves...)},

	{"cmd/oj-mcp-rs", append([]string{"packs/judge", "internal/serve", "mcp/transport/stdio"}, leaves...)},
	{"cmd/context", append([]string{"packs/contextengine", "internal/serve", "mcp/server", "mcp/transport/stdio"}, leaves...)},
	{"cmd/mcp-context-server", append([]string{"packs/contextengine", "internal/serve", "mcp/transport/stdio"}, leaves...)},
	{"cmd/plantuml-mcp", append([]string{"packs/plantuml", "internal/servehttp", "mcp/transport/streamable"}, leaves...)},
	{"cmd/mcpworks", append([]string{"packs/*", "packs/*/sample", "mcp/server", "mcp/transport/*", "internal/*"}, leaves...)},
	{"cmd/mcplint", append([]string{"lint", "lint/conceal", "lint/doctor", "lint/probe", "lint/probe/wire", "lint/report", "lint/rules", "lint/step", "mcp", "mcp/client", "mcp/jsonrpc", "mcp/transport"}, leaves...)},
	{"cmd/foss-launcher-mcp", append([]string{"packs/launch", "internal/serve", "mcp/server", "mcp/transport/stdio"}, leaves...)},
	{"cmd/oj-sample-backend", append([]string{"packs/judge/sample"}, leaves...)},

	{"conformance/*", []string{"internal/*", "mcp", "mcp/*", "mcp/client/*", "mcp/transport/*"}},
	{"internal/gendocs", []string{"lint", "lint/rules", "mcp", "mcp/jsonrpc", "mcp/transport"}},
	{"internal/scripttest", []string{"internal/version"}},
	{"internal/mcptest", []string{"internal/bounded"}},
	{"internal/mcptest/foreign", []string{"mcp", "mcp/server"}},
	{"bench/*", []string{"*", "*/*", "*/*/*", "*/*/*/*"}},
	{"bench/*/*", []string{"*", "*/*", "*/*/*", "*/*/*/*"}},
}

// workshop is what tests and benchmarks may use and the product may not.
var workshop = []string{
	"mcpworks/internal/mcptest", "mcpworks/internal/scripttest", "mcpworks/lint/linttest", "mcpworks/bench", "github.com/modelcontextprotocol/go-sdk", "github.com/mark3labs/mcp-go",
	"pgregory.net/rapid", "github.com/google/go-cmp", "github.com/rogpeppe/go-internal", "testing",
}

type goPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func TestArrowsPointTheRightWay(t *testing.T) {
	for _, p := range list(t) {
		room := strings.TrimPrefix(p.ImportPath, "mcpworks/")
		if room == "mcpworks" {
			continue
		}
		i := slices.IndexFunc(arrows, func(row struct {
			room    string
			imports []string
		}) bool {
			return matches(row.room, room)
		})
		if i < 0 {
			t.Errorf("%s has no row in the table of arrows", room)
			continue
		}
		for _, imported := range p.Imports {
			target, ours := strings.CutPrefix(imported, "mcpworks/")
			if ours && !slices.ContainsFunc(arrows[i].imports, func(pattern string) bool { return matches(pattern, target) }) {
				t.Errorf("%s must not import %s", room, target)
			}
		}
	}
}

func TestProductLinksNoWorkshop(t *testing.T) {
	for _, p := range list(t) {
		if !strings.HasPrefix(p.ImportPath, "mcpworks/cmd/") {
			continue
		}
		for _, dep := range p.Deps {
			for _, tool := range workshop {
				if dep == "testing" && slices.Contains(p.Deps, "github.com/riverqueue/river") {
					continue // River links it by itself
				}
				if dep == tool || strings.HasPrefix(dep, tool+"/") {
					t.Errorf("%s links %s", p.ImportPath, dep)
				}
			}
		}
	}
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// list returns all packages of the module.
func list(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,Deps", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
