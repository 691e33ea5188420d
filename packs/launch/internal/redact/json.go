package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

var errNotJSON = errors.New("text to redact is not one JSON value")

// decode reads exactly one value and keeps numbers as they are written.
func decode(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errNotJSON
	}
	return value, nil
}
