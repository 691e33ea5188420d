package scout

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"
)

// maxDepth is how deep values of a configuration may be nested.
const maxDepth = 32

var errNotObject = errors.New("not an object")

// parseConfig reads YAML, TOML or JSON into values as JSON has them. Dates
// become text.
func parseConfig(format, text string) (map[string]any, error) {
	var value any
	var err error
	switch format {
	case "yaml":
		err = yaml.Unmarshal([]byte(text), &value)
	case "toml":
		var table map[string]any
		err = toml.Unmarshal([]byte(text), &table)
		value = table
	case "json":
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		err = decoder.Decode(&value)
	default:
		err = fmt.Errorf("unknown format %q", format)
	}
	if err != nil {
		return nil, err
	}
	if value == nil {
		return map[string]any{}, nil
	}
	object, ok := plain(value, maxDepth).(map[string]any)
	if !ok {
		return nil, errNotObject
	}
	return object, nil
}

// plain makes of a parsed value what JSON could have said. What it could not, and
// what is nested too deep, becomes null.
func plain(value any, depth int) any {
	if depth == 0 {
		return nil
	}
	switch value := value.(type) {
	case nil, bool, string:
		return value
	case json.Number:
		return value
	case int:
		return json.Number(strconv.Itoa(value))
	case int64:
		return json.Number(strconv.FormatInt(value, 10))
	case uint64:
		return json.Number(strconv.FormatUint(value, 10))
	case float64:
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return nil
		}
		return json.Number(strconv.FormatFloat(value, 'f', -1, 64))
	case time.Time:
		if value.Hour() == 0 && value.Minute() == 0 && value.Second() == 0 && value.Location() == time.UTC {
			return value.Format(time.DateOnly)
		}
		return value.Format(time.RFC3339)
	case fmt.Stringer: // the local dates and times of TOML
		return value.String()
	case []any:
		list := make([]any, len(value))
		for i, element := range value {
			list[i] = plain(element, depth-1)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for name, member := range value {
			object[name] = plain(member, depth-1)
		}
		return object
	case map[any]any:
		object := make(map[string]any, len(value))
		for key, member := range value {
			name := fmt.Sprint(key)
			if _, twice := object[name]; twice { // 1 and "1"
				member = nil
			}
			object[name] = plain(member, depth-1)
		}
		return object
	}
	return nil
}

var dateText = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$`)

// typeOf names the type of a value as a contract does; null has none.
func typeOf(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case bool:
		return "boolean"
	case string:
		if dateText.MatchString(value) {
			return "date"
		}
		return "string"
	case json.Number:
		if strings.ContainsAny(value.String(), ".eE") {
			return "number"
		}
		return "integer"
	case map[string]any:
		return "object"
	case []any:
		for _, element := range value {
			if _, isText := element.(string); !isText {
				return "unknown"
			}
		}
		return "array_string"
	}
	return "unknown"
}

// join is the type of a key that has values of two types.
func join(a, b string) string {
	switch {
	case a == b || b == "":
		return a
	case a == "":
		return b
	case a == "integer" && b == "number" || a == "number" && b == "integer":
		return "number"
	}
	return "unknown"
}
