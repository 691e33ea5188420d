package ojapi

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcpworks/internal/rawjson"
)

// object is a decoded JSON object: the text of each member by its exact name.
// In a struct, encoding/json would take ID for id.
type object map[string][]byte

// errNotObject is one of the wrong shapes of section 9.
var errNotObject = errors.New("expected an object")

// parseObject reads bytes from outside. The error says why they are not an
// object in JSON and valid UTF-8.
func parseObject(data []byte) (object, error) {
	if err := rawjson.Check(data, rawjson.Limits{}); err != nil {
		var syntax *rawjson.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("%s at byte %d", syntax.Reason, syntax.Offset)
		}
		return nil, err
	}
	return asObject(data)
}

// asObject reads a part of checked text. Of two members of one name the last
// counts.
func asObject(raw []byte) (object, error) {
	if rawjson.KindOf(raw) != rawjson.Object {
		return nil, errNotObject
	}
	o := object{}
	for name, value := range rawjson.Members(raw) {
		o[string(name)] = value
	}
	return o, nil
}

// isNull reports whether the member is null or missing.
func (o object) isNull(name string) bool {
	kind := rawjson.KindOf(o[name])
	return kind == rawjson.Null || kind == rawjson.Invalid
}

// text returns a string, or a number as it was written.
func (o object) text(name string) (string, bool) { return asText(o[name]) }

// textOr returns the member's text, or instead when it has none or is blank.
func (o object) textOr(name, instead string) string {
	if text, _ := o.text(name); strings.TrimSpace(text) != "" {
		return text
	}
	return instead
}

// texts returns the texts of an array, leaving out what is not text.
func (o object) texts(name string) []string {
	var texts []string
	for raw := range rawjson.Elements(o[name]) {
		if text, ok := asText(raw); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// array returns the elements of an array.
func (o object) array(name string) ([][]byte, bool) {
	if rawjson.KindOf(o[name]) != rawjson.Array {
		return nil, false
	}
	return slices.Collect(rawjson.Elements(o[name])), true
}

// float returns a number, or nil when the member is none or too large for one.
func (o object) float(name string) *float64 {
	if rawjson.KindOf(o[name]) != rawjson.Number {
		return nil
	}
	f, err := strconv.ParseFloat(string(o[name]), 64)
	if err != nil {
		return nil
	}
	return &f
}

// count returns a non-negative integer, or nil when the member is none.
func (o object) count(name string) *uint64 {
	n, err := strconv.ParseUint(string(o[name]), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

func asText(raw []byte) (string, bool) {
	if rawjson.KindOf(raw) == rawjson.Number {
		return string(raw), true
	}
	return rawjson.String(raw)
}
