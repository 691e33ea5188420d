package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// decodeYAML reads the one document of a YAML or JSON file, with no keys but known
// ones if strict is set. Its errors say what is wrong and in which line, and
// nothing of how it is read.
func decodeYAML(content []byte, into any, strict bool) error {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(strict)
	if err := decoder.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return plainYAML(err)
	}
	if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one document in it")
	}
	return nil
}

var (
	unknownKey = regexp.MustCompile(`^(line \d+): field (\S+) not found in type .*$`)
	wrongKind  = regexp.MustCompile("^(line \\d+): cannot unmarshal !!(\\w+)(?: `([^`]*)`)? into (.*)$")
	doubleKey  = regexp.MustCompile(`^(line \d+): mapping key (.*) already defined at (line \d+)$`)
)

// yamlKinds are what the kinds of YAML are called.
var yamlKinds = map[string]string{"str": "text", "int": "a number", "float": "a number", "bool": "true or false", "seq": "a list", "map": "a mapping", "null": "nothing"}

// plainYAML says what the decoder says, without the names of Go's types.
func plainYAML(err error) error {
	failed, ok := errors.AsType[*yaml.TypeError](err)
	if !ok {
		return errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	var told []string
	for _, text := range failed.Errors {
		if m := unknownKey.FindStringSubmatch(text); m != nil {
			text = fmt.Sprintf("%s: there is no key %s", m[1], m[2])
		} else if m := wrongKind.FindStringSubmatch(text); m != nil {
			text = fmt.Sprintf("%s: %s %q is not %s", m[1], yamlKinds[m[2]], m[3], wanted(m[4]))
			if m[3] == "" {
				text = fmt.Sprintf("%s: %s is not %s", m[1], yamlKinds[m[2]], wanted(m[4]))
			}
		} else if m := doubleKey.FindStringSubmatch(text); m != nil {
			text = fmt.Sprintf("%s: the key %s is in %s already", m[1], m[2], m[3])
		}
		told = append(told, text)
	}
	return errors.New(strings.Join(told, "; "))
}

// wanted is what a type of Go takes.
func wanted(goType string) string {
	switch {
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	case goType == "int":
		return "a whole number"
	case goType == "bool":
		return "true or false"
	case goType == "string":
		return "text"
	}
	return "a mapping"
}
