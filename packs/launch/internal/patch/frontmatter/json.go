package frontmatter

import (
	"bytes"
	"encoding/json"
	"strings"
)

// splitJSON takes the object a page begins with. A page that begins with a brace
// but not with an object, such as one with a shortcode, has no settings.
func splitJSON(text string) (Page, error) {
	decoder := json.NewDecoder(strings.NewReader(text[:min(len(text), MaxSize)]))
	var object json.RawMessage
	if err := decoder.Decode(&object); err != nil {
		return Page{}, ErrMissing
	}
	end := decoder.InputOffset()
	if rest, _, _ := strings.Cut(text[end:], "\n"); strings.TrimSpace(rest) != "" {
		return Page{}, ErrMissing
	}
	return Page{JSON, "", text[:end], text[end:]}, nil
}

func jsonValues(text string) (map[string]any, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var values map[string]any
	err := decoder.Decode(&values)
	for key := range values {
		values[key] = Plain(values[key])
	}
	return values, err
}

func setJSON(text, key string, value any) (string, error) {
	encoded, err := encodeJSON(value)
	if err != nil {
		return "", err
	}
	start, end, last, err := findJSON(text, key)
	if err != nil {
		return "", err
	}
	if end > 0 {
		return text[:start] + encoded + text[end:], nil
	}
	name, err := encodeJSON(key)
	if err != nil {
		return "", err
	}
	entry := name + ": " + encoded
	if last == 0 { // the object is empty
		return "{\n  " + entry + "\n}", nil
	}
	return text[:last] + "," + jsonGap(text) + entry + text[last:], nil
}

// findJSON returns where the value of a key starts and ends, and where the last
// value of all ends. Of keys that are there twice it finds the last, which is
// the one that counts.
func findJSON(text, key string) (start, end, last int, err error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	if _, err := decoder.Token(); err != nil {
		return 0, 0, 0, err
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return 0, 0, 0, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return 0, 0, 0, err
		}
		last = int(decoder.InputOffset())
		if name == key {
			start, end = last-len(value), last
		}
	}
	return start, end, last, nil
}

// jsonGap is what stands between the opening brace and the first key: a new key
// is set off in the same way.
func jsonGap(text string) string {
	inner := text[1:]
	if gap := inner[:len(inner)-len(strings.TrimLeft(inner, " \t\n"))]; gap != "" {
		return gap
	}
	return " "
}

func encodeJSON(value any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return strings.TrimSpace(text.String()), err
}
