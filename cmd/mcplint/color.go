package main

import (
	"bytes"
	"os"
	"regexp"

	"mcpworks/internal/cmdline"
)

// The values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// coloring are the options of verbs whose text can have colors (B1.6).
var coloring = []cmdline.Option{
	{Name: optColor, Kind: cmdline.Text, Choices: []string{colorAuto, colorAlways, colorNever}}, {Name: optNoColor},
}

const colorHelp = `      --color WHEN           always, never, or auto (default): on a terminal, unless the variable NO_COLOR is set
      --no-color             The same as --color never
`

// escapes are what makes a terminal write in a color, by what it stands for.
var escapes = map[string]string{
	"error": "\x1b[31m", "✗": "\x1b[31m",
	"warning": "\x1b[33m", "!": "\x1b[33m",
	"info": "\x1b[36m", "✓": "\x1b[32m",
}

const plainEscape = "\x1b[0m"

// signs matches the severities of findings and the marks of steps, each where
// its line begins.
var signs = regexp.MustCompile(`(?m)^  (error|warning|info) +[A-Z]+-[0-9]+ |^(✓|✗|!) `)

// colored gives a text its colors, if its reader wants any.
func (c *call) colored(text []byte) []byte {
	if !c.wantsColor() {
		return text
	}
	return signs.ReplaceAllFunc(text, func(begin []byte) []byte {
		sign := string(bytes.Fields(begin)[0])
		return bytes.Replace(begin, []byte(sign), []byte(escapes[sign]+sign+plainEscape), 1)
	})
}

func (c *call) wantsColor() bool {
	switch {
	case c.Has(optNoColor) || c.Value(optColor) == colorNever:
		return false
	case c.Value(optColor) == colorAlways:
		return true
	}
	return os.Getenv("NO_COLOR") == "" && !c.Has(optOutput) && onTerminal(c.out)
}

func (v verb) checkColor(c *call) error {
	if c.Has(optColor) && c.Has(optNoColor) {
		return v.usage("there can be only one of %s and %s", optColor, optNoColor)
	}
	return nil
}
