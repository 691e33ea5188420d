package frontmatter

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"
)

// Plain makes whole numbers of the numbers that JSON has, so that no format
// writes 10 as 10.0 or in quotes.
func Plain(value any) any {
	switch value := value.(type) {
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return whole
		}
		fraction, err := value.Float64()
		if err != nil {
			return value.String()
		}
		return fraction
	case float64:
		if value == math.Trunc(value) && math.Abs(value) < 1<<53 {
			return int64(value)
		}
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = Plain(value[i])
		}
		return list
	case []string:
		list := make([]any, len(value))
		for i := range value {
			list[i] = value[i]
		}
		return list
	case map[string]any:
		table := make(map[string]any, len(value))
		for key := range value {
			table[key] = Plain(value[key])
		}
		return table
	}
	return value
}

// A number is spelled in one way, whatever its type was.
type number string

// canonical brings a value of any parser into one form.
func canonical(value any) any {
	switch value := Plain(value).(type) {
	case time.Time:
		return value.Format(time.RFC3339Nano)
	case fmt.Stringer: // the dates of TOML
		return value.String()
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = canonical(value[i])
		}
		return list
	case map[string]any:
		table := make(map[string]any, len(value))
		for key := range value {
			table[key] = canonical(value[key])
		}
		return table
	case map[any]any:
		table := make(map[any]any, len(value))
		for key := range value {
			table[canonical(key)] = canonical(value[key])
		}
		return table
	default:
		return canonicalScalar(value)
	}
}

func canonicalScalar(value any) any {
	switch v := reflect.ValueOf(value); {
	case !v.IsValid():
		return nil
	case v.CanInt():
		return number(strconv.FormatInt(v.Int(), 10))
	case v.CanUint():
		return number(strconv.FormatUint(v.Uint(), 10))
	case v.CanFloat():
		return number(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	}
	return value
}
