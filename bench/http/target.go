package main

import (
	"strings"

	"mcpworks/bench/internal/compare"
	"mcpworks/bench/internal/echo"
	"mcpworks/bench/internal/rawhttp"
)

// A target is a peer and how it is asked. Its name is that of the peer,
// followed by what is not the default:
//
//	-legacy   of mcpworks without sessions: the legacy revisions on their own,
//	          where the default is a modern request
//	-modern   of the others without sessions: the reverse
//	-json     of those that answer with events: JSON instead
type target struct {
	program string
	legacy  bool
	modern  bool
	json    bool
}

func parseTarget(name string) (t target) {
	for {
		switch rest, suffix := cutSuffix(name); suffix {
		case "legacy":
			t.legacy, name = true, rest
		case "modern":
			t.modern, name = true, rest
		case "json":
			t.json, name = true, rest
		default:
			t.program = name
			if name == compare.Ours {
				t.modern = !t.legacy
			}
			return t
		}
	}
}

func cutSuffix(name string) (rest, suffix string) {
	i := strings.LastIndexByte(name, '-')
	return name[:max(i, 0)], name[i+1:]
}

// flags returns the flags that start the server for a mode.
func (t target) flags(mode string) (flags []string, err error) {
	if mode == session && (t.program == "floor" || t.legacy || t.modern && t.program != compare.Ours) {
		return nil, compare.ErrNotApplicable // it has none; a session is legacy anyway
	}
	if mode == stateless && !(t.program == compare.Ours && t.modern) {
		flags = append(flags, "--stateless")
	}
	if t.json {
		flags = append(flags, "--json")
	}
	return flags, nil
}

const modernVersion = "2026-07-28"

// form returns how a call without session looks to this server.
func (t target) form(address string) echo.Form {
	if !t.modern {
		return echo.Form{Frame: func(message string) string {
			return rawhttp.Request(address, message, rawhttp.Header{Name: "Mcp-Protocol-Version", Value: echo.Version})
		}}
	}
	return echo.Form{
		Params: `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modernVersion + `",` +
			`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},`,
		Frame: func(message string) string {
			return rawhttp.Request(address, message,
				rawhttp.Header{Name: "Mcp-Protocol-Version", Value: modernVersion},
				rawhttp.Header{Name: "Mcp-Method", Value: "tools/call"},
				rawhttp.Header{Name: "Mcp-Name", Value: "echo"})
		},
	}
}
