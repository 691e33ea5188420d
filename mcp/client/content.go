package client

import (
	"encoding/json"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// UnknownContent is a block of a type that is not known here. Sent on, it is a
// text that says so.
type UnknownContent struct {
	mcp.Text
	Type string
	Raw  json.RawMessage
}

func decodeContents(raw []byte) (blocks []mcp.Content) {
	for element := range rawjson.Elements(raw) {
		blocks = append(blocks, decodeContent(element))
	}
	return blocks
}

func decodeContent(raw []byte) mcp.Content {
	annotations := decodeAnnotations(rawjson.Member(raw, "annotations"))
	mimeType := text(rawjson.Member(raw, "mimeType"))
	switch kind := text(rawjson.Member(raw, "type")); kind {
	case "text":
		return mcp.Text{Text: text(rawjson.Member(raw, "text")), Annotations: annotations}
	case "image":
		return mcp.Image{Data: blob(rawjson.Member(raw, "data")), MIMEType: mimeType, Annotations: annotations}
	case "audio":
		return mcp.Audio{Data: blob(rawjson.Member(raw, "data")), MIMEType: mimeType, Annotations: annotations}
	case "resource_link":
		return mcp.ResourceLink{Resource: resourceOf(raw)}
	case "resource":
		return mcp.EmbeddedResource{Contents: decodeResourceContents(rawjson.Member(raw, "resource")), Annotations: annotations}
	default:
		return UnknownContent{Text: mcp.Text{Text: "[content of an unknown type]"}, Type: kind, Raw: rawMessage(raw)}
	}
}
