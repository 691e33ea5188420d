package server

import (
	"errors"
	"fmt"
	"strings"

	"mcpworks/internal/rawjson"
)

// checkHeaders holds a tool to the rules for x-mcp-header: a token that is
// unique ignoring case, on a string, integer or boolean that is reached through
// properties alone.
func checkHeaders(schema []byte) error {
	decoded, err := rawjson.Decode(schema)
	if err != nil {
		return err
	}
	return walkHeaders(decoded, true, map[string]bool{})
}

func walkHeaders(schema any, reachable bool, seen map[string]bool) error {
	switch schema := schema.(type) {
	case []any:
		for _, item := range schema {
			if err := walkHeaders(item, false, seen); err != nil {
				return err
			}
		}
	case map[string]any:
		if header, ok := schema["x-mcp-header"]; ok {
			if err := checkHeader(header, schema["type"], reachable, seen); err != nil {
				return err
			}
		}
		for keyword, inner := range schema {
			properties, ok := inner.(map[string]any)
			if keyword != "properties" || !ok {
				if err := walkHeaders(inner, false, seen); err != nil {
					return err
				}
				continue
			}
			for _, property := range properties {
				if err := walkHeaders(property, reachable, seen); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func checkHeader(header, kind any, reachable bool, seen map[string]bool) error {
	name, ok := header.(string)
	switch {
	case !ok || !isToken(name):
		return errors.New("x-mcp-header must be a token of HTTP")
	case !reachable:
		return fmt.Errorf("x-mcp-header %s stands where no argument is", name)
	case kind != "string" && kind != "integer" && kind != "boolean":
		return fmt.Errorf("x-mcp-header %s needs a string, an integer or a boolean", name)
	case seen[strings.ToLower(name)]:
		return fmt.Errorf("x-mcp-header %s is there twice", name)
	}
	seen[strings.ToLower(name)] = true
	return nil
}

func isToken(s string) bool {
	for _, c := range []byte(s) {
		alphanumeric := c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !alphanumeric && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}
