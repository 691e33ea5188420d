package main

import (
	"bytes"
	"encoding/json"

	"mcpworks/internal/printable"
)

// decode reads the answer of a tool for people: with nothing in its texts that a
// terminal would act on, and each text on one line. Titles and names repeat what
// repositories say.
func decode(answer json.RawMessage, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(answer))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return err
	}
	safe, err := json.Marshal(harmless(value))
	if err != nil {
		return err
	}
	return json.Unmarshal(safe, into)
}

func harmless(value any) any {
	switch value := value.(type) {
	case string:
		return printable.Line(value)
	case []any:
		for i := range value {
			value[i] = harmless(value[i])
		}
	case map[string]any:
		safe := make(map[string]any, len(value))
		for name, member := range value {
			safe[printable.Line(name)] = harmless(member)
		}
		return safe
	}
	return value
}

// readable makes the text of an answer: what write writes about it.
func readable[T any](write func(*page, T)) view {
	return func(c *call, answer json.RawMessage) ([]byte, error) {
		var given T
		if err := decode(answer, &given); err != nil {
			return nil, err
		}
		p := c.page()
		write(p, given)
		return p.text.Bytes(), nil
	}
}

// shown is an answer as JSON, with one member to a line and nothing that a
// terminal would act on.
func shown(answer json.RawMessage) []byte {
	if answer == nil {
		return nil
	}
	var b bytes.Buffer
	if json.Indent(&b, printable.JSON(answer), "", "  ") != nil {
		return append(answer, '\n')
	}
	b.WriteByte('\n')
	return b.Bytes()
}
