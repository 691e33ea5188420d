package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"mcpworks/internal/jsonschema"
	"mcpworks/packs/launch/internal/artifact"
)

// escaped writes the characters of JSON text that YAML has only as escapes, so
// that JSON is YAML.
func escaped(text []byte) []byte {
	var out strings.Builder
	for _, r := range string(text) {
		if r >= 0x7f && r < 0xa0 || strings.ContainsRune("\u2028\u2029\ufeff\ufffe\uffff", r) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return []byte(out.String())
}

// checkKept reads back what is to be kept. What does not come back as it was is
// an *InvalidError: the run would never find it again.
func (c *Config) checkKept(kept []byte) error {
	back, err := FromYAML(kept)
	if err == nil {
		was, err1 := c.Hash()
		is, err2 := back.Hash()
		if err1 == nil && err2 == nil && was == is {
			return nil
		}
	}
	return c.notKept()
}

// notKept names the first text of a config that YAML cannot keep.
func (c *Config) notKept() error {
	at := ""
	if text, err := artifact.Canonical(c); err == nil {
		var value any
		if json.Unmarshal(text, &value) == nil {
			at, _ = lost("", value)
		}
	}
	return &InvalidError{[]jsonschema.Violation{{Path: at, Message: "has characters that cannot be kept in run_config.yaml"}}}
}

// lost finds the first text that is another one when it was written and read.
func lost(path string, value any) (string, bool) {
	switch value := value.(type) {
	case string:
		text, err := yaml.Marshal(value)
		var back string
		return path, err != nil || yaml.Unmarshal(text, &back) != nil || back != value
	case []any:
		for i, element := range value {
			if at, is := lost(path+"/"+strconv.Itoa(i), element); is {
				return at, true
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if _, is := lost(path, name); is || lostName(name) {
				return path, true
			}
			if at, is := lost(path+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), value[name]); is {
				return at, true
			}
		}
	}
	return "", false
}

// lostName says whether YAML cannot read a member of this name: it may be too long.
func lostName(name string) bool {
	text, err := json.Marshal(map[string]int{name: 0})
	return err != nil || yaml.Unmarshal(escaped(text), new(map[string]int)) != nil
}
