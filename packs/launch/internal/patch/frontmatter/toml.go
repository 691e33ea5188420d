package frontmatter

import (
	"bytes"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

func tomlValues(text string) (map[string]any, error) {
	values := map[string]any{}
	return values, toml.Unmarshal([]byte(text), &values)
}

// A tomlStatement is a key with its value, above all tables.
type tomlStatement struct {
	key        string
	dotted     bool
	start, end int // its lines, end not included
}

func setTOML(text, key string, value any) (string, error) {
	lines := splitLines(text)
	statements, err := tomlStatements(text, lines)
	if err != nil {
		return "", err
	}
	encoded, err := encodeTOML(key, value)
	if err != nil {
		return "", err
	}
	start, end := 0, 0
	for _, s := range statements {
		start, end = s.end, s.end // a new key comes after the last one
		if s.key != key {
			continue
		}
		if s.dotted {
			return "", ErrUnsupported
		}
		start = s.start
		encoded[len(encoded)-1] += tomlComment(lines[s.start:s.end])
		break
	}
	return joinLines(splice(lines, start, end, encoded...)), nil
}

// tomlStatements finds the statements above the first table.
func tomlStatements(text string, lines []string) ([]tomlStatement, error) {
	parser := unstable.Parser{}
	parser.Reset([]byte(text))
	var found []tomlStatement
	end := len(lines)
	for parser.NextExpression() {
		expression := parser.Expression()
		key := expression.Key()
		if !key.Next() {
			continue
		}
		line := parser.Shape(key.Node().Raw).Start.Line - 1
		if expression.Kind != unstable.KeyValue {
			end = line
			break
		}
		found = append(found, tomlStatement{string(key.Node().Data), !key.IsLast(), line, 0})
	}
	for i := range found {
		next := end
		if i+1 < len(found) {
			next = found[i+1].start
		}
		found[i].end = lastOf(lines, found[i].start, next)
	}
	return found, parser.Error()
}

// tomlComment returns the comment after a statement of one line, with a space
// before it. The first # after which only a comment can follow is the first one
// that has a whole statement before it.
func tomlComment(lines []string) string {
	if len(lines) != 1 {
		return ""
	}
	for at, c := range lines[0] {
		if c == '#' && toml.Unmarshal([]byte(lines[0][:at]), &map[string]any{}) == nil {
			return " " + lines[0][at:]
		}
	}
	return ""
}

func encodeTOML(key string, value any) ([]string, error) {
	var text bytes.Buffer
	encoder := toml.NewEncoder(&text)
	encoder.SetTablesInline(true)
	if err := encoder.Encode(map[string]any{key: value}); err != nil {
		return nil, err
	}
	return splitLines(strings.TrimSpace(text.String()) + "\n"), nil
}
