// Package plantuml turns PlantUML source text into the URL under which
// plantuml.com draws it.
package plantuml

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"mcpworks/packs/plantuml/internal/deflate"
)

// MaxText is the largest text, in bytes of UTF-8, that the service encodes and
// that Decode gives back: the contract's 50 KB.
const MaxText = 50 << 10

// urlPrefix comes before the encoded text: the site and the picture's format.
const urlPrefix = "https://www.plantuml.com/plantuml/svg/"

// alphabet is PlantUML's own: that of Base64 in another order. What Base64
// pads with "=" is filled with zero bytes by Encode.
var alphabet = base64.NewEncoding("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_").
	WithPadding(base64.NoPadding)

// Encode returns text in the form in which PlantUML servers take it in a URL:
// compressed, then written in an alphabet of 64 characters, in groups of four.
//
// The result depends on text alone. It is part of URLs that people keep, so it
// must never change, not even for a shorter one. The bytes of text are taken
// as they are; whether they are few enough and valid UTF-8 is the caller's
// question.
func Encode(text string) string {
	stream := deflate.Append(nil, []byte(text))
	for len(stream)%3 != 0 {
		stream = append(stream, 0)
	}
	return alphabet.EncodeToString(stream)
}

// URL returns the address of the picture of an encoded text.
func URL(encoded string) string { return urlPrefix + encoded }

// Decode returns the text that Encode, or any other encoder for PlantUML, made
// encoded of; the last group may lack its fill. It refuses what is not such a
// form and text larger than MaxText. As PlantUML does, it ignores what follows
// the end of the compressed text.
func Decode(encoded string) (string, error) {
	// Unlike PlantUML, package base64 skips line ends.
	if strings.ContainsAny(encoded, "\r\n") {
		return "", errors.New("decode diagram: a line end is not in the alphabet")
	}
	stream, err := alphabet.DecodeString(encoded)
	if err != nil {
		return "", fmt.Errorf("decode diagram: read the alphabet: %w", err)
	}
	inflater := flate.NewReader(bytes.NewReader(stream))
	text, err := io.ReadAll(io.LimitReader(inflater, MaxText+1))
	if err != nil {
		return "", fmt.Errorf("decode diagram: inflate: %w", err)
	}
	if len(text) > MaxText {
		return "", fmt.Errorf("decode diagram: the text is larger than %d bytes", MaxText)
	}
	return string(text), nil
}
