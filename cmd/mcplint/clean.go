package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"mcpworks/internal/printable"
)

// oneLine makes any text safe to stand on a line.
func oneLine(s string) string { return printable.Line(s) }

// block makes any text safe to show; lines and tabs stay.
func block(s string) string { return printable.Block(s) }

// pretty indents JSON text and leaves everything else as it is written, except
// that characters which a terminal would act on become escapes of JSON.
func pretty(raw []byte) []byte {
	var indented bytes.Buffer
	if err := json.Indent(&indented, raw, "", "  "); err != nil {
		return append(fmt.Appendf(nil, "%q", raw), '\n') // it was checked when it came
	}
	return append(printable.JSON(indented.Bytes()), '\n')
}
