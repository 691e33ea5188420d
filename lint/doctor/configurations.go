package doctor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
)

// A configuration is where a client keeps the list of its servers.
type configuration struct {
	client string
	file   string   // a pattern of filepath.Match, from one of the places
	lists  []string // members that hold servers; dots lead into objects
}

// The configurations of known clients (B10), by the place that their files are
// in.
var (
	servers = []string{"mcpServers"}

	inHome = []configuration{
		{"Claude Code", ".claude.json", servers},
		{"Cursor", ".cursor/mcp.json", servers},
		{"Windsurf", ".codeium/windsurf/mcp_config.json", servers},
		{"Gemini CLI", ".gemini/settings.json", servers},
		{"Codex", ".codex/config.toml", nil},
		{"Kiro", ".kiro/settings/mcp.json", servers},
		{"Antigravity", ".gemini/antigravity/mcp_config.json", servers},
		{"Amazon Q", ".aws/amazonq/mcp.json", servers},
		{"OpenCode", ".config/opencode/opencode.json", []string{"mcp"}},
		{"Zed", ".config/zed/settings.json", []string{"context_servers"}},
		{"Continue", ".continue/mcpServers/*", servers},
	}
	inConfig = []configuration{
		{"Claude Desktop", "Claude/claude_desktop_config.json", servers},
		{"VS Code", "Code/User/mcp.json", []string{"servers"}},
		{"VS Code", "Code/User/settings.json", []string{"mcp.servers"}},
		{"VS Code Insiders", "Code - Insiders/User/mcp.json", []string{"servers"}},
		{"VS Code Insiders", "Code - Insiders/User/settings.json", []string{"mcp.servers"}},
		{"Cline", "Code/User/globalStorage/*/settings/cline_mcp_settings.json", servers},
	}
	inProject = []configuration{
		{"Claude Code", ".mcp.json", servers},
		{"Cursor", ".cursor/mcp.json", servers},
		{"VS Code", ".vscode/mcp.json", []string{"servers"}},
		{"Gemini CLI", ".gemini/settings.json", servers},
	}
)

// configurations looks for those that exist and says whether they can be read.
func (x *examination) configurations(at Places) {
	seen := map[string]bool{}
	for _, place := range []struct {
		folder string
		all    []configuration
	}{{at.Home, inHome}, {at.Config, inConfig}, {at.Project, inProject}} {
		for _, c := range place.all {
			if place.folder == "" {
				continue
			}
			files, _ := filepath.Glob(filepath.Join(escapeGlob(place.folder), filepath.FromSlash(c.file))) // the pattern is ours
			for _, file := range files {
				if !seen[file] {
					seen[file] = true
					x.configuration(c, file)
				}
			}
		}
	}
	if len(seen) == 0 {
		x.plan(optional("configurations"))
		x.skip("configurations", "none of a known client was found")
	}
}

// escapeGlob has a folder mean itself in a pattern.
func escapeGlob(folder string) string {
	if os.PathSeparator == '\\' {
		return folder // there is no way to say it
	}
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace(folder)
}

func (x *examination) configuration(c configuration, file string) {
	name := c.client + ": " + file
	x.plan(required(name))
	n, known, err := c.read(file)
	switch {
	case err != nil:
		s := x.set(name, Failed, err.Error(), nil)
		s.Action = c.client + " cannot read it either: correct it, or delete it"
	case !known:
		x.ok(name, "it is there; its format is not looked into")
	default:
		x.ok(name, "it can be read, with "+several(n, "server"))
	}
}

// maxConfiguration is how long a file may be, in bytes. Some clients keep their
// history there, too.
const maxConfiguration = 64 << 20

// read counts the servers of a file. It is known whether there are any only in
// JSON.
func (c configuration) read(file string) (n int, known bool, err error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return 0, false, errors.New("it cannot be opened")
	case !info.Mode().IsRegular():
		return 0, false, errors.New("it is no file")
	}
	if filepath.Ext(file) != ".json" {
		return 0, false, nil
	}
	opened, err := os.Open(file)
	if err != nil {
		return 0, false, errors.New("it cannot be opened")
	}
	defer opened.Close()
	text, cut, err := bounded.Read(opened, maxConfiguration)
	switch {
	case err != nil:
		return 0, false, errors.New("it cannot be read")
	case cut:
		return 0, false, fmt.Errorf("it is longer than %d bytes", maxConfiguration)
	}
	text = strictJSON(text)
	if err := rawjson.Check(text, rawjson.Limits{Depth: 200}); err != nil {
		return 0, false, fmt.Errorf("it is no JSON, not even with comments: %w", err)
	}
	return c.count(text), true, nil
}

func (c configuration) count(object []byte) (n int) {
	for _, list := range c.lists {
		value := rawjson.Member(object, list) // settings are often written with the dots
		if value == nil {
			value = object
			for name := range strings.SplitSeq(list, ".") {
				value = rawjson.Member(value, name)
			}
		}
		for range rawjson.Members(value) {
			n++
		}
	}
	for _, project := range rawjson.Members(rawjson.Member(object, "projects")) { // of Claude Code
		for range rawjson.Members(rawjson.Member(project, "mcpServers")) {
			n++
		}
	}
	return n
}
