package mcp

import "mcpworks/internal/rawjson"

// An Implementation names a program that speaks MCP.
type Implementation struct {
	Name        string // required
	Version     string // required
	Title       string
	Description string
	WebsiteURL  string
	Icons       []Icon
}

// AppendJSON appends the object with the members the revision has.
func (i *Implementation) AppendJSON(dst []byte, rev *Revision) []byte {
	o := rawjson.Begin(dst)
	o.String("name", i.Name)
	o.String("version", i.Version)
	if rev.Structured {
		o.NonEmpty("title", i.Title)
	}
	if rev.Icons {
		o.NonEmpty("description", i.Description)
		o.NonEmpty("websiteUrl", i.WebsiteURL)
		appendIcons(&o, i.Icons)
	}
	return o.End()
}
