package config

import (
	"encoding/json"
	"math"
	"strconv"
)

// plainIntegers writes the whole numbers of a decoded value in digits, so that Go
// takes 1e3 for the integer that it is.
func plainIntegers(value any) any {
	switch value := value.(type) {
	case json.Number:
		number, err := value.Float64()
		if _, plain := strconv.ParseInt(value.String(), 10, 64); plain != nil && err == nil && number == math.Trunc(number) && math.Abs(number) < 1<<53 {
			return json.Number(strconv.FormatInt(int64(number), 10))
		}
	case []any:
		for i := range value {
			value[i] = plainIntegers(value[i])
		}
	case map[string]any:
		for name := range value {
			value[name] = plainIntegers(value[name])
		}
	}
	return value
}
