package console

import (
	"bytes"
	"encoding/json"
	"strings"
)

// A client is how one kind of client is told about the server.
type client struct {
	Name  string
	Where string // the file or place the text belongs into
	Text  string
	Wide  bool // the text has long lines
}

// clients returns the lines for common clients. Tokens are named, never shown:
// each client has its own way to fill one in.
func clients(opts Options, origin string) []client {
	list := []client{
		{"Claude Code", "in a terminal", claudeCommands(opts, origin), true},
		{"Claude Code, Cursor and others", ".mcp.json, or the client's own file with mcpServers", mcpServers(opts, origin), false},
		{"VS Code", ".vscode/mcp.json", vsCode(opts, origin), false},
	}
	if text := stdio(opts); text != "" {
		list = append(list, client{"Clients that start programs", "claude_desktop_config.json and the like; needs no mcpworks, but the program's own backend", text, true})
	}
	return append(list, client{"Anything with HTTP", "in a terminal", curl(opts, origin), true})
}

// ordered is a JSON object that keeps the order of its members.
type ordered []member

type member struct {
	name  string
	value any
}

// MarshalJSON implements json.Marshaler.
func (o ordered) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := marshal(m.value)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}

// marshal leaves <, > and & readable: the page escapes for itself.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSpace(out.Bytes()), err
}

func pretty(v any) string {
	compact, err := marshal(v)
	if err != nil {
		panic(err) // strings and objects of strings
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		panic(err)
	}
	return out.String()
}

const tokenVariable = "MCPWORKS_TOKEN"

func claudeCommands(opts Options, origin string) string {
	var lines []string
	for _, pack := range opts.Packs {
		line := "claude mcp add --transport http " + pack.Name + " " + origin + "/" + pack.Name + "/mcp"
		if opts.Token {
			line += ` --header "Authorization: Bearer $` + tokenVariable + `"`
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// remote is the entry of a server that is reached by HTTP.
func remote(pack Pack, origin, authorization string) ordered {
	entry := ordered{{"type", "http"}, {"url", origin + "/" + pack.Name + "/mcp"}}
	if authorization != "" {
		entry = append(entry, member{"headers", ordered{{"Authorization", authorization}}})
	}
	return entry
}

func mcpServers(opts Options, origin string) string {
	authorization := ""
	if opts.Token {
		authorization = "Bearer ${" + tokenVariable + "}"
	}
	var servers ordered
	for _, pack := range opts.Packs {
		servers = append(servers, member{pack.Name, remote(pack, origin, authorization)})
	}
	return pretty(ordered{{"mcpServers", servers}})
}

func vsCode(opts Options, origin string) string {
	var document, servers ordered
	authorization := ""
	if opts.Token {
		const input = "mcpworks-token"
		authorization = "Bearer ${input:" + input + "}"
		document = append(document, member{"inputs", []ordered{
			{{"type", "promptString"}, {"id", input}, {"description", "Token of mcpworks"}, {"password", true}},
		}})
	}
	for _, pack := range opts.Packs {
		servers = append(servers, member{pack.Name, remote(pack, origin, authorization)})
	}
	return pretty(append(document, member{"servers", servers}))
}

func stdio(opts Options) string {
	var servers ordered
	for _, pack := range opts.Packs {
		if len(pack.Command) > 0 {
			servers = append(servers, member{pack.Name, ordered{{"command", pack.Command[0]}, {"args", pack.Command[1:]}}})
		}
	}
	if servers == nil {
		return ""
	}
	return pretty(ordered{{"mcpServers", servers}})
}

func curl(opts Options, origin string) string {
	header := ""
	if opts.Token {
		header = ` -H "Authorization: Bearer $` + tokenVariable + `"`
	}
	lines := []string{"curl" + header + " " + origin + "/api/tools"}
	if example := opts.example(); example != "" {
		lines = append(lines, "curl"+header+" "+origin+"/api/tools/"+example+" -d '{}'")
	}
	return strings.Join(lines, "\n")
}

// example is the first tool there is, unless tools are not to be told.
func (o Options) example() string {
	for _, pack := range o.Packs {
		if len(pack.Tools) > 0 && !o.Token {
			return pack.Tools[0].Name
		}
	}
	return ""
}
