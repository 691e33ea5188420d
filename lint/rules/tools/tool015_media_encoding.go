package tools

import (
	"encoding/base64"
	"io"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var mediaEncoding = lint.Rule{
	ID: "TOOL-015", Slug: "media-encoding",
	Title:    "media in results is base64 with a MIME type",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Call, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/tools#tool-result", Demand: "Images and audio have base64 data and a mimeType; embedded resources have a uri and text or blob."}},
	What:  "Looks at the blocks of every result: image and audio have data that is standard base64 and a mimeType; a resource has a uri, and a text or a blob that is base64.",
	Why:   "Clients pass the data on to the model API, which refuses the whole message if it cannot be decoded.",
	Bad:   `{"type":"image","data":"data:image/png;base64,iVBORw0KGgo="}`,
	Good:  `{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}`,
	Fix:   "Encode the bytes with standard base64 with padding, without line breaks and without a data: prefix, and set mimeType.",
	Check: func(v *lint.View) {
		v.NotApplicable("no result had media or resources")
		for _, c := range results(v) {
			for _, block := range c.blocks() {
				fault, looked := mediaFault(block)
				if looked {
					v.Saw()
				}
				if fault != "" {
					v.Failf(c.answer, c.subject(), "%s", fault)
					break
				}
			}
		}
	},
}

// mediaFault says what is wrong with a block; looked is false for those that
// have no media.
func mediaFault(block []byte) (fault string, looked bool) {
	kind, _ := lint.Text(lint.Member(block, "type"))
	switch kind {
	case "image", "audio":
		data, ok := lint.Text(lint.Member(block, "data"))
		mime, _ := lint.Text(lint.Member(block, "mimeType"))
		switch {
		case !ok || !isBase64(data):
			return "the data of a block is not base64", true
		case !strings.Contains(mime, "/"):
			return "a block of media has no mimeType", true
		}
		return "", true
	case "resource":
		return resourceFault(lint.Member(block, "resource")), true
	}
	return "", false
}

func resourceFault(resource []byte) string {
	uri, _ := lint.Text(lint.Member(resource, "uri"))
	_, hasText := lint.Text(lint.Member(resource, "text"))
	blob, hasBlob := lint.Text(lint.Member(resource, "blob"))
	switch {
	case rawjson.KindOf(resource) != rawjson.Object:
		return "a block of type resource has no resource"
	case uri == "":
		return "an embedded resource has no uri"
	case !hasText && !hasBlob:
		return "an embedded resource has neither text nor blob"
	case hasBlob && !isBase64(blob):
		return "the blob of an embedded resource is not base64"
	}
	return ""
}

// isBase64 decodes a text without keeping what it is.
func isBase64(text string) bool {
	if strings.ContainsAny(text, "\r\n") {
		return false
	}
	_, err := io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
	return err == nil
}
