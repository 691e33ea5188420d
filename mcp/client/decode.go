package client

import (
	"encoding/base64"
	"encoding/json"
	"strconv"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// What a server sends is decoded as far as it fits: a member of the wrong kind
// counts as absent, one that is not known is left alone. The raw text is kept
// for those who want to know.

func text(raw []byte) string {
	s, _ := rawjson.String(raw)
	return s
}

func texts(raw []byte) (all []string) {
	for element := range rawjson.Elements(raw) {
		if s, ok := rawjson.String(element); ok {
			all = append(all, s)
		}
	}
	return all
}

func boolean(raw []byte, fallback bool) bool {
	if rawjson.KindOf(raw) != rawjson.Bool {
		return fallback
	}
	return string(raw) == "true"
}

func integer(raw []byte) (n int64, ok bool) {
	if !rawjson.IsInteger(raw) {
		return 0, false
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return n, err == nil
}

func number(raw []byte) (f float64, ok bool) {
	if rawjson.KindOf(raw) != rawjson.Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return f, err == nil
}

func blob(raw []byte) []byte {
	data, _ := base64.StdEncoding.AppendDecode([]byte{}, []byte(text(raw)))
	return data
}

func rawMessage(raw []byte) json.RawMessage { return json.RawMessage(raw) }

func decodeMeta(raw []byte) mcp.Meta {
	var meta mcp.Meta
	for name, value := range rawjson.Members(raw) {
		if meta == nil {
			meta = mcp.Meta{}
		}
		meta[string(name)] = rawMessage(value)
	}
	return meta
}

func decodeIcons(raw []byte) (icons []mcp.Icon) {
	for element := range rawjson.Elements(raw) {
		var icon mcp.Icon
		for name, value := range rawjson.Members(element) {
			switch string(name) {
			case "src":
				icon.Src = text(value)
			case "mimeType":
				icon.MIMEType = text(value)
			case "sizes":
				icon.Sizes = texts(value)
			}
		}
		icons = append(icons, icon)
	}
	return icons
}

func decodeAnnotations(raw []byte) *mcp.Annotations {
	if rawjson.KindOf(raw) != rawjson.Object {
		return nil
	}
	a := &mcp.Annotations{}
	for name, value := range rawjson.Members(raw) {
		switch string(name) {
		case "audience":
			a.Audience = texts(value)
		case "priority":
			if f, ok := number(value); ok {
				a.Priority = &f
			}
		case "lastModified":
			a.LastModified = text(value)
		}
	}
	return a
}

// decodeCache returns the caching hints of a modern result, nil if it has none.
func decodeCache(result []byte) *mcp.Cache {
	ttl, scope := rawjson.Member(result, "ttlMs"), rawjson.Member(result, "cacheScope")
	if ttl == nil && scope == nil {
		return nil
	}
	millis, _ := integer(ttl)
	return &mcp.Cache{TTLMillis: max(millis, 0), Public: text(scope) == "public"}
}
