package prompts

import (
	"encoding/base64"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

// blocks has the types of content with the revisions that know them, and the
// string members that they need.
var blocks = map[string]struct {
	revisions lint.Revisions
	members   []string
}{
	"text":          {lint.All, []string{"text"}},
	"image":         {lint.All, []string{"data", "mimeType"}},
	"audio":         {lint.All &^ lint.A, []string{"data", "mimeType"}},
	"resource_link": {lint.C | lint.D | lint.E, []string{"uri", "name"}},
	"resource":      {lint.All, nil},
}

// contentFlaw says what is wrong with a block of content in a revision; empty
// if nothing is.
func contentFlaw(content []byte, version string) string {
	if rawjson.KindOf(content) != rawjson.Object {
		return "the content of a message is no object"
	}
	kind, _ := lint.Text(lint.Member(content, "type"))
	block, known := blocks[kind]
	switch {
	case !known:
		return "the content of a message has a type that does not exist"
	case lint.RevisionsOf(version) != 0 && !block.revisions.Has(version):
		return kind + " content does not exist in this revision"
	case kind == "resource":
		return resourceFlaw(lint.Member(content, "resource"))
	}
	for _, member := range block.members {
		if _, ok := lint.Text(lint.Member(content, member)); !ok {
			return kind + " content has no string " + member
		}
	}
	if data, ok := lint.Text(lint.Member(content, "data")); ok && !isBase64(data) {
		return "the data of " + kind + " content is not base64"
	}
	return ""
}

func resourceFlaw(resource []byte) string {
	if _, ok := lint.Text(lint.Member(resource, "uri")); !ok {
		return "an embedded resource has no string uri"
	}
	_, text := lint.Text(lint.Member(resource, "text"))
	blob, isBlob := lint.Text(lint.Member(resource, "blob"))
	switch {
	case text == isBlob:
		return "an embedded resource has not exactly one of text and blob"
	case isBlob && !isBase64(blob):
		return "the blob of an embedded resource is not base64"
	}
	return ""
}

func isBase64(text string) bool {
	_, err := base64.StdEncoding.DecodeString(text)
	return err == nil && !strings.ContainsAny(text, "\r\n") // which the decoder skips
}
