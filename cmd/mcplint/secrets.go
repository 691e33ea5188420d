package main

import (
	"encoding/json"
	"regexp"
	"sync"

	"mcpworks/internal/secret"
)

// hidden are the secrets of one command: what nothing that is written may
// repeat (D2.34). What they are is found by package conceal.
type hidden struct {
	mu       sync.Mutex
	values   []secret.String
	redactor *secret.Redactor
}

func (h *hidden) add(values ...secret.String) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.values = append(h.values, values...)
	h.redactor = secret.NewRedactor(h.values...)
}

func (h *hidden) all() []secret.String {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]secret.String{}, h.values...)
}

// redact takes them out of a text. JSON stays JSON: there they are looked for in
// strings.
func (h *hidden) redact(text []byte) []byte {
	h.mu.Lock()
	redactor := h.redactor
	h.mu.Unlock()
	switch {
	case redactor == nil:
		return text
	case len(text) > 0 && text[0] == '{' && json.Valid(text):
		return quotedText.ReplaceAllFunc(text, redactor.Bytes)
	}
	return redactor.Bytes(text)
}

// quotedText matches the strings of JSON.
var quotedText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

func (c *call) redact(text string) string { return string(c.hidden.redact([]byte(text))) }
