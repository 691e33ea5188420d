package schemas

import (
	"slices"
	"strings"

	"mcpworks/internal/rawjson"
)

// maxValues bounds the values of an enum that are looked at.
const maxValues = 1000

// elements are those of an array, as many as are looked at.
func elements(array []byte) [][]byte {
	var list [][]byte
	for element := range rawjson.Elements(array) {
		if list = append(list, element); len(list) == maxValues {
			break
		}
	}
	return list
}

// canonical is a text that is the same for equal values.
func canonical(value []byte) string {
	decoded, err := rawjson.Decode(value)
	if err != nil {
		return string(value)
	}
	text, err := rawjson.Append(nil, decoded)
	if err != nil {
		return string(value)
	}
	return string(text)
}

// isOf says whether a value is of one of some types. Any is, if there are none.
func isOf(value []byte, types []string) bool {
	if len(types) == 0 {
		return true
	}
	name := rawjson.KindOf(value).String()
	return slices.Contains(types, name) || name == "number" && slices.Contains(types, "integer") && isWhole(value)
}

// isWhole says whether a number is an integer, leaving the doubt to large
// exponents.
func isWhole(number []byte) bool {
	text := string(number)
	if strings.ContainsAny(text, "eE") {
		return true
	}
	_, fraction, _ := strings.Cut(text, ".")
	return strings.Trim(fraction, "0") == ""
}
