package main

import (
	"fmt"
	"strings"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// shown is content as text: what is no text is named in brackets.
func shown(content mcp.Content) string {
	switch c := content.(type) {
	case mcp.Text:
		return block(c.Text)
	case mcp.Image:
		return media("image", c.MIMEType, len(c.Data))
	case mcp.Audio:
		return media("audio", c.MIMEType, len(c.Data))
	case mcp.ResourceLink:
		return "[resource link " + oneLine(located(c.URI, c.Name, c.MIMEType)) + "]"
	case mcp.EmbeddedResource:
		if c.Contents.Blob == nil {
			return "[resource " + oneLine(located(c.Contents.URI, c.Contents.MIMEType)) + "]\n" + block(c.Contents.Text)
		}
		return media("resource "+c.Contents.URI, c.Contents.MIMEType, len(c.Contents.Blob))
	case client.UnknownContent:
		return "[content of the unknown type " + oneLine(c.Type) + "]"
	}
	return "[content]"
}

func media(what, mimeType string, size int) string {
	if mimeType == "" {
		mimeType = "unknown type"
	}
	return fmt.Sprintf("[%s, %s, %d bytes]", oneLine(what), oneLine(mimeType), size)
}

// line ends a text as a line ends.
func line(text string) string { return strings.TrimRight(text, "\n") + "\n" }
