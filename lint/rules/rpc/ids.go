package rpc

import (
	"strconv"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

// validID says whether a request may have the id.
func validID(id []byte) bool {
	return rawjson.KindOf(id) == rawjson.StringKind || rawjson.IsInteger(id)
}

// unnamed says whether an id names no request.
func unnamed(id []byte) bool { return id == nil || rawjson.KindOf(id) == rawjson.Null }

// idKey is the same for ids of the same value and JSON type. A string can be
// written with different escapes; anything else is taken to the letter.
func idKey(id []byte) string {
	if text, ok := lint.Text(id); ok {
		return `"` + text
	}
	return string(id)
}

// alike recognises an id in what became of it: 7 in "7" and in 7.0.
func alike(a, b []byte) bool {
	x, y := idText(a), idText(b)
	if x == y {
		return x != ""
	}
	n, err := strconv.ParseFloat(x, 64)
	m, err2 := strconv.ParseFloat(y, 64)
	return err == nil && err2 == nil && n == m
}

// idText is an id without its type; empty if it is neither string nor number.
func idText(id []byte) string {
	if text, ok := lint.Text(id); ok {
		return strings.TrimSpace(text)
	}
	if rawjson.KindOf(id) == rawjson.Number {
		return string(id)
	}
	return ""
}
