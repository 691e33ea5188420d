package mcp

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"

	"mcpworks/internal/rawjson"
)

// Content is one block of a tool result or prompt message. A block that the
// revision does not know is sent as text that says what is missing.
type Content interface {
	appendJSON(dst []byte, rev *Revision) []byte
}

// Text is plain text.
type Text struct {
	Text        string
	Annotations *Annotations
}

// Image and Audio are media; Data is raw and encoded on the way out.
type (
	Image struct {
		Data        []byte
		MIMEType    string
		Annotations *Annotations
	}
	Audio struct {
		Data        []byte
		MIMEType    string
		Annotations *Annotations
	}
)

// ResourceLink points at a resource without including it.
type ResourceLink struct{ Resource }

// EmbeddedResource includes a resource.
type EmbeddedResource struct {
	Contents    ResourceContents
	Annotations *Annotations
}

// Annotations tell a client for whom content is and how much it matters.
type Annotations struct {
	Audience     []string // of "user" and "assistant"
	Priority     *float64 // 0 to 1
	LastModified string   // RFC 3339; since 2025-06-18
}

func (t Text) appendJSON(dst []byte, rev *Revision) []byte {
	dst = append(dst, `{"type":"text","text":`...)
	dst = rawjson.AppendString(dst, t.Text)
	if t.Annotations != nil {
		dst = append(dst, `,"annotations":`...)
		dst = t.Annotations.appendJSON(dst, rev)
	}
	return append(dst, '}')
}

func (i Image) appendJSON(dst []byte, rev *Revision) []byte {
	return appendMedia(dst, rev, "image", i.Data, i.MIMEType, i.Annotations)
}

func (a Audio) appendJSON(dst []byte, rev *Revision) []byte {
	if !rev.Audio {
		note := fmt.Sprintf("[audio, %s, %d bytes: protocol revision %s cannot carry it]", a.MIMEType, len(a.Data), rev.Version)
		return Text{Text: note}.appendJSON(dst, rev)
	}
	return appendMedia(dst, rev, "audio", a.Data, a.MIMEType, a.Annotations)
}

func (l ResourceLink) appendJSON(dst []byte, rev *Revision) []byte {
	if !rev.Structured {
		return Text{Text: l.Name + ": " + l.URI}.appendJSON(dst, rev)
	}
	o := rawjson.Begin(dst)
	o.String("type", "resource_link")
	l.appendMembers(&o, rev)
	return o.End()
}

func (e EmbeddedResource) appendJSON(dst []byte, rev *Revision) []byte {
	o := rawjson.Begin(dst)
	o.String("type", "resource")
	o.Set(e.Contents.appendJSON(o.Name("resource")))
	appendAnnotations(&o, e.Annotations, rev)
	return o.End()
}

func appendMedia(dst []byte, rev *Revision, kind string, data []byte, mimeType string, a *Annotations) []byte {
	o := rawjson.Begin(dst)
	o.String("type", kind)
	o.Set(appendBase64(o.Name("data"), data))
	o.String("mimeType", mimeType)
	appendAnnotations(&o, a, rev)
	return o.End()
}

func appendBase64(dst, data []byte) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, data)
	return append(dst, '"')
}

func appendAnnotations(o *rawjson.ObjectWriter, a *Annotations, rev *Revision) {
	if a != nil {
		o.Set(a.appendJSON(o.Name("annotations"), rev))
	}
}

func (a *Annotations) appendJSON(dst []byte, rev *Revision) []byte {
	o := rawjson.Begin(dst)
	if len(a.Audience) > 0 {
		o.Strings("audience", a.Audience)
	}
	if a.Priority != nil && !math.IsNaN(*a.Priority) && !math.IsInf(*a.Priority, 0) {
		o.Set(strconv.AppendFloat(o.Name("priority"), *a.Priority, 'f', -1, 64))
	}
	if rev.Structured {
		o.NonEmpty("lastModified", a.LastModified)
	}
	return o.End()
}

func appendContents(dst []byte, blocks []Content, rev *Revision) []byte {
	dst = append(dst, '[')
	for i, block := range blocks {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = block.appendJSON(dst, rev)
	}
	return append(dst, ']')
}
