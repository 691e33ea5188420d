package mcp

import "mcpworks/internal/rawjson"

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

// Or returns what either of two has.
func (c ClientCapabilities) Or(other ClientCapabilities) ClientCapabilities {
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
