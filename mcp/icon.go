package mcp

import "mcpworks/internal/rawjson"

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
