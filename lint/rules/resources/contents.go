package resources

import (
	"encoding/base64"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
)

// reads are the results of reading listed resources. One that asks for input
// first has no contents yet and is left out.
func reads(v *lint.View) []*lint.Message {
	var reads []*lint.Message
	for _, answer := range v.Answers(step.Read) {
		if answer.HasResult() && !asksFirst(answer) {
			reads = append(reads, answer)
		}
	}
	if len(reads) == 0 && len(v.Steps(step.Read)) > 0 {
		v.NotVerified("no listed resource could be read (RES-004)")
	}
	return reads
}

// unknownReads are the answers to reading a URI that no server has. One that
// asks for input first decides nothing.
func unknownReads(v *lint.View) []*lint.Message {
	var reads []*lint.Message
	for _, answer := range v.Answers(step.ReadUnknown) {
		if asksFirst(answer) {
			v.NotVerified("reading an unknown URI asks for input first")
		} else {
			reads = append(reads, answer)
		}
	}
	return reads
}

// asksFirst says whether a result is not the last word: it wants something of
// the client.
func asksFirst(answer *lint.Message) bool {
	return rawjson.IsString(lint.Member(answer.Result, "resultType"), "input_required")
}

// resource is what a finding about an answer to resources/read is about.
func resource(answer *lint.Message) lint.Subject {
	uri, _ := lint.Text(lint.Member(answer.Asked.Params, "uri"))
	return lint.Subject{Kind: "resource", Name: uri}
}

// contents are the elements of the contents of a result.
func contents(result []byte) [][]byte {
	var contents [][]byte
	if list := lint.Member(result, "contents"); rawjson.KindOf(list) == rawjson.Array {
		for content := range rawjson.Elements(list) {
			contents = append(contents, content)
		}
	}
	return contents
}

// bytesOf is what a content holds: its text, or its decoded blob.
func bytesOf(content []byte) ([]byte, bool) {
	if text, ok := lint.Text(lint.Member(content, "text")); ok {
		return []byte(text), true
	}
	coded, ok := lint.Text(lint.Member(content, "blob"))
	if !ok || strings.ContainsAny(coded, "\r\n") { // which the decoder would skip
		return nil, false
	}
	data, err := base64.StdEncoding.DecodeString(coded)
	return data, err == nil
}
