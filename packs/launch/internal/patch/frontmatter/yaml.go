package frontmatter

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

func yamlValues(text string) (map[string]any, error) {
	root, err := yamlRoot(text)
	if err != nil || root == nil {
		return map[string]any{}, err
	}
	asWritten(root)
	values := map[string]any{}
	return values, root.Decode(&values)
}

// yamlRoot returns the table of all settings, or nil if there are none.
func yamlRoot(text string) (*yaml.Node, error) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return nil, err
	}
	if len(document.Content) == 0 || document.Content[0].Tag == "!!null" {
		return nil, nil
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("front matter is not a table of keys and values")
	}
	return root, nil
}

// asWritten makes strings of dates, so that none is read as another moment.
func asWritten(node *yaml.Node) {
	if node.Tag == "!!timestamp" {
		node.Tag = "!!str"
	}
	for _, child := range node.Content {
		asWritten(child)
	}
}

func setYAML(text, key string, value any) (string, error) {
	root, err := yamlRoot(text)
	if err != nil {
		return "", err
	}
	if root != nil && (root.Style&yaml.FlowStyle != 0 || root.Column != 1) {
		return "", ErrUnsupported
	}
	encoded, err := encodeYAML(key, value)
	if err != nil {
		return "", err
	}
	lines := splitLines(text)
	start, end, comment := findYAML(root, lines, key)
	if comment != "" {
		encoded[0] += " " + comment
	}
	return joinLines(splice(lines, start, end, encoded...)), nil
}

// findYAML returns the lines of a key and the comment at the end of its first
// line. A key that is not there gets its place after the last line.
func findYAML(root *yaml.Node, lines []string, key string) (start, end int, comment string) {
	if root == nil {
		return len(lines), len(lines), ""
	}
	for i := 0; i < len(root.Content); i += 2 {
		name, value := root.Content[i], root.Content[i+1]
		if name.Value != key {
			continue
		}
		next := len(lines)
		if i+2 < len(root.Content) {
			next = root.Content[i+2].Line - 1
		}
		comment := name.LineComment
		if comment == "" && value.Line == name.Line {
			comment = value.LineComment
		}
		return name.Line - 1, lastOf(lines, name.Line-1, next), comment
	}
	return len(lines), len(lines), ""
}

func encodeYAML(key string, value any) ([]string, error) {
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := encoder.Encode(map[string]any{key: value}); err != nil {
		return nil, err
	}
	return splitLines(strings.TrimSuffix(text.String(), "\n") + "\n"), encoder.Close()
}
