package mcp

import "mcpworks/internal/rawjson"

// A Resource is the definition of something a client can read.
type Resource struct {
	URI         string // required
	Name        string // required
	Title       string
	Description string
	MIMEType    string
	Size        int64 // in bytes; 0 is unknown
	Annotations *Annotations
	Icons       []Icon
	Meta        Meta
}

// AppendJSON appends the definition with the members the revision has.
func (r *Resource) AppendJSON(dst []byte, rev *Revision) []byte {
	o := rawjson.Begin(dst)
	r.appendMembers(&o, rev)
	return o.End()
}

func (r *Resource) appendMembers(o *rawjson.ObjectWriter, rev *Revision) {
	o.String("uri", r.URI)
	appendDescription(o, rev, r.Name, r.Title, r.Description, r.MIMEType)
	if r.Size > 0 {
		o.Int("size", r.Size)
	}
	appendAnnotations(o, r.Annotations, rev)
	if rev.Icons {
		appendIcons(o, r.Icons)
	}
	appendMeta(o, r.Meta, rev)
}

// A ResourceTemplate is the definition of a family of resources.
type ResourceTemplate struct {
	URITemplate string // required; RFC 6570
	Name        string // required
	Title       string
	Description string
	MIMEType    string
	Annotations *Annotations
	Icons       []Icon
	Meta        Meta
}

// AppendJSON appends the definition with the members the revision has.
func (t *ResourceTemplate) AppendJSON(dst []byte, rev *Revision) []byte {
	o := rawjson.Begin(dst)
	o.String("uriTemplate", t.URITemplate)
	appendDescription(&o, rev, t.Name, t.Title, t.Description, t.MIMEType)
	appendAnnotations(&o, t.Annotations, rev)
	if rev.Icons {
		appendIcons(&o, t.Icons)
	}
	appendMeta(&o, t.Meta, rev)
	return o.End()
}

func appendDescription(o *rawjson.ObjectWriter, rev *Revision, name, title, description, mimeType string) {
	o.String("name", name)
	if rev.Structured {
		o.NonEmpty("title", title)
	}
	o.NonEmpty("description", description)
	o.NonEmpty("mimeType", mimeType)
}

// ResourceContents is what was read: text, or with Blob set, bytes.
type ResourceContents struct {
	URI      string
	MIMEType string
	Text     string
	Blob     []byte // not nil makes it binary
}

func (c *ResourceContents) appendJSON(dst []byte) []byte {
	o := rawjson.Begin(dst)
	o.String("uri", c.URI)
	o.NonEmpty("mimeType", c.MIMEType)
	if c.Blob != nil {
		o.Set(appendBase64(o.Name("blob"), c.Blob))
	} else {
		o.String("text", c.Text)
	}
	return o.End()
}

// A ReadResourceResult is what resources/read answers. Cache is nil for the
// default: private, and stale at once.
type ReadResourceResult struct {
	Contents []ResourceContents
	Cache    *Cache
	Meta     Meta
}

// AppendMembers implements Result.
func (r *ReadResourceResult) AppendMembers(dst []byte, _ *Revision) ([]byte, error) {
	dst = append(dst, `"contents":[`...)
	for i := range r.Contents {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.Contents[i].appendJSON(dst)
	}
	return append(dst, ']'), nil
}

// ResultMeta implements Result.
func (r *ReadResourceResult) ResultMeta() Meta { return r.Meta }
