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

// An Icon is a picture for a definition. Servers ship them as data: URIs of
// small PNG files, or not at all.
type Icon struct {
	Src      string // required; https: or data:
	MIMEType string
	Sizes    []string // like "48x48"
}

func appendIcons(o *rawjson.ObjectWriter, icons []Icon) {
	if len(icons) == 0 {
		return
	}
	dst := append(o.Name("icons"), '[')
	for i, icon := range icons {
		if i > 0 {
			dst = append(dst, ',')
		}
		item := rawjson.Begin(dst)
		item.String("src", icon.Src)
		item.NonEmpty("mimeType", icon.MIMEType)
		if len(icon.Sizes) > 0 {
			item.Strings("sizes", icon.Sizes)
		}
		dst = item.End()
	}
	o.Set(append(dst, ']'))
}

// ClientCapabilities is what a client declared it can do for a server.
type ClientCapabilities struct {
	Roots          bool
	Sampling       bool
	SamplingTools  bool
	Elicitation    bool // forms
	ElicitationURL bool
}

// ParseClientCapabilities reads a checked capabilities object. An elicitation
// member without a mode means forms.
func ParseClientCapabilities(raw []byte) ClientCapabilities {
	var c ClientCapabilities
	for name, value := range rawjson.Members(raw) {
		switch string(name) {
		case "roots":
			c.Roots = true
		case "sampling":
			c.Sampling = true
			c.SamplingTools = hasMember(value, "tools")
		case "elicitation":
			c.ElicitationURL = hasMember(value, "url")
			c.Elicitation = hasMember(value, "form") || !c.ElicitationURL
		}
	}
	return c
}

// And returns what either of two has.
func (c ClientCapabilities) And(other ClientCapabilities) ClientCapabilities {
	return ClientCapabilities{
		Roots:          c.Roots || other.Roots,
		Sampling:       c.Sampling || other.Sampling,
		SamplingTools:  c.SamplingTools || other.SamplingTools,
		Elicitation:    c.Elicitation || other.Elicitation,
		ElicitationURL: c.ElicitationURL || other.ElicitationURL,
	}
}

// AppendJSON appends the capabilities object.
func (c ClientCapabilities) AppendJSON(dst []byte) []byte {
	o := rawjson.Begin(dst)
	if c.Elicitation || c.ElicitationURL {
		modes := rawjson.Begin(o.Name("elicitation"))
		if c.ElicitationURL {
			if c.Elicitation {
				modes.Raw("form", []byte("{}"))
			}
			modes.Raw("url", []byte("{}"))
		}
		o.Set(modes.End())
	}
	if c.Roots {
		o.Raw("roots", []byte("{}"))
	}
	if c.Sampling || c.SamplingTools {
		tools := rawjson.Begin(o.Name("sampling"))
		if c.SamplingTools {
			tools.Raw("tools", []byte("{}"))
		}
		o.Set(tools.End())
	}
	return o.End()
}

func hasMember(object []byte, name string) bool {
	for member := range rawjson.Members(object) {
		if string(member) == name {
			return true
		}
	}
	return false
}
